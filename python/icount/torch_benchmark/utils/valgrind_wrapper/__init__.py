"""Counts of instructions."""
