"""What may be written: one gate that every write path passes."""
