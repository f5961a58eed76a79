"""What kgsan does when something breaks under it."""
