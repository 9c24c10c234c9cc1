"""The offline guided planner: plans by rules and tables of planning practice, without a language model.

model.py      the port: task in, JSON out
reading.py    goal and answers ─▶ Brief      dates.py · amounts.py · wording.py
setting.py    Brief + knowledge/*.toml ─▶ Setting
approaches.py propose     drafting.py, proposals.py  first plan     amending.py, feedback.py  later ones
verifying.py  verify      acting.py  execute         writing.py  generate
"""

from workbench.guided.model import GuidedModel

__all__ = ["GuidedModel"]
