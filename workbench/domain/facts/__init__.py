"""What a person said, as facts: dates, amounts, people, deliverables, conditions, and what could not be read."""
