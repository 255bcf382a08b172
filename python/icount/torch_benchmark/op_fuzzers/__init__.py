"""The five ready-made fuzzers."""
