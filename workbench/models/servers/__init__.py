"""Models after a server: found, asked over the wire, and what is made of their refusals and failures."""
