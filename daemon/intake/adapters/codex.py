"""Codex: rollouts of OpenAI's Codex CLI, one JSON record a line, as its `RolloutLine` and `ResponseItem` lay them down.

A turn is written up to three times: as the model saw it (`response_item`), as the person saw it (`event_msg` of type
`user_message` or `agent_message`) and, in newer versions, as `item_completed`. It is taken once, where it comes first.
Rollouts of mid 2025 have no envelope: a bare header, then bare items that carry no time; they are dated by the session's
start. What the program put into the person's turns (AGENTS.md, the environment, skills) is nobody's word.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from dreamd.daemon.clock import parse_instant
from dreamd.daemon.errors import BadData

_ENVELOPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state")
    + ("inter_agent_communication", "inter_agent_communication_metadata")
)
_ITEMS = frozenset(
    ("message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call")
    + ("custom_tool_call_output", "web_search_call", "tool_search_call", "tool_search_output", "image_generation_call")
    + ("compaction", "compaction_summary", "context_compaction", "ghost_snapshot", "agent_message")
)
