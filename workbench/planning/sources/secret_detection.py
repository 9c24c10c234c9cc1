"""Secrets: files that hold keys or passwords, told by their names, by their folders and by their contents.

    name, folder ─▶ secret_name ─▶ "by its name it holds keys or passwords"
    content ─▶ secret_content ─▶ "line 12 looks like a key of AWS"         never the secret's text

A name in a content calls what is beside it, below it, in its column or in its block. Whoever hides a secret, by
letters that look alike or by an encoding, is not found out: keys in base64 that begin as all of their kind do, are.

The package detect-secrets does not fit: it takes minutes for what a search reads in seconds, brings an HTTP client,
takes the hashes of lock files for keys, and knows no key of age, Google, Vault or Anthropic. All patterns here are
bounded, and each begins with text that is looked for first: the time grows with the file and with nothing else.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from workbench.domain.text.patterns import lazy_pattern

# --- names ------------------------------------------------------------------------------------------------------------

_TABLE = files("workbench.planning.sources").joinpath("secret_rules.txt").read_text(encoding="utf-8")
_PARTS = dict(re.findall(r"(?m)^\[([a-z ]+)\]\n((?:.+\n)+)", _TABLE))
"""Names, words and patterns, by what the parts of the table are called."""
_FOLDERS, _NAMES = frozenset(_PARTS["folders"].split()), frozenset(_PARTS["names"].split())
_ENDINGS = tuple(_PARTS["endings"].split())
_FOREIGN_WORDS = "|".join(_PARTS["foreign words"].split())
_FORMS = lazy_pattern("|".join((*_PARTS["forms"].split(), f".*(?:{_FOREIGN_WORDS}).*")))
_TEMPLATE = lazy_pattern(
    r"\.env[._-](?:example|sample|template|dist|defaults?|schema|tpl)|(?:example|sample|template)\.env"
)
"""What people show instead of their secrets: judged by content alone."""
_BACKUP = lazy_pattern(
    r"(?:(?<!~)~++|\.~\d+~|\.(?:bak|bk|bkp|backup|old|orig|original|save|saved|copy|prev|swp|swo|swn|tmp|temp|rej|gz|zip|bz2|xz|\d+)"
    r"|[-_. ](?:bak|backup|old|copy|kopie|\d{4}-?\d\d-?\d\d)| ?\(\d+\)| copy \d+)$"
)
"""What a name ends in when it is that of a copy; taken away as long as there is some."""
_IN_FRONT = lazy_pattern(r"^(?:copy of |kopie von |backup[-_.]|old[-_.]|#|\.#|~\$)|#$")
_MOST_COPIES = 5


def secret_name(path: PurePosixPath) -> str:
    """Return why a file or folder is a secret by its name, or by the folders that it is in; "" if it is none."""
    return _secret_parts([_bare_name(part) for part in path.parts])


def _bare_name(part: str) -> str:
    return unicodedata.normalize("NFKC", part).lower().strip().rstrip(". ")


def _secret_parts(parts: Sequence[str]) -> str:
    pairs = (f"{one}/{next_one}" for one, next_one in pairwise(parts))
    if not _FOLDERS.isdisjoint(parts[:-1]) or not _FOLDERS.isdisjoint(pairs):
        return "by its folder it holds keys or passwords"
    return "by its name it holds keys or passwords" if parts and any(map(_is_secret, _originals(parts[-1]))) else ""


def secret_folder(path: PurePosixPath) -> str:
    """Return why all that is in a folder is secret, as ``secret_name`` does."""
    return secret_name(path / "a")


def _originals(name: str) -> Iterator[str]:
    """Yield a name, and those of what it may be a copy of."""
    yield name
    for _ in range(_MOST_COPIES):
        name, before = _IN_FRONT.sub("", _BACKUP.sub("", name)), name
        if name == before:
            return
        yield name
        yield name.removeprefix(".")  # an editor's copy: .id_rsa.swp


def _is_secret(name: str) -> bool:
    if _TEMPLATE.fullmatch(name):
        return False
    return name in _NAMES or name.endswith(_ENDINGS) or _FORMS.fullmatch(name) is not None


# --- contents ---------------------------------------------------------------------------------------------------------


class _Rule(NamedTuple):
    kind: str
    """What it looks like, with its article."""
    hint: str
    """What has to be in a text for the pattern to fit."""
    pattern: re.Pattern[str]
    is_always: bool = False
    """Whether there are no examples of it that everybody may see."""


def _rules(kind: str, hints: str, pattern: str) -> Iterator[_Rule]:
    """Yield a rule for each text that has to be there."""
    for hint in hints.split(" | "):
        head = re.escape(hint)
        whole = pattern.removeprefix("=").replace("…", head)
        if hint[:1].isalnum() and not pattern.startswith("="):
            # what comes before is looked at last: a pattern that begins with letters is found fast
            head = head if pattern.startswith("…") else ""
            whole = rf"{head}(?<![A-Za-z0-9_-]{head}){whole.removeprefix(head)}"
        yield _Rule(kind.removesuffix("!"), hint, lazy_pattern(whole), kind.endswith("!"))


_RULES = [rule for line in _PARTS["rules"].splitlines() for rule in _rules(*line.split("\t"))]
_WORDS = (*(word.strip() for word in _PARTS["words"].split(",")), *_FOREIGN_WORDS.split("|"))
"""Words in the names of secrets."""
_SHORT = ("pass", "pwd", "pw")  # they are in other words, too
_ANY_WORD = lazy_pattern("|".join(map(re.escape, _WORDS)))
_IS_PASSWORD = lazy_pattern(
    rf"pass|pwd|pw|schl|vault_key|unseal|kennwort|contrase|mot de|senha|wachtw|{_FOREIGN_WORDS}"
)
_ASSIGNED = lazy_pattern(
    r"(?P<rest>[\w.\-]{0,40})"
    r"(?:\??(?: ?: ?|[ \t])[&*]?[\w.<>?]{1,30} ?= ?(?=[\"'`])"
    r"|[\"'\]` *]{0,4}[ \t]{0,8}(?:=>|:=|={1,3}|[:：]|\|)[ \t*]{0,8}"
    r"|[\"'] value=|>|[\"']?, ?(?=[\"'])|\((?=[\"'`])|[\"']\)? ?(?:\|\||\?\?|or) ?(?=[\"']))"
    r"[ \t]{0,4}(?:\\\n[ \t]{0,40})?"
    r"(?:(?P<quote>[\"'`]{1,3})(?:(?<=[\"']{3})\\?\n[ \t]{0,40})?"
    r"(?P<quoted>(?:[^\"'`\n]|\\\n){6,400})(?:\n[ \t]{0,40})?(?P=quote)"
    r"|(?P<bare>[^\s\"'`,;<>(){}\[\]|]{6,120}+)(?![()\[{>]))"
)
"""What follows such a word, with the value."""
_IN_BLOCK = lazy_pattern(
    r"(?P<rest>[\w.\-]{0,40}+)"
    r"(?:(?:</key|[^<>\n]{0,80})>\s{0,40}<(?:string|value|data)[^<>\n]{0,40}>\s{0,40}"
    r"|[\"']?\s{0,20}[:=]?\s{0,20}\{(?:[^{}\n]{0,200}\n){0,12}?[^{}\n]{0,200}?(?<![A-Za-z0-9_.])"
    r"(?:default|value)[\"']?\s{0,8}[:=]\s{0,8}"
    r"|[\"']?[,:]?\s{1,40}[\"']?value[\"']?[ \t]{0,8}[:=]\s{0,8})"
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{6,400})(?P=quote)|(?P<bare>[^\s\"'`,;<>(){}\[\]|]{6,120}+)(?![()\[{>]))"
)
"""What follows such a word where a block has its value: in a plist, in Terraform, beside ``name:``."""
_BELOW = lazy_pattern(
    r"(?P<rest>[\w.\-]{0,40}+)(?P<tail>[^\n]{0,80}+)\n\s{0,80}+(?:(?:[-=~^*]{3,100}+|`{3}\w{0,20})\n\s{0,80}+)?"
    r"(?:[-*>][ \t]{1,4})?(?P<quote>[\"'`]{0,3})(?P<bare>[^\s\"'`,;<>(){}\[\]|]{6,120}+)(?P=quote)"
    r"[;,]?[ \t]{0,8}(?=\n|\Z)"
)
"""A line that such a word is in, with a value that has the next line for itself."""
_TO_BE_GIVEN = lazy_pattern(
    r"[\"'`*_\]) \t]{0,6}[:=][\"'`*_ \t]{0,6}(?:[>|][-+\d]{0,2}|[(\[{])?[ \t]{0,8}(?:#[^\n]{0,80})?"
)
_LABEL_BEFORE = lazy_pattern(r"[ \t*_>-]{0,12}+(?:[\w-]{1,20}+[ .]){0,4}+[\w-]{0,20}")
_LABEL_BEHIND = lazy_pattern(r"[*_ \t]{0,8}")
_SAID = lazy_pattern(
    r"(?P<rest>\w{0,10}) (?:is|ist|was|lautet|est|es)(?: now)?:? ?[\"'`*]{0,3}(?P<drawn>[^\s\"'`<>]{8,120})"
)
"""A sentence that tells a value."""
_JOINED_WORDS = lazy_pattern(r"\w+(?:[-/.:,'’@=+&]\w+)*\W?")
_RULER = lazy_pattern(r"[-+=:| \t]*")
_LABEL = lazy_pattern(r"[\w .#/()*:-]{1,60}")
_CELL = lazy_pattern(r"[^\s\"'`<>(){}\[\]]{8,120}")
_LOGIN = lazy_pattern(r"user|login|name|mail|account|host|konto|benutzer")
_MOST_OF_A_ROW = 4_000
_NO_SECRET = lazy_pattern(
    r"(?:^|[._-])(?:ids?|names?|ur[li]|path|file|dir|type|hash|len|length|count|ttl|expir\w*|exp|field|label|hint|limit|max\w*"
    r"|min\w*|endpoint|arn|ref|version|prefix|header|class|regex|pattern|policy|format|help|text|placeholder|title|error"
    r"|message|env|var|reset|scopes?)$"
    r"|(?:Ids?|Name|Ur[li]|Path|File|Type|Hash|Length|Count|Field|Label|Hint|Ref|Version|Prefix|Header|Policy|Endpoint|Arn)$"
    r"|^i[zs]|^ing|^ive|^iona|^age|^port|^ed\b"
)
"""Ends of names that only speak of a secret."""
_BEFORE = lazy_pattern(
    r"(?:(?<![a-z])(?:public|page|next|csrf|xsrf|continuation|hash(?:ed)?|sha\d*|md5|no|stop|sync|design)"
    r"|(?:next|continuation)_?page)(?:[_.-]\w{0,12}|middleware|key)?[_.-]?$"
)
_PLACEHOLDER = lazy_pattern(
    r"example|sample|change[-_ ]?(?:me|it|this)|placeholder|dummy|fake|redact|your|insert|replace|^my[-_]?|^the[-_]"
    r"|^some|^enter|^test|[-_.]test|^todo|fixme|foo|^bar|^none|^null|^nil|^true|^false|undefined"
    r"|not[-_ ]?(?:a|real|set|secret)|p[a4@][s5$]{2}(?:w[o0]rd|wd|phrase)?|s[e3]cr[e3]t|token|api[-_]?key|credential"
    r"|^hunter2$|letmein|qwerty|xxx|\*\*\*"
    r"|\.\.\.|…|1234567|abcdef|abc123|012345|deadbeef|lorem|do[-_]?not|invalid|wrong|correct|bogus|mock|stub|demo|string"
    r"|value|guest|admin$|^root$|hello|^user\w*$|default"
)
_REFERENCE = lazy_pattern(
    r"^[$%{<@&#!]|^\w{1,20}://|^(?:vault|ref|op|arn|ssm|file|env|sops|secretref|keyring|urn|http)[:+]|^[./~\\]|^[a-z]:[\\/]"
    r"|^(?:os|process|env|self|this|config|settings|var|local|data|module|args|options|params|request|req|ctx|secrets)[.\[]"
    r"|\$\{|\{\{|<%|%\(|\bgetenv\b|^enc\["
)
_IDENTIFIER = lazy_pattern(
    r"^[A-Za-z_]+\d{0,2}$|^[A-Za-z_]\w{0,40}(?:(?:\.|->|::)[A-Za-z_]\w{0,40})+$|(?:Private|Public)Key\w{0,8}$"
)
_RANDOM_LETTERS = lazy_pattern(r"[A-Za-z0-9+/=_.~:!@#$%^&*?-]+")
_DOCUMENTED = ("EXAMPLE", ".SflKxwRJSM", ".TJVA95OrM7", ".cThIIoDvwd", "1234567890", "abcdefghij", "0123456789")
"""Parts of tokens that are in documentation."""


def secret_content(text: str) -> str:
    """Return which line of a text looks like which secret, without any of its text; "" if none does."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace('\\"', '"')  # JSON in JSON
    at, kind = min((place for place in (_token_in(text), _named_in(text)) if place is not None), default=(-1, ""))
    return f"line {text.count(chr(10), 0, at) + 1:,} looks like {kind}" if kind else ""


