"""The neighborhood of a concept as a picture: what generalizes it, what specializes it, and what it is related to."""
