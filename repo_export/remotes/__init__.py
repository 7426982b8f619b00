"""A memory repository and a remote, by Git: reaching it, taking in what people pushed, pushing."""
