"""What a version changed, what there is to decide, and why a line is as it is."""