def _token_in(text: str) -> tuple[int, str] | None:
    """Return where the first token of a well-known form begins, and of what kind it is."""
    places = []
    for rule in _RULES:
        if rule.hint in text:
            matches = (match.start() for match in rule.pattern.finditer(text) if rule.is_always or _is_real(match))
            first = next(matches, None)
            places += [(first, rule.kind)] if first is not None else []
    return min(places, default=None)


def _is_real(match: re.Match[str]) -> bool:
    """Tell whether a token is none that documentation shows."""
    groups = match.groupdict()
    if "password" in groups:
        password = groups["password"]
        return password != groups.get("user") and not _is_placeholder(password)
    if "strong" in groups:
        return _is_strong(groups["strong"]) and not _is_placeholder(groups["strong"])
    if "basic" in groups:
        return _is_basic(groups["basic"])
    if "drawn" in groups:
        return _is_drawn(groups["drawn"])
    if "cookies" in groups:
        values = (one.partition("=")[2] for one in groups["cookies"].replace('"', ";").replace("'", ";").split(";"))
        return any(len(value) >= 20 and not _is_placeholder(value) and _is_random(value, 0.15) for value in values)
    if "random" in groups and (_is_placeholder(groups["random"]) or not _is_random(groups["random"])):
        return False
    token = groups.get("token") or match[0]
    return len(set(token[-12:])) > 4 and not any(one in token for one in _DOCUMENTED)


