"""Language: tokens, words of any script, sentences, key phrases."""
