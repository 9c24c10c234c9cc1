"""What a person says about a plan, read as requests: each becomes operations and an answer, or a question back.

message ─clauses─▶ clause ─readings─▶ text ─forms, cues or slots─▶ Reply ─review─▶ every word has its place ─▶ Request
                                                              └ a word is left, or the item is not sure: the reading is
                                                                offered, and a yes in the next message carries it out
"""

from workbench.domain.requests.reader import OFFER, is_answered, read_requests
from workbench.domain.requests.request import Control, Request

__all__ = ["OFFER", "Control", "Request", "is_answered", "read_requests"]
