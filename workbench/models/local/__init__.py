"""A language model on this machine: fetched once, then served by a child process on the loopback interface."""
