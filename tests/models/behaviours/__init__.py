"""How servers of providers behave, by name: a whole session is planned with each (test_behaviours.py)."""

from tests.models.behaviours import anthropic, google, openai
from tests.models.behaviours.behaviour import Behaviour

BEHAVIOURS: tuple[Behaviour, ...] = (*openai.BEHAVIOURS, *anthropic.BEHAVIOURS, *google.BEHAVIOURS)