def _is_basic(encoded: str) -> bool:
    """Tell whether text in base64 is a name and a password."""
    try:
        told = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    user, colon, password = told.partition(":")
    return bool(colon) and len(password) > 2 and password not in (user, "open sesame") and not _is_placeholder(password)


def _named_in(text: str) -> tuple[int, str] | None:
    """Return where the first value stands that a name calls secret and that is not a placeholder."""
    lower = text.lower()
    beyond = 0  # the end of the last table
    for at, word in sorted((at, one) for one in _WORDS for at in _mentions(lower, one)):
        kind = "a password" if _IS_PASSWORD.search(word) else "a key or token"
        if (place := _value_of(text, lower, word, at)) is not None:
            return place, kind
        if at >= beyond:
            found, beyond = _in_table(text, at)
            if found is not None:
                return found
    return None


def _mentions(lower: str, word: str) -> Iterator[int]:
    at = lower.find(word)
    while at >= 0:
        behind = lower[at + 2 : at + 3] if word == "pw" else ""
        if word not in _SHORT or not (lower[at - 1 : at].isalnum() or behind.isalnum()):
            yield at
        at = lower.find(word, at + len(word))


def _value_of(text: str, lower: str, word: str, at: int) -> int | None:
    """Return where the secret is that a word in a name calls so."""
    if _BEFORE.search(lower, max(0, at - 20), at):
        return None
    for pattern in (_ASSIGNED, _IN_BLOCK, _BELOW, _SAID):
        match = pattern.match(text, at + len(word))
        if match is None or _NO_SECRET.search(match["rest"]):
            continue
        is_below = pattern is _BELOW and not _TO_BE_GIVEN.fullmatch(match["tail"])
        if is_below and not _is_heading(text, at, match["tail"]):
            continue
        group, is_password = match.lastgroup or "", bool(_IS_PASSWORD.search(word))
        value = match[group].replace("\\\n", "").strip()
        is_quoted = group == "quoted"
        if (group == "drawn" or (is_below and is_password)) and not _is_drawn(value):
            continue
        if _is_secret_value(value, is_password, is_quoted=is_quoted):
            return match.start(group)
    return None


