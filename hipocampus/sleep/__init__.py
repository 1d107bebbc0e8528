"""The nightly job: what it runs, and in which order."""
