"""The terminal application: shows and asks. What is decided and done lives below it."""
