"""Agent hosts: which files each needs, what its events mean, and what was said in its sessions."""
