"""Text: documents, contexts, tokens, noun phrases, names of concepts in place, identifiers and status."""
