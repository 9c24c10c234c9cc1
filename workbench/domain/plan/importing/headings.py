"""What a heading says about the lines below it: work, items of a section of ours, or text that is no work.

    "Phase 2: Move" · "Week 1" · "Sprint 3"       ─▶ unit       a stretch of work
    "Next steps" · "To do" · "Aufgaben"           ─▶ work
    "Risks" · "Open questions" · "Annahmen" …     ─▶ section    its lines are items
    "Background" · "Links" · "Attendees" …        ─▶ context    its lines are prose
    anything else                                 ─▶ open       for its lines to show

English and German. What a heading ends with counts more than what it begins with: "Risk review tasks" is work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from workbench.domain.plan.importing.work import begins_with_verb

Kind = Literal["unit", "work", "section", "context", "open"]


@dataclass(frozen=True, slots=True)
class Topic:
    """What the lines below a heading are."""

    kind: Kind
    section: str = ""
    """Id of our section, where ``kind`` is section; "goal" holds prose."""

    @property
    def is_work(self) -> bool:
        """Whether it names work."""
        return self.kind in ("unit", "work")


OPEN = Topic("open")
CONTEXT = Topic("context")
WORK = Topic("work")
UNIT = Topic("unit")

_UNIT_NAMES = (
    "phases?|weeks?|days?|sprints?|months?|stages?|milestones?|iterations?|waves?|epics?|quarters?|years?|tracks?|"
    "workstreams?|work packages?|module|part|level|tier|block|woche|tag|phase|monat|abschnitt|etappe|arbeitspakete?|"
    "meilenstein|teil|schritte?"
)
MONTH = (
    r"(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz?|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|"
    r"sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)"
)
_UNIT = re.compile(
    rf"(?:(?:{_UNIT_NAMES}|m|p|s|w)[ .#-]?\d{{1,3}}(?:\.\d{{1,3}})*[a-z]?(?!\w)"
    rf"|(?:{_UNIT_NAMES})[ .#-](?:[ivx]{{1,4}}|[a-e]|one|two|three|four|five|six|zero)(?:\.\d+)?(?!\w)"
    rf"|{MONTH}\.?(?: ?(?:[–/-]|to|and) ?{MONTH})?(?: \d{{4}})?$"
    rf"|q[1-4](?: |$)|kw ?\d|\d{{4}}[ -]q[1-4]|v\d+(?:\.\w+)+(?: |$|:)|(?:version|release) "
    rf"v?\d|\d+(?:\.\w+)+$"
    r"|\d{1,2}(?:\+| ?(?:–|-|to) ?\d{1,2})? (?:months?|weeks?|days?) (?:before|after|prior|out|until)"
    r"|(?:the )?(?:day|week|month|night|morning)s? (?:before|of|after)\b"
    r"|(?:before|during|after|within) (?:the \w+|day|week|\d+)"
    r"|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? \d{1,2}\b"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|"
    r"sonntag)\b)",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:\d{1,3}(?:\.\d{1,3})*[.):]?\s+|[ivx]{1,4}[.)]\s+|[a-z][.)]\s+|[^\w\s(\[\"“]+\s*)+", re.IGNORECASE
)
"""Numbers and signs before a heading's words."""

