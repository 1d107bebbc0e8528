"""MemAware in this repository: does what matters reach an agent that nobody told to look for it?"""
