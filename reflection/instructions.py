"""stub"""
def instruction_like(text: str) -> str | None:
    if "ignore all previous instructions" in text.lower():
        return "it tells an agent to ignore its rules"
    return None
