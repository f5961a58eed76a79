"""Concepts and their graph, compiled once and never changed."""
