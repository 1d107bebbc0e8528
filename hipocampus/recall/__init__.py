"""What a prompt should bring to mind: gate, look-up, choice, and the block that the agent reads."""
