"""Files of other programs, sanitized in place: what is no text stays as it was."""
