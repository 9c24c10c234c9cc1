"""When each step can happen: calendars, work, needs, and the dates that follow."""
