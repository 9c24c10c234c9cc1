"""Commands over what was saved: found, compared, forked, replayed and proved."""
