"""Condense what somebody said into short notes: "By the way, I've been taking spin classes" → "taking spin classes"."""

import re
from dataclasses import dataclass, replace

from hipocampus.text.lexicon import PRESENT
from hipocampus.text.words import is_cjk, is_common, is_stop, words

MOST_WORDS = 12
_PAIR = 14
"""A clause is cut at a joint near this length."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A condensed clause: `kind` is fact, plan, wish, ask or reply; `own` tells that it is about the speaker."""

    text: str
    kind: str
    own: bool
    aside: bool = False


_ASIDE = re.compile(
    r"^\W*(?:oh,? )?(?:and )?(?:by the way|btw|speaking of|actually|also|i (?:just )?(?:realized|remembered|forgot)"
    r"|i (?:should|wanted to) mention)|\b(?:i|i've|we) (?:just|recently|actually|already|used to)\b",
    re.I,
)
_MARKUP = re.compile(r"\*\*|__|`|^[#>\s]+|^\s*(?:[-*•]|\d{1,2}[.)])\s+|\[([^\]]*)\]\([^)]*\)|https?://\S+")
_LEAD = re.compile(
    r"""^(?:(?:oh|well|so|also|and|but|or|actually|anyways?|yes|yeah|yep|sure|no|hmm|wow|hi|hello|hey|okay|ok|great
    |perfect|awesome|nice
    |by\ the\ way|btw|speaking\ of(?:\ which)?[^,]{0,50}(?=,)|in\ fact|to\ be\ honest|honestly|personally
    |for\ (?:example|instance|now|me)
    |additionally|plus|since|because|though|although|while|that\ being\ said|that\ said|you\ know
    |as\ for[^,]{0,40}(?=,)|besides
    |thanks?(?:\ you)?(?:\ (?:so|very)\ much)?(?:\ for\ [^,.!]{0,60})?(?=[,.!-])|unfortunately|luckily|fortunately
    |currently|recently|lately
    |i\ (?:just\ )?(?:realized|remembered|noticed|forgot\ to\ mention|should\ mention|should\ add
    |wanted\ to\ mention|mentioned)(?:\ that)?
    |i\ (?:also\ |do\ |still\ )?(?:think|guess|believe|feel\ like|know|remember|recall|mean|see|hope|found
    |find)(?:\ that)?(?=\ (?:i|i'\w+|my|we|it|the|this)\b)|i\ (?:do\ |also\ |still\ )?(?:remember
    |recall)(?=\ \w+ing\b)
    |i'm\ (?:pretty\ |quite\ )?(?:sure|glad|happy|excited|curious|afraid|thinking|hoping|wondering)(?:\ that
    |\ if)?(?=\ (?:i|i'\w+|my|we|the)\b)
    |it\ (?:turns\ out|seems|looks\ like|sounds\ like)(?:\ that)?|the\ thing\ is|(?:as|like)\ (?:i|you)\ (?:said
    |mentioned)|just
    |(?:now\ )?that\ (?=i\b)|considering(?:\ that)?(?=\ i\b)|especially\ since|given\ that|for\ context
    |for\ reference)\b[\s,:.!–—-]*)+""",
    re.I | re.X,
)
_SUBJECT = re.compile(
    r"""^(?:i|we)(?:\ (?:also|just|actually|really|even|already|currently|recently|still|finally|always|only
    |usually|often))*
    (?:'(?:m|re|ve|d|ll)|\ am|\ are|\ was|\ were|\ have(?!\ to\b)|\ had(?!\ to\b)|\ will|\ would|\ did)?
    (?:\ been)?(?:\ (?:also|just|actually|really|even|already|currently|recently|finally|definitely|always|only
    |thinking\ of|thinking\ about
    |planning\ on|been))*\s+""",
    re.I | re.X,
)
_HAVE = re.compile(
    r"^(?:i|we)(?:'ve\ got|(?:\ (?:also|actually|currently|already|just|still|only))*\ ha(?:ve"
    r"|d))\ (?:got\ )?(?=(?:an?|the|my|some|about|around|two|three|four|five|six|seven|eight|nine|ten|\d+|over|many"
    r"|several|no|always)\b)",
    re.I,
)
_BE = re.compile(
    r"^(?:i|we)(?:'m|\ am|\ was|\ were|'re|\ are)\ (?:also\ |actually\ |currently\ )?(?=(?:an?|the|in|at|on|from"
    r"|\d+|not|allergic|married|single|based|born|vegetarian|vegan)\b)",
    re.I,
)
_WANT = re.compile(r"^(?:i|we)(?:'d|\ would)\ (?:also\ |really\ )?(?:like|love)\ to\ (?:also\ )?", re.I)
_PLAN = re.compile(
    r"^(?:i|we)(?:'m|\ am|'ve\ been|'re|\ are|\ was)\ (?:also\ |actually\ |currently\ |just\ |really\ "
    r"|still\ )*(?:planning|thinking|considering|hoping|going\ to|looking\ forward|trying|looking\ to|excited"
    r"|interested|getting\ ready)"
    r"|^(?:i|we)\ (?:also\ )?(?:want|need|plan|hope|have)\ to\b|^(?:i|we)(?:'d|\ would)\ (?:also\ "
    r"|really\ )?(?:like|love)\b",
    re.I,
)
_WISH = re.compile(
    r"^(?:i|we)(?:'m|\ am|'re|'ve\ been)\ (?:also\ |actually\ |currently\ |just\ |really\ "
    r"|still\ )*(?:looking\ (?:for|into|at)|searching|wondering|curious|not\ sure|unsure|having\ trouble"
    r"|in\ the\ market)",
    re.I,
)
_REPLY = re.compile(
    r"^(?:i|we)(?:'ll|\ will|'m\ going\ to|\ think\ i'll|\ can|\ might|\ guess|'d\ be)\b|^(?:i"
    r"|we)\ (?:really\ )?(?:like|love|appreciate|agree|understand|see|think|didn't\ know|had\ no\ idea"
    r"|never\ (?:thought|knew|heard))\b(?!.*\bmy\b)"
    r"|^(?:that|this|these|those|it|they|you|your|there)(?:'\w+)?\b|^(?:let's|let\ me|please|thank|sounds"
    r"|makes\ sense|any\ |what|how|which|if\ you|do\ you|can\ you|could\ you)",
    re.I,
)
_REQUEST = re.compile(
    r"""^(?:(?:can|could|would|will|do)\ you\ (?:please\ |also\ |maybe\ |possibly\ )?(?:help\ me(?:\ (?:with|to
    |find|plan|create|understand))?|recommend|suggest|have|know(?:\ of)?|give\ me|tell\ me(?:\ more)?(?:\ about)?
    |provide(?:\ me)?(?:\ with)?|explain|share|think\ of)
    |do\ you\ have|are\ there|i\ was\ wondering\ if\ you\ (?:could|can|have|know)\ (?:recommend|suggest
    |help\ me(?:\ with|\ find)?|give\ me|tell\ me(?:\ about)?)?|any
    |(?:please\ )?(?:suggest|recommend|give\ me|tell\ me(?:\ about)?|help\ me(?:\ (?:with|to|find|plan
    |create))?))\s+(?:me\s+)?
    (?:(?:some|any|a\ few|more|an?|the|good|great|other|additional)\s+)*(?:(?:suggestions?|recommendations?|tips?
    |advice|ideas?|examples?|information|resources)\s+(?:for|on|about|of|to|regarding|that)\s+(?:some\s+)?)?""",
    re.I | re.X,
)
_SPLIT = re.compile(
    r"""\s*[;—–]\s+|\s+-+\s+|:\s+(?=\S)|\s*[()]\s*
    |,?\s+(?:and|but|so|because|although|though|since|while|as|whereas|or)\s+(?=(?:also\s+|now\s+|then\s+
    |maybe\s+)?(?:i|i'\w+|we|we'\w+|my|it|it's|that|this|that's|they|they're|he|she|you|there|would|could|can|do)\b)
    |,\s+(?=(?:which|so|but|because|since|although|though|while|as|too|right|especially|thanks|any|do|can|could
    |and\s+(?:it|that|was|i|my|would|could))\b)
    |,\s+(?=(?:i|i'\w+|we|it's|it|that's|my)\s)
    |\s+(?=(?:if\ you|do\ you|any\ (?:suggestions|tips|advice|ideas|recommendations))\b)|!\s*""",
    re.I | re.X,
)
_FILLER = re.compile(
    r"""\b(?:really|very|just|actually|definitely|quite|pretty|basically|literally|honestly|kind\ of|sort\ of
    |a\ bit|a\ little\ bit|super
    |totally|certainly|simply|currently|recently|also|probably|finally|[Mm]y|[Oo]ur|the|an?|own|already|some|even
    |still|lately|i\ think|so\ far|that\ i(?='|\b))\s+|\bin\ order\ (?=to\b)|\ba\ (?=lot\b)
    |(?<=\S),?\s+(?:too|though|as\ well|right\ now|lately|and\ all|you\ know|i\ think|or\ something|so\ far
    |and\ (?:stuff|everything))(?=[,.]|$)""",
    re.X,
)
_DANGLING = re.compile(
    r",?\s+(?:that|which)\s+(?:I'(?:ve|m|d)|I|we|we've)\b[^,]*$|,\s+(?:which|Which)\s+(?:is|was|has\ been|I'm"
    r"|I)\b[^,]*$"
)
_JOINT = re.compile(
    r",\s|\s(?=(?:to|for|with|from|that|which|where|when|who|after|before|during|because|by|including|like|and|at"
    r"|in|on|as|about|using|while|since|without)\s)"
)
_EDGE = frozenset(
    """
and or but so that which who to for with in on at of from by as about into like than if when where while because
including using after before during without is are was were be been am has have had would could can i my the a
an their his her this it's i've i'm not more very some any
""".split()
)
_SPACE = re.compile(r"\s+")
_LATIN = re.compile(r"[A-Za-z]")
_OWN_START = re.compile(r"(?:i|we|my|our)\b")
_OWN = re.compile(r"\b(?:my|our|me|I)\b")
_WAS = re.compile(r"(?:i|we)\ w", re.I)
_BARE_SUBJECT = re.compile(
    r"(?:i|we)(?:\ (?:also|really|just|actually|currently|still|usually|often|always|only))*\s+", re.I
)
_POSSESSION = re.compile(r"\b(?:my|our) (.{12,})")
_HALF = re.compile(
    r"(?:to|of|for|than|as|too|or|from|about|been|being|at|that|with|say|which|where|who|because|not|by|on)\b", re.I
)


