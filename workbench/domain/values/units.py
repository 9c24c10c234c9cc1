"""Units of time, their words, and how long they are: the one table for everybody who turns a length into days.

A month of work is 21 working days, a month of the calendar 30.4 days. Where a month has a date, count from the date
instead (``calendar_words.months_later``).
"""

from __future__ import annotations

UNITS: dict[str, tuple[str, float]] = {
    word: (unit, factor)
    for unit, factor, words in (
        ("millisecond", 1, "ms milliseconds millisecond"),
        ("second", 1, "seconds second secs sec s sekunden"),
        ("minute", 1, "minutes minute mins min minuten"),
        ("hour", 1, "hours hour hrs hr h stunden stunde heures horas"),
        ("day", 1, "days day d tage tagen tag jours jour dias dia nights night"),
        ("working day", 1, "arbeitstage arbeitstagen arbeitstag werktage werktagen werktag"),
        ("week", 1, "weeks week wks wk w wochen woche semaines semaine semanas semana"),
        ("week", 2, "fortnights fortnight"),
        ("month", 1, "months month mths monate monaten monat mois meses mes"),
        ("month", 3, "quarters quarter quartale quartal trimestres trimestre"),
        ("year", 1, "years year yrs yr jahre jahren jahr annees annee ans an anos ano"),
        ("year", 10, "decades decade"),
    )
    for word in words.split()
}
"""A word to the unit that it counts, and how many of them."""
HOURS_A_DAY, MINUTES_A_DAY = 8, 480
"""Of work."""
WORKING_DAYS = {
    "minute": 1 / MINUTES_A_DAY, "hour": 1 / HOURS_A_DAY, "day": 1.0, "working day": 1.0, "week": 5.0, "month": 21.0,
    "year": 250.0,
}  # fmt: skip
"""Working days in each unit."""
CALENDAR_DAYS = {
    "minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "working day": 1.4, "week": 7.0, "month": 30.4, "year": 365.0,
}  # fmt: skip
"""Days of the calendar in each unit, from the first to the last."""
