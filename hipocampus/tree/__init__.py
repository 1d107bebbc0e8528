"""The compaction tree: raw logs → daily → weekly → monthly → ROOT.md, every node under its budget."""
