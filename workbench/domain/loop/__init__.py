"""The loop of iterations: what happens next, which role is asked, if a person decides."""
