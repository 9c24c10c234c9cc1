"""How days, sums and counts are written in a language that a page names; in English if none is known."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

SIGNS: Mapping[str, tuple[str, ...]] = {
    "EUR": ("€", "Euro", "euros", "euro"), "GBP": ("£",), "USD": ("$",), "JPY": ("¥",), "INR": ("₹",), "PLN": ("zł",),
}  # fmt: skip
"""Signs and words for currencies, by ISO 4217."""


NO_SIGNS: Mapping[str, str] = {}


class Language(NamedTuple):
    """The words and marks of a language."""

    weekdays: tuple[str, ...]
    """From Monday, in short."""
    months: tuple[str, ...]
    day: str
    """With places for weekday, day and month."""
    thousands: str
    point: str
    signed: str
    """A sum with the sign of its currency: places for sign and number."""
    working_day: tuple[str, str]
    """One, and several."""
    fixed: str
    unknown: str
    more: str
    """The heading above the calendar of what a page does not tell."""
    columns: tuple[str, str, str]
    """Its heads: when, what, who."""
    not_settled: str
    conflict: str
    open_point: str

    def day_text(self, day: date, beside: date | None = None) -> str:
        """Return a day with its weekday; without the year if that is the year of ``beside``."""
        told = self.day.format(self.weekdays[day.weekday()], day.day, self.months[day.month - 1])
        return told if beside is not None and day.year == beside.year else f"{told} {day.year}"

    def number_text(self, number: str) -> str:
        """Return a number as it is written in English, ``1,200.50``, with the marks of this language."""
        return number.translate({ord(","): self.thousands, ord("."): self.point})

    def sum_text(self, told: str, signs: Mapping[str, str] = NO_SIGNS) -> str:
        """Return a sum as it is written in English, ``1,200.50 EUR``, with the marks of this language.

        The sign or word of its currency replaces its name where ``signs`` has one for that.
        """
        number, _, currency = self.number_text(told).replace("-", "−").rpartition(" ")
        sign = signs.get(currency, currency)
        if not number or sign.isalpha():
            return f"{number} {sign}".lstrip()
        minus = "−" * number.startswith("−")
        return f"{minus}{self.signed.format(sign, number.removeprefix('−'))}"

    def count_text(self, count: int) -> str:
        """Return a number of working days."""
        counted = self.number_text(f"{count:,}").replace("-", "−")
        return f"{counted} {self.working_day[abs(count) != 1]}"


def signs_in(text: str) -> dict[str, str]:
    """Return for each currency the sign or word that a text has for it most often, by ISO 4217; none that it lacks."""
    found = {name: max(signs, key=text.count) for name, signs in SIGNS.items()}
    return {name: sign for name, sign in found.items() if sign in text}


ENGLISH = Language(
    ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "{} {} {}", ",", ".", "{}{}", ("working day", "working days"),
    "no slack (fixed day)", "not known yet", "All other steps by date",
    ("when", "what", "who"), "Not settled", "Conflict", "Open",
)  # fmt: skip
LANGUAGES: Mapping[str, Language] = {
    "en": ENGLISH,
    "de": Language(
        ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
        ("Jan.", "Feb.", "März", "April", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."),
        "{} {}. {}", ".", ",", "{1} {0}", ("Arbeitstag", "Arbeitstage"),
        "kein Spielraum (fester Tag)", "noch nicht bekannt", "Alle weiteren Schritte nach Datum",
        ("wann", "was", "wer"),
        "Noch nicht geklärt", "Konflikt", "Offen",
    ),
    "fr": Language(
        ("lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim."),
        ("janv.", "févr.", "mars", "avril", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."),
        "{} {} {}", "\u202f", ",", "{1} {0}", ("jour ouvré", "jours ouvrés"),
        "aucune marge (jour fixe)", "pas encore connu", "Toutes les autres étapes par date", ("quand", "quoi", "qui"),
        "Points en suspens", "Conflit", "En suspens",
    ),
    "es": Language(
        ("lun", "mar", "mié", "jue", "vie", "sáb", "dom"),
        ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"),
        "{} {} {}", ".", ",", "{1} {0}", ("día laborable", "días laborables"),
        "sin margen (día fijo)", "aún no se sabe", "Los demás pasos por fecha", ("cuándo", "qué", "quién"),
        "Por resolver", "Conflicto", "Pendiente",
    ),
    "it": Language(
        ("lun", "mar", "mer", "gio", "ven", "sab", "dom"),
        ("gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"),
        "{} {} {}", ".", ",", "{1} {0}", ("giorno lavorativo", "giorni lavorativi"),
        "nessun margine (giorno fisso)", "non ancora noto", "Tutti gli altri passi per data",
        ("quando", "che cosa", "chi"),
        "Da chiarire", "Conflitto", "Aperto",
    ),
    "nl": Language(
        ("ma", "di", "wo", "do", "vr", "za", "zo"),
        ("jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"),
        "{} {} {}", ".", ",", "{} {}", ("werkdag", "werkdagen"),
        "geen speling (vaste dag)", "nog niet bekend", "Alle andere stappen op datum", ("wanneer", "wat", "wie"),
        "Nog niet geregeld", "Conflict", "Open",
    ),
}  # fmt: skip
"""By ISO 639-1."""
