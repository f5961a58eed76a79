"""Policies: what a law protects, written in YAML by the people who answer for it."""
