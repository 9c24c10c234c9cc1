"""What each role is asked at a point of a session."""