def clauses(sentence: str) -> list[Clause]:
    """Condensed clauses of one sentence; what is only a question or courtesy comes back as `ask` or `reply`."""
    plain = _plain(sentence)
    if is_cjk(plain) or not _LATIN.search(plain):
        return [Clause(_clip(plain, 80), "fact", own=False)] if plain else []
    body = _LEAD.sub("", plain)
    if not body:
        return []
    if request := _REQUEST.match(body):
        return _request(body[request.end() :])
    if body.endswith("?"):
        return [*_possessions(body)]
    aside = _ASIDE.search(plain) is not None
    return _joined([_clause(piece, aside=aside) for piece in _SPLIT.split(body) if piece and piece.strip()])


def _plain(sentence: str) -> str:
    text = _MARKUP.sub(lambda found: found[1] or "", sentence)
    return _SPACE.sub(" ", text.replace("’", "'").replace("“", '"').replace("”", '"')).strip(" \t*_|")


def _clause(piece: str, *, aside: bool) -> Clause:
    piece = _LEAD.sub("", piece.strip(" ,.!?\t"))
    low = piece[:40].lower()
    own = _OWN_START.match(low) is not None or _OWN.search(piece) is not None
    kind = "fact"
    if _WISH.match(piece):
        kind = "wish"
    elif _PLAN.match(piece):
        kind = "plan"
    elif _REPLY.match(piece):
        kind = "reply"
    elif piece.endswith("?") or _REQUEST.match(piece):
        kind = "ask"
    return Clause(_cased(shorten(_without_subject(piece)), own=own), kind, own, aside)


