"""The optional distiller: a language model behind an OpenAI-compatible HTTP server; off unless the settings name it."""
