"""What both big providers refuse, written down a second time, on the messages as they are sent.

Independent of workbench.context.validity on purpose: entries are rendered as each provider wants them, and the
messages are then judged by the rules of its reference.

OpenAI, chat completions: "An assistant message with 'tool_calls' must be followed by tool messages responding to each
'tool_call_id'"; "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"; a duplicate
'tool_call_id' is refused.

Anthropic, messages: the first message is a user's; consecutive messages of one role are joined; "tool_use ids must be
unique"; "each tool_use block must have a corresponding tool_result block in the next message", and the reverse; "each
tool_use must have a single result"; tool results come first in their message; text comes before tool use; "text
content blocks must contain non-whitespace text".
"""

from __future__ import annotations

USERS = ("user", "summary", "artefact")


def openai_messages(entries):
    messages = []
    for one in entries:
        if one.role in USERS:
            messages.append({"role": "user", "content": one.text})
        elif one.role == "tool":
            messages.append({"role": "tool", "tool_call_id": one.answers, "content": one.text})
        elif one.makes:
            calls = [{"id": call, "type": "function"} for call in one.makes]
            messages.append({"role": "assistant", "content": one.text or None, "tool_calls": calls})
        elif not one.leads_to:  # reasoning is not sent
            messages.append({"role": "assistant", "content": one.text})
    return messages


def anthropic_messages(entries):
    messages = []
    for one in entries:
        role = "assistant" if one.role == "assistant" else "user"
        if not messages or messages[-1]["role"] != role:
            messages.append({"role": role, "content": []})
        blocks = messages[-1]["content"]
        if one.role == "tool":
            blocks.append({"type": "tool_result", "tool_use_id": one.answers})
            continue
        if one.leads_to:
            blocks.append({"type": "thinking", "thinking": one.text})
        elif one.text or not one.makes:
            blocks.append({"type": "text", "text": one.text})
        blocks += [{"type": "tool_use", "id": call} for call in one.makes]
    return messages


def openai_refusals(messages):
    refusals, open_calls, used = [], set(), set()
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                refusals.append(f"messages.{place}: role 'tool' must be a response to a preceding 'tool_calls'")
            open_calls.discard(message["tool_call_id"])
            continue
        if open_calls:
            refusals.append(f"messages.{place}: 'tool_calls' must be followed by tool messages: {open_calls}")
        calls = [call["id"] for call in message.get("tool_calls", [])]
        if len(set(calls)) < len(calls) or used & set(calls):
            refusals.append(f"messages.{place}: duplicate id of a call")
        used |= set(calls)
        open_calls = set(calls)
    return [*refusals, *(["the end: tool messages are missing"] if open_calls else [])]


def anthropic_refusals(messages):
    refusals, used = [], set()
    if messages and messages[0]["role"] != "user":
        refusals.append("messages.0: the first message must be a user's")
    for place, message in enumerate(messages):
        blocks = message["content"]
        kinds = [block["type"] for block in blocks]
        uses = [block["id"] for block in blocks if block["type"] == "tool_use"]
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        following = messages[place + 1]["content"] if place + 1 < len(messages) else []
        answered = [block["tool_use_id"] for block in following if block["type"] == "tool_result"]
        previous = messages[place - 1]["content"] if place else []
        asked = [block["id"] for block in previous if block["type"] == "tool_use"]
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            refusals.append(f"messages.{place}: text content blocks must contain non-whitespace text")
        if used & set(uses) or len(set(uses)) < len(uses):
            refusals.append(f"messages.{place}: tool_use ids must be unique")
        used |= set(uses)
        if not set(uses) <= set(answered):
            refusals.append(f"messages.{place}: tool_use ids without tool_result blocks immediately after")
        if not set(results) <= set(asked):
            refusals.append(f"messages.{place}: unexpected tool_use_id in tool_result blocks")
        if len(set(results)) < len(results):
            refusals.append(f"messages.{place}: each tool_use must have a single result")
        if "tool_result" in kinds and kinds != sorted(kinds, key=lambda kind: kind != "tool_result"):
            refusals.append(f"messages.{place}: tool results come first")
        if "tool_use" in kinds and set(kinds[kinds.index("tool_use") :]) != {"tool_use"}:
            refusals.append(f"messages.{place}: text comes before tool use")
    return refusals


def refusals(entries):
    """What either provider refuses about a conversation."""
    return [*openai_refusals(openai_messages(entries)), *anthropic_refusals(anthropic_messages(entries))]
