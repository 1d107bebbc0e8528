"""Byte-exact editors of files that belong to somebody else: text in, text out, and the way back."""
