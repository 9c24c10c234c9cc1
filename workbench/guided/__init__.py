"""The offline planner: what a person said, what practice knows of such work, and nothing besides.

model.py          the port: task in, JSON out
patterns.py       what a goal is read by: patterns.toml, questions.toml
brief.py          goal and answers ─▶ facts, kind, day, limits, words   kinds.py · language.py · parts.py · phrases.py
told.py           an answer about the steps ─▶ steps
cores.py          cores/*.toml: five to ten steps for each way to do a kind of work
approaches.py     propose         questions.py
composition.py    first plan      placement.py · obligations.py · quantities.py · work.py · draft.py · account.py
planning.py       later plans     domain/requests · answered_later.py
verification.py   verify          domain/facts/reckoning.py
actions.py        execute         summary.py  generate          conversation.py  chat
"""

from workbench.guided.model import GuidedModel

__all__ = ["GuidedModel"]
