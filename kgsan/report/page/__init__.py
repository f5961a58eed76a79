"""What was done to texts and why, as one page that a browser shows without a network and without scripts."""
