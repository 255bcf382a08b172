"""Utilities around Timer."""