def _is_heading(text: str, at: int, tail: str) -> bool:
    """Tell whether a line with a name is a heading, or a label and nothing else."""
    line = text[max(0, at - 120) : at].rpartition("\n")[2]
    return line.lstrip().startswith("#") or bool(_LABEL_BEFORE.fullmatch(line) and _LABEL_BEHIND.fullmatch(tail))


def _in_table(text: str, at: int) -> tuple[tuple[int, str] | None, int]:
    """Return where the first secret is in a table whose names of columns hold a place, and where the table ends."""
    begin = text.rfind("\n", max(0, at - _MOST_OF_A_ROW), at) + 1
    end = text.find("\n", at, at + _MOST_OF_A_ROW)
    if end < 0 or at - begin >= _MOST_OF_A_ROW:
        return None, at + _MOST_OF_A_ROW
    head = text[begin:end]
    by = next((one for one in ("|", "\t", ";", ",", "  ") if one in head.strip()), "")
    names = [_unquoted_cell(cell) for cell in _cells(head, by)]
    kinds = _kinds_of(names)
    if not kinds or not all(map(_LABEL.fullmatch, names)):
        return None, end
    begin = end + 1
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        row = text[begin:end]
        cells = _cells(row, by)
        if not _RULER.fullmatch(row):
            if len(cells) < len(names) or (len(cells) > len(names) and '"' not in row):
                break
            for column, kind in kinds:
                cell = _unquoted_cell(cells[column])
                if _CELL.fullmatch(cell) and _is_secret_value(cell, kind == "a password", is_quoted=False):
                    return (begin, kind), end
        elif not row.strip():
            break
        begin = end + 1
    return None, begin


