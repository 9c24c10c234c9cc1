"""What a heading says about the lines below it, by a short table of words in English and German.

    "Tasks" · "Next steps" · "Aufgaben"           ─▶ steps      its lists are steps
    "Risks" · "Open questions" · "Annahmen" …     ─▶ a section  its lists are items of that section
    "Background" · "Links" · "Agenda" …           ─▶ prose      its lists are text
    anything else                                 ─▶ ""         its lists show it by their form

A heading names one of these as a whole: nothing is guessed from a part of it.
"""

from __future__ import annotations

import re

from workbench.domain.plan.importing.lines.values import status_of
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.plan import Status
from workbench.domain.text.patterns import lazy_pattern

STEPS, PROSE = "steps", "prose"
TITLES: dict[str, str] = {
    "goal": "Goal",
    "criteria": "Success criteria",
    "constraints": "Constraints",
    "scope": "Scope",
    "wont": "Out of scope",
    "deliverables": "Deliverables",
    "assumptions": "Assumptions",
    "people": "People",
    "budget": "Budget",
    "risks": "Risks",
    "decisions": "Decisions",
    "questions": "Open questions",
}
"""Sections that a heading can name, and what they are called."""

_WORDS: dict[str, str] = {
    STEPS: "steps|tasks|task list|todo|to do|todos|to dos|to do list|todo list|next steps|first steps|action items|"
    "actions|action plan|actionable items|plan|work|work items|work packages|work breakdown|work breakdown structure|"
    "wbs|activities|schedule|timeline|roadmap|checklist|milestones|phases|implementation|implementation plan|"
    "implementation steps|project plan|work plan|backlog|product backlog|sprint backlog|follow ups|follow up|"
    "open tasks|remaining tasks|remaining work|now|next|next up|later|doing|in progress|done|completed|upcoming|"
    "this week|next week|today|aufgaben|aufgabenliste|offene aufgaben|schritte|nächste schritte|maßnahmen|"
    "maßnahmenplan|aktivitäten|arbeitspakete|zeitplan|projektplan|ablauf|ablaufplan|vorgehen|umsetzung|meilensteine|"
    "erledigt|offen|in arbeit|zu erledigen|zu tun|checkliste|phasen",
    "risks": "risks|risk|risk register|key risks|main risks|risks and mitigations|risks mitigations|risiken|risiko|"
    "risiken und maßnahmen",
    "questions": "questions|question|open questions|open points|open issues|unresolved questions|to clarify|"
    "offene fragen|fragen|offene punkte|zu klären",
    "decisions": "decisions|decision|decisions made|key decisions|decision log|beschlüsse|entscheidungen|beschluss",
    "assumptions": "assumptions|key assumptions|annahmen",
    "constraints": "constraints|limits|limitations|boundary conditions|rahmenbedingungen|randbedingungen|"
    "einschränkungen|vorgaben",
    "budget": "budget|costs|cost|cost estimate|finances|kosten|finanzen|finanzierung",
    "people": "people|team|team members|project team|roles|stakeholders|responsibilities|roles and responsibilities|"
    "crew|beteiligte|rollen|personen|ansprechpartner",
    "criteria": "success criteria|acceptance criteria|criteria|goals|objectives|success metrics|metrics|"
    "definition of done|erfolgskriterien|akzeptanzkriterien|ziele",
    "scope": "scope|in scope|umfang|im umfang|leistungsumfang",
    "wont": "out of scope|not in scope|non goals|nicht im umfang|nicht ziele",
    "deliverables": "deliverables|outputs|results|lieferobjekte|ergebnisse",
    "goal": "goal|the goal|objective|aim|purpose|vision|mission|ziel|zweck|projektziel",
    PROSE: "background|context|introduction|intro|overview|summary|executive summary|abstract|motivation|rationale|"
    "history|changelog|links|references|resources|sources|further reading|appendix|glossary|definitions|tips|rules|"
    "principles|reminders|notes|ideas|remarks|comments|thoughts|lessons|lessons learned|design|architecture|"
    "tech stack|technology stack|tools|requirements|features|how it works|strategy|approach|concepts|key concepts|"
    "alternatives|options|analysis|research|findings|examples|conventions|path conventions|usage|communication|"
    "meetings|agenda|next meeting|attendees|participants|present|discussion|minutes|location|contacts|contact|"
    "dependencies|dependencies and execution order|execution order|phase dependencies|parallel opportunities|notation|"
    "legend|faq|license|credits|acknowledgements|contents|table of contents|things to remember|installation|"
    "getting started|hintergrund|kontext|einleitung|einführung|überblick|zusammenfassung|ausgangslage|hinweise|"
    "notizen|anmerkungen|bemerkungen|ideen|quellen|verweise|literatur|anhang|glossar|tagesordnung|teilnehmer|"
    "diskussion|protokoll|kontakte|grundsätze|regeln",
}
_ROLES = {name: role for role, names in _WORDS.items() for name in names.split("|")}
_NUMBER = lazy_pattern(r"^(?:\d{1,3}(?:[.)]\d{1,3}){0,5}[.)]?|[A-Za-z][.)]|[IVX]{1,5}[.)])\s")
_LONGEST = 120


def name_of(text: str) -> str:
    """Return a heading's words without a number before them, and without signs around them."""
    text = re.sub(r"\*\*|__|`|^[^\w(\[]+", "", text[:_LONGEST]).strip(" *_#:~")
    return _NUMBER.sub("", text).strip(" :")


def role_of(heading: str) -> str:
    """Return what the lines below a heading are: steps, prose, the id of a section, or "" if it does not say."""
    name = name_of(heading)
    return (
        _ROLES.get(bare(name))
        or _ROLES.get(bare(name.partition("(")[0]))
        or _ROLES.get(bare(name.replace("&", "and")), "")
    )


def state_of(heading: str) -> Status | None:
    """Return the state of the steps below a heading such as "Done" or "Doing"; None if it names none."""
    return status_of(name_of(heading)) if role_of(heading) == STEPS else None
