"""How well texts are sanitized: against what people marked, against attackers, and against other methods."""
