"""What a reply says, read by strict rules, and the events that follow from it."""
