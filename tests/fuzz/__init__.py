"""Inputs that nobody foresaw: every reader answers each of them with a result or one refusal."""
