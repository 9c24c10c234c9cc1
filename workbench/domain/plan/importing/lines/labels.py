"""Labels before a value, and heads of columns: what people call the fields of a step, in English and German.

"Owner: Anna" · "**Wer:** Anna" · "Assignee" · "Bis wann"  ─▶ the field's name
"""

from __future__ import annotations

import re
from functools import lru_cache

from workbench.domain.plan.importing.words import bare
from workbench.domain.text.patterns import lazy_pattern

_SYNONYMS: dict[str, str] = {
    "title": "task|tasks|task name|name|title|summary|subject|action|actions|action item|action items|activity|"
    "activities|step|steps|what|to do|todo|to-do|item|work item|work package|deliverable|card name|card|issue|story|"
    "user story|feature|milestone|objective|description of task|task description|aufgabe|aufgaben|titel|vorgang|"
    "vorgangsname|was|tätigkeit|maßnahme|massnahme|aktivität|schritt|arbeitspaket|thema|bezeichnung|meilenstein|thing|"
    "the thing|what happens|was ist zu tun|zu tun|initiative|topic|focus|goal|content|backlog item|test|session|event",
    "owner": "owner|owners|task owner|assignee|assignees|assigned|assigned to|assign to|responsible|responsibility|"
    "responsible person|who|by whom|person|lead|resource|resources|resource names|resource name|member|members|"
    "coordinator|dri|accountable|in charge|contact|led by|verantwortlich|verantwortliche|verantwortlicher|wer|"
    "zuständig|zuständigkeit|bearbeiter|bearbeiterin|person en|durchführung|owner s|r|developer",
    "deadline": "duedate|due|due date|due at|due by|due on|due dates|deadline|deadlines|by|by when|until|target|"
    "target date|completion date|eta|bis|bis wann|frist|fällig|fällig am|fälligkeit|fälligkeitsdatum|termin|abgabe|"
    "abgabetermin|spätestens|deadline date|needed by",
    "end": "end|end date|ends|finish|finish date|target end|planned end|planned finish|ende|enddatum",
    "start": "defer until|deferred until|hidden until|scheduled|start|start date|starts|begin|begin date|begins|"
    "start on|planned start|from|start by|beginn|anfang|ab|von",
    "when": "when|date|dates|day|time|timing|timeframe|time frame|timeline|period|wann|datum|zeit|zeitraum|zeitpunkt",
    "on": "on|appointment|takes place on",
    "clock": "time of day|uhrzeit",
    "status": "task status|status|state|progress|due complete|is complete|is done|done|completed|complete|list|column|"
    "erl|stand|zustand|erledigt|fortschritt|issue status|checked",
    "share": "completion|percent|% complete|percent complete|% done|% fertig|percentage|% erledigt|progress %|done %",
    "finished": "completed time|date resolved|resolution date|date closed|closed|closed at|resolved|completed date|"
    "completed on|done on|finished|finished on|closed date|closed on|actual finish|actual end|completed at|"
    "erledigt am|abgeschlossen am|date completed|date done",
    "started": "actual start|started|started on|date started|begonnen am",
    "effort": "effort|estimate|estimated|estimates|estimation|est|duration|time estimate|time estimated text|"
    "estimated effort|estimated duration|original estimate|timeoriginalestimate|work|days|size|length|time needed|"
    "expected duration|likely|how long|aufwand|dauer|schätzung|geschätzter aufwand|arbeit|tage|zeitaufwand|zeitbedarf",
    "hours": "hours|estimated time|expected hours|likely hours|estimate hours|estimated hours|est hours|hrs|stunden|"
    "aufwand h|effort h|work hours|work h|duration hours",
    "minutes": "minutes|estimated minutes",
    "weeks": "weeks|wochen|duration weeks|effort weeks|estimate weeks",
    "low": "low|optimistic|min|minimum|best case|best case hours|optimistic hours|min hours",
    "high": "high|pessimistic|max|maximum|worst case|worst case hours|pessimistic hours|max hours",
    "needs": "needs|predecessor ids|predecessor id|predecessor tasks|predecessor task ids|dependency ids|dependencies|"
    "dependency|depends on|depends|depend on|dependson|dependent on|predecessor|predecessors|requires|blocked by|"
    "prerequisite|prerequisites|after|depends upon|task dependencies|deps|abhängigkeit|abhängigkeiten|abhängig von|"
    "hängt ab von|vorgänger|voraussetzung|voraussetzungen|nach|braucht|is blocked by|inward issue link blocks",
    "blocks": "blocks|link blocks|successors|successor|blocking|nachfolger|blockiert",
    "id": "id|gid|uuid|no|nr|number|task id|task no|task number|#|key|issue key|issue id|ref|wbs|code|outline number|"
    "item no|nummer|kennung|lfd nr|tid|unique id|id s",
    "parent": "parent|parent id|parent task|parent issue|parent key|part of|epic link|epic|teil von|übergeordnet",
    "level": "outline level|indent|depth|ebene|gliederungsebene",
    "workstream": "workstream|phase|phases|stage|section|bucket|bucket name|area|category|group|stream|track|sprint|"
    "week|work stream|module|component|project|epic name|milestone name|bereich|kategorie|gruppe|woche|team|"
    "section column|list name|project phase|themenbereich|arbeitsbereich|ressort|kw",
    "outcome": "outcome|output|result|expected result|expected outcome|expected output|ergebnis|deliverables|product|"
    "erwartetes ergebnis",
    "check": "check|dod|acceptance|acceptance criteria|acceptance criterion|done when|definition of done|verification|"
    "verify|test strategy|teststrategy|success criteria|success criterion|how to verify|criteria|exit criteria|"
    "akzeptanzkriterien|akzeptanzkriterium|prüfung|abnahme|abnahmekriterien|fertig wenn|how tested|checklist items",
    "repeat": "repeat|repeats|recur|recurs|recurrence|recurring|wiederholung|wiederholt sich|rhythmus",
    "cost": "cost|costs|budget|price|amount|estimated cost|planned cost|kosten|preis|betrag|cost eur|cost usd|"
    "cost gbp|kosten eur",
    "kind": "type|issuetype|tracker|issue type|item type|typ|art|kind|vorgangstyp",
    "priority": "priority|prio|priorität|severity|urgency|dringlichkeit|importance|moscow",
    "tags": "tags|tag|labels|label|keywords|schlagworte",
    "notes": "notes|body|annotations|note|desc|comment|comments|remarks|remark|description|details|detail|"
    "card description|info|explanation|additional info|notizen|notiz|bemerkung|bemerkungen|kommentar|kommentare|"
    "beschreibung|anmerkung|anmerkungen|hinweis|hinweise",
}
_FIELDS = {bare(name) or name: field for field, names in _SYNONYMS.items() for name in names.split("|")}
_NOT_LABELS = frozenset(
    {"title", "when", "level", "share", "low", "high", "hours", "minutes", "weeks", "workstream", "kind", "parent"}
)
"""Fields that a column can have, and no label in a text."""
_LABEL = lazy_pattern(
    r"(?:[-*+•] +)?(?P<label>(?:\*\*|__)?[^\W_][\w '’/&%().-]{0,38}?(?:\*\*|__)?)\s?(?P<mark>::?)(?:\*\*|__)?(?=\s|"
    r"$)\s*(?P<value>.*)",
    re.DOTALL,
)


