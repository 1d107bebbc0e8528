"""Joining a project and its memory: init, status, demo."""
