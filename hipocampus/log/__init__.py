"""Raw daily logs: the grammar of an entry, reading a day, appending to it."""