@lru_cache(maxsize=1_000)
def column_field(head: str) -> str:
    """Return the field that a column's head names; "" for none."""
    text = re.sub(r"[*_`]|<br ?/?>|(?<=[a-z])(?=[A-Z])", " ", head)
    known = _FIELDS.get(bare(text)) or _FIELDS.get(text.strip())
    if known is None and "(" in text:
        unit = bare(text[text.index("(") :])
        known = _FIELDS.get(bare(text[: text.index("(")]))
        if known == "effort" and unit in ("h", "hours", "hrs", "stunden", "std"):
            return "hours"
        if known == "effort" and unit in ("weeks", "wochen", "w"):
            return "weeks"
    if known is None:
        known = next((_FIELDS[part] for part in map(bare, re.split(r"[/|&,(]", text)) if part in _FIELDS), None)
    if known is None and bare(text).endswith(" name"):
        known = _FIELDS.get(bare(text).removesuffix(" name"))
    return known or ""


def label_of(text: str) -> tuple[str, str, str] | None:
    """Return (label, field, value) of a text that begins with a label; field is "" if it is not one of ours."""
    match = _LABEL.match(text)
    if match is None:
        return None
    label = match["label"].strip(" *_")
    if not label or len(label.split()) > 4:
        return None
    field = _FIELDS.get(bare(label), "")
    return label, "" if field in _NOT_LABELS else field, match["value"].strip()
