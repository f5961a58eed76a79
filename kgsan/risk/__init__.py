"""Risk: one module per reason to hide."""
