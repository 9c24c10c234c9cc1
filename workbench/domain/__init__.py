"""What a planning session is: pure, no input or output, no clock, no await."""
