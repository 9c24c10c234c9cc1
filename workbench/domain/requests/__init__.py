"""What a person says about a plan, read as requests: each becomes operations and an answer, or a question back.

message ─clauses─▶ clause ─readings─▶ text ─forms, or slots─▶ Reply(operations, answer) ─review─▶ ─dates─▶ Request
                                                └ which item is meant: lookup, strictly; two that fit are asked back
"""

from workbench.domain.requests.reader import OFFER, is_answered, read_requests
from workbench.domain.requests.request import Control, Request

__all__ = ["OFFER", "Control", "Request", "is_answered", "read_requests"]
