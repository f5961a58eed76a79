"""Classifiers learned from marked documents, one after the other, until another attack would cost more than it finds."""
