"""How the small models of `kgsan.text` are trained and measured."""
