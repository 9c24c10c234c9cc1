"""Plans of other programs as a person reviews them: lines, what became of them, notes, the answer."""
