"""What each kind of event changes in the state of a session: a function for each, by theme."""
