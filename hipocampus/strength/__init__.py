"""How much a memory matters: pure functions."""
