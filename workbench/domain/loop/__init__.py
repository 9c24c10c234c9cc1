"""The loop of iterations: what happens next, who is asked, where a person decides."""
