"""Small mistakes that are put into the code to see whether a test notices."""
