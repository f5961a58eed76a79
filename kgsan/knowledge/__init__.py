"""How often terms occur, alone and together, and what they say about each other."""
