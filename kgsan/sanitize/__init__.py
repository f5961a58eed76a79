"""From a text to a text that keeps the policy's promise."""