def _cased(text: str, *, own: bool) -> str:
    """What is about the speaker starts small, the rest with a capital, so that a reader of the note can tell."""
    if not own:
        return text[:1].upper() + text[1:]
    first = text.split(" ", 1)[0]
    return (
        text[:1].lower() + text[1:] if first[1:] == first[1:].lower() and (is_common(first) or is_stop(first)) else text
    )


def _without_subject(piece: str) -> str:
    if have := _HAVE.match(piece):
        return ("had " if " had " in have[0].lower() else "has ") + piece[have.end() :]
    if _BE.match(piece):
        return _BE.sub("is ", piece, count=1) if not _WAS.match(piece) else _BE.sub("was ", piece, count=1)
    if _WANT.match(piece):
        return _WANT.sub("wants to ", piece)
    found = _SUBJECT.match(piece)
    if not found:
        return piece
    rest = piece[found.end() :]
    first, space, tail = rest.partition(" ")
    bare = _BARE_SUBJECT.fullmatch(found[0])
    return PRESENT.get(first.lower(), first) + space + tail if bare else rest


def shorten(text: str) -> str:
    """Drop articles, hedges and what hangs over behind the last joint that fits."""
    text = _DANGLING.sub("", text) if text.count(" ") > 5 else text
    text = _SPACE.sub(" ", _FILLER.sub("", text)).strip(" ,.;:!?-")
    text = text.replace(";", ",")
    parts = text.split(" ")
    if len(parts) > MOST_WORDS:
        text = _cut(text, parts)
    return _trim(text)


