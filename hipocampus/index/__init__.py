"""The index: what is searched, how it is cut into chunks, and the engines that find them."""
