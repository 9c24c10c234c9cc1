"""Commands for a plan that is carried out, and for what is learned from it."""
