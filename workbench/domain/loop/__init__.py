"""The loop of iterations: what happens next, which role is asked, where a person decides."""