_SECTIONS: dict[str, str] = {
    "wont": ".{0,30}out[ -]of[ -]scope|not in scope|non-?goals?|exclusions?|excluded|won'?t(?: have| do)?|"
    "not planned|not our (?:job|task|business|problem).*|someday.*|ice ?box|parking lot|parked|außerhalb des umfangs|"
    "nicht im umfang|nicht enthalten|abgrenzung|nicht-?ziele|ausgeschlossen",
    "criteria": "(?:success|acceptance|exit|completion|quality|done) (?:criteri(?:a|on)|metrics?|measures?|"
    "conditions?)|definition of (?:done|success|ready)|criteria|kpis?|metrics|success|(?:smart )?goals? and "
    "(?:metrics|success)|key results|okrs?|what (?:success|done) looks like|done when|objectives|goals|ziele|"
    "teilziele|projektziele|erfolgskriterien|akzeptanzkriterien|abnahmekriterien|kriterien|kennzahlen",
    "risks": "(?:what )?(?:i am|i'm|we are) afraid of|fears?|risks?|threats?|risk (?:register|analysis|assessment|"
    "management|mitigation)|mitigations?|"
    "what could go wrong|issues and risks|impediments|blockers|concerns?|"
    "dangers?|worr(?:y|ies)|(?:things|what) (?:that )?(?:worr|scare|could hurt|"
    "might go).*|what i am afraid of|pitfalls|risques?|riesgos|"
    "known (?:risks|problems)|risiken|risiko|risikoanalyse|gefahren",
    "questions": "(?:still |noch )?(?:open|offen)|\\?{2,}|"
    "(?:open |unresolved |outstanding )?(?:questions?|unknowns)|preguntas?|vragen|"
    "domande|open (?:issues|points|items|topics)|to "
    "be (?:decided|clarified|determined|cleared up)|(?:what )?(?:we )?(?:i )?(?:do not|don'?t) know(?: yet)?.*|"
    "not sure(?: yet)?|unclear|unresolved|still open|tbd|fragen?|offene (?:fragen|punkte|themen)|zu klären|"
    "klärungsbedarf",
    "decisions": "(?:key |design |architecture |load-bearing |main )?decisions?(?: (?:log|made|taken|record))?|"
    "decided|"
    "agreed|resolutions?|beschlüsse|entscheidung(?:en)?|entscheidungsprotokoll",
    "assumptions": "assumptions?|prerequisites?|preconditions?|annahmen?|voraussetzungen|vorbedingungen",
    "constraints": "constraints?|limitations?|restrictions?|boundary conditions|guard ?rails|non-negotiables?|"
    "randbedingungen|rahmenbedingungen|einschränkungen|vorgaben|auflagen",
    "budget": "budget|costs?|cost estimate|finances?|funding|pricing|expenses|kosten|finanzierung|finanzen|ausgaben",
    "people": "(?:project |core |our )?team(?: members?)?|people|roles?|who|staff(?:ing)?|stakeholders?|contacts?|"
    "present|apologies|(?:roles? and )?responsibilit(?:y|ies)|crew|volunteers|resources and roles|personnel|"
    "beteiligte|rollen|ansprechpartner(?:innen)?|kontakte|personen|zuständigkeiten|verantwortlichkeiten",
    "scope": "scope|in scope|(?:must|should|could)[ -]haves?|moscow|umfang|leistungsumfang|im umfang",
    "deliverables": "(?:key |main |expected )?deliverables?|outputs?|outcomes?|results|lieferobjekte|ergebnisse|"
    "liefergegenstände",
    "goal": "(?:the |our |project |main |overall )?(?:goal|objective|aim|mission|purpose|vision)(?: statement)?|ziel|"
    "projektziel|zweck|zielsetzung",
    "milestones": "(?:key |major |main |project )?milestones?(?: and deadlines?)?|key dates|meilensteine|wichtige "
    "termine",
}
"""Ids of our sections, each with the headings that name them."""
_WORK = (
    "tasks?(?: list| breakdown)?|to-?dos?|to do(?: list)?|todo list|(?:next |first |following |immediate )?steps|"
    "actions?(?: items?| list| points?| plan)?|activit(?:y|ies)|work(?: items?| packages?| plan| breakdown.*)?|wbs|"
    "(?:project |implementation |execution |delivery |release |rollout |migration |launch |development |build |"
    "action )?(?:plan|roadmap|timeline|schedule|checklist|phases?|work ?plan)|road ?map|implementation|execution|"
    "what (?:is|has|needs|remains)(?: still)? to (?:be done|do|happen)|who does what|running order|call ?sheet|"
    "itinerary|(?:training|week(?:ly)?) plan|backlog|(?:what )?(?:we |i )?(?:still )?(?:need|have) to do|"
    "what(?:'s| is) (?:next|left)|remaining(?: work| tasks)?|open tasks|"
    "(?:near|medium|mid|short|long|longer)[- ](?:term|run)|(?:next |now )?planned.*|completed.*|upcoming.*|future.*|"
    "in progress|doing|done|completed|now|next(?: up)?|later|maybe|upcoming|soon|planned|preparations?|"
    "setup|follow-?ups?|high priority|medium priority|low priority|priorit(?:y|ies)|must do|quick wins|procedure|"
    "process steps|initiatives|method|directions|instructions|zubereitung|anleitung|bugs?|fixes|homework|assignments|"
    "chores|packing(?: list)?|shopping(?: list)?|aufgaben(?:liste)?|(?:nächste |die )?schritte|maßnahmen|aktivitäten|"
    "arbeitspakete|vorgehen|ablauf|ablaufplan|zeitplan|projektplan|maßnahmenplan|umsetzung|phasen|vorbereitung|"
    "nachbereitung|durchführung|erledigt|offen|in arbeit|(?:noch )?zu (?:tun|erledigen)|checkliste|to-?do-?liste|"
    "einkaufsliste|packliste|nächste ausbaustufe"
)
_CONTEXT = (
    "background|context|introduction|intro|overview|summary|executive summary|abstract|about.*|motivation|rationale|"
    "why.*|problem(?: statement)?|the .*problem|status|current (?:state|status|situation)|history|changelog|revision "
    "history|links?|references?|resources?|reading|further reading|sources?|bibliography|appendix|glossary|"
    "terminology|definitions?|tips?|hints?|rules?|reminders?|remember|ideas?.*|warnings?|notes?|.* notes|remarks?|"
    "comments?|thoughts|lessons(?: learned)?|retrospective|principles|.* principles|values|architecture|design|.* "
    "design|tech(?:nology)? stack|stack|technolog(?:y|ies)|tools?|data model|schema|api|structure|.* structure|"
    "folder.*|file.*|directory.*|system components|components|requirements?|.* requirements|features?|user stor(?:y|"
    "ies)|personas?|target (?:group|audience)|audience|use cases?|how it works|strategy|.* strategy|approach|"
    "methodology|concepts?|key concepts.*|options|alternatives|evaluation|analysis|research|findings|inspiration|"
    "examples?|format.*|legend|key|conventions?|path conventions|usage|communication(?: plan)?|meetings?|agenda|"
    "aob|any other business|read ?me.*|how to .*|"
    "install(?:ation|ing)?|getting started|quick ?start|contributing|known issues|troubleshooting|support|badges?|"
    "attendees|participants|present|absent|apologies|discussion.*|minutes|location|venue details|address|contact|"
    "dependencies.*|dependencies & .*|execution order|parallel.*|verification|faq|q&a|license|credits|acknowledg.*|"
    "table of contents|contents|toc|metadata|info|information|version history|hintergrund|kontext|einleitung|"
    "einführung|überblick|zusammenfassung|ausgangslage|ausgangssituation|motivation|kurzbeschreibung|beschreibung|"
    "problemstellung|zielgruppe|einsatzszenarien|user story|anforderungen|funktionen|architektur|technik|technologie|"
    "datenmodell|aufbau|struktur|hinweise|notizen|anmerkungen|bemerkungen|quellen|verweise|literatur|anhang|glossar|"
    "begriffe|kommunikation|teilnehmer(?:innen)?|anwesend|entschuldigt|tagesordnung|diskussion|protokoll|ort|stand|"
    "umgesetzter umfang|inhalt|inhaltsverzeichnis|beispiele?|strategie|konzept"
)


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})", re.IGNORECASE)