def _cut(text: str, parts: list[str]) -> str:
    limit = len(" ".join(parts[:MOST_WORDS]))
    floor = len(" ".join(parts[:5]))
    joints = [found.start() for found in _JOINT.finditer(text, floor, limit + 12)]
    fitting = [at for at in joints if at <= limit + 1]
    return text[: fitting[-1]] if fitting else text[:limit]


def _trim(text: str) -> str:
    parts = text.split(" ")
    while parts and parts[-1].lower().strip(",.'\"") in _EDGE:
        parts.pop()
    text = " ".join(parts).strip(" ,.;:-")
    if text.count('"') % 2:
        text = text.replace('"', "")
    return text.strip(" ,.;:-")


def _joined(found: list[Clause]) -> list[Clause]:
    """Append a relative or very short clause to the one before it."""
    out: list[Clause] = []
    for clause in found:
        first = clause.text.split(" ", 1)[0].lower()
        if out and first in ("which", "where", "who", "including", "like", "especially") and out[-1].kind == "fact":
            both = f"{out[-1].text}, {clause.text[:1].lower()}{clause.text[1:]}"
            if both.count(" ") < MOST_WORDS + 1:
                out[-1] = replace(out[-1], text=both)
            continue
        if out and _belongs(out[-1], clause):
            out[-1] = replace(out[-1], text=f"{out[-1].text}, {clause.text}")
        elif clause.text:
            out.append(clause)
    return out


def _belongs(before: Clause, clause: Clause) -> bool:
    """Whether two clauses of one sentence make one note."""
    told = before.kind == clause.kind == "fact" and before.own and clause.own
    return told and bool(clause.text) and (before.text + " " + clause.text).count(" ") < _PAIR


def _request(rest: str) -> list[Clause]:
    head = _SPLIT.split(rest.strip(" .!?"))[0]
    told = _possessions(rest)
    wish = shorten(head)
    return [Clause(f"looking for {wish}", "ask", own=False), *told] if wish else told


def _possessions(question: str) -> list[Clause]:
    """What a question gives away: "… wear to my sister's wedding in Hawaii" holds a fact."""
    found = _POSSESSION.search(question)
    told = []
    if found:
        text = shorten(_SPLIT.split(found[1].strip(" .!?"))[0])
        if sum(not is_common(word) for word in words(text)) >= 2:
            told.append(Clause(text, "given", own=True))
    return told


def _clip(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rstrip() + "…"


def is_half(text: str) -> bool:
    """Whether a clause has too little in it, or starts too late, to stand alone."""
    return _HALF.match(text) is not None or sum(not is_stop(word) for word in words(text)) < 2
