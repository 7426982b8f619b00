"""What an embedder cannot do, in words for a person."""


class NoEmbedder(Exception):
    """The embedder that was asked for is not to be had here; `hint` says what helps."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