_SECTION_PATTERNS = tuple((section, _whole(pattern)) for section, pattern in _SECTIONS.items())
_WORK_PATTERN, _CONTEXT_PATTERN = _whole(_WORK), _whole(_CONTEXT)
_JOINED = re.compile(r"\s*(?:&|\+|/|,|;|\band\b|\bund\b)\s*", re.IGNORECASE)
_AFTER = re.compile(
    r"\s+(?:for|of|in|to|from|with|on|at|by|before|after|für|von|vor|nach|zum|zur|im|am)\s.*", re.IGNORECASE
)
_LONGEST = 120
"""Characters of a heading that are looked at."""


_MOST_NAME_WORDS = 3


def plain(text: str) -> str:
    """Return a heading's words without numbers and signs before them, and without marks around them."""
    text = text[:_LONGEST].replace("**", "").replace("__", "").strip(" *_#:`~")
    return _LEADING.sub("", re.sub(r"\s+[^\w\s)\]?!.]+$", "", text)).strip(" *_:`~.-–—")


def topic_of(text: str) -> Topic:
    """Return what the lines below a heading are."""
    words = plain(text)
    signs_off = text[:_LONGEST].strip(" *_#:`~")
    if _UNIT.match(words) or _UNIT.match(signs_off):
        return UNIT
    head = re.split(r"\s*(?:[:(\[|]|\s[–—-]\s)", words, maxsplit=1)[0].strip()
    for candidate in dict.fromkeys((words, head, _AFTER.sub("", head))):
        if (topic := _topic(candidate)) is not None:
            return topic
    parts = [part for part in _JOINED.split(head) if part]
    topics = [topic for part in parts if (topic := _topic(part)) is not None]
    if topics and len(topics) == len(parts):
        return WORK if WORK in topics else topics[0]
    last = " ".join(head.split()[-1:])
    if len(head.split()) <= 3 and (topic := _topic(last)) is not None and topic.section != "goal":
        return topic
    return OPEN


def _topic(text: str) -> Topic | None:
    for section, pattern in _SECTION_PATTERNS:
        if pattern.fullmatch(text):
            return Topic("section", section)
    if _WORK_PATTERN.fullmatch(text):
        return WORK
    return CONTEXT if _CONTEXT_PATTERN.fullmatch(text) else None


def is_name(text: str) -> bool:
    """Tell whether a line only names a group."""
    if " · " in text:
        return False
    text = plain(text)
    return len(text.split()) <= _MOST_NAME_WORDS and (not begins_with_verb(text) or text.split()[0].endswith("ing"))