def _cells(row: str, by: str) -> list[str]:
    row = row.strip().strip("|") if by == "|" else row
    return [cell for cell in row.split(by) if cell.strip()] if by == "  " else row.split(by) if by else []


def _unquoted_cell(cell: str) -> str:
    return cell.strip(" \t\r\"'`*")


def _kinds_of(names: Sequence[str]) -> list[tuple[int, str]]:
    """Return the columns whose names call what is in them secret, with what it is."""
    has_login = any(_LOGIN.search(name.lower()) for name in names)
    return [(number, kind) for number, name in enumerate(names) if (kind := _kind_of(name, has_login=has_login))]


def _kind_of(name: str, *, has_login: bool) -> str:
    lower = "_".join(name.lower().split())
    if not _ANY_WORD.search(lower):
        return ""
    for word in _WORDS:
        at = next(_mentions(lower, word), -1)
        is_clear = has_login or word not in _SHORT
        if at >= 0 and is_clear and not _BEFORE.search(lower, 0, at) and not _NO_SECRET.search(lower[at + len(word) :]):
            return "a password" if _IS_PASSWORD.search(word) else "a key or token"
    return ""


def _is_secret_value(value: str, is_password: bool, *, is_quoted: bool) -> bool:
    if _is_placeholder(value) or (not is_quoted and _IDENTIFIER.search(value)):
        return False
    return _is_strong(value) if is_password else len(value) >= 16 and _is_random(value)


def _is_drawn(value: str) -> bool:
    """Tell whether what is in a sentence, or after a name, is a password: not words, however joined."""
    value = value.rstrip(".,;:)]")
    joined = bool(_JOINED_WORDS.fullmatch(value))
    return _is_strong(value) and not _is_placeholder(value) and (not joined or (value.isalnum() and _is_random(value)))


def _is_placeholder(value: str) -> bool:
    """Tell whether a value stands for a secret, or says where there is one."""
    low = value.lower()[:100]
    is_by_chance = len(value) >= 20 and value.isalnum() and _is_random(value, 0.6)  # what reads like a word in it
    return len(set(low)) < 4 or bool(_REFERENCE.search(low) or (not is_by_chance and _PLACEHOLDER.search(low)))


def _is_strong(value: str) -> bool:
    """Tell whether a value is a password: letters and digits at least, and nothing that is read as words."""
    if len(value) < 8 or " " in value:
        return False
    kinds = [any(map(test, value)) for test in (str.islower, str.isupper, str.isdigit, lambda one: not one.isalnum())]
    return sum(kinds) >= 3 or (kinds[2] and sum(kinds[:2]) > 0 and not kinds[3])


def _is_random(value: str, least: float = 0.25) -> bool:
    """Tell whether the kind of letter changes as often as in what a machine drew: in words it does so seldom."""
    if not _RANDOM_LETTERS.fullmatch(value) or not any(map(str.isdigit, value)):
        return False
    kinds = ["d" if one.isdigit() else "u" if one.isupper() else "l" if one.islower() else "" for one in value[:400]]
    changes = sum(1 for one, after in pairwise(kinds) if one and after and one != after)
    return changes >= least * len(kinds) and len(set(value)) >= 8
