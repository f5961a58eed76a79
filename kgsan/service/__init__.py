"""Sanitizing and verifying over HTTP, for programs on this machine or behind a server with TLS."""
