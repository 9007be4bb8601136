"""Photographs of a game, where nobody can be asked: what later ones say of those before, and how play goes on."""
