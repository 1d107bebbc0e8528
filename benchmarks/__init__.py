"""Benchmarks: each prints its table and keeps it in `benchmarks/results/`."""
