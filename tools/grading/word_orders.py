"""Figures told in other orders of words, brought to the one they go by: "the gap, once corrected for albumin"."""

import re

_GAP = r"(?:(?:serum )?anion gap|\bAG\b|\bgap\b)"
_ALBUMIN = r"(?:(?:the|his|her|their|low|serum|measured|hypo)[ -]?)*alb(?:umin(?:a?emia)?)?\b"
_CORRECTED = r"(?:corr(?:ected)?|adj(?:usted)?)\b\.?"
_FOR = rf"(?:(?:once|when|after|if) )?(?:correct(?:ed|ing|ion)|adjust(?:ed|ing|ment)) for {_ALBUMIN}"
_FIGURE = r"\d++(?:\.\d++)?+(?: m(?:Eq|mol)/L)?+"
_NO_FIGURE = rf"(?![^.;\n\d]{{0,30}}{_FIGURE}(?! (?:as reported|as measured|uncorrected|before)))"
"""After "corrected for albumin": the figure before is the corrected one, where no other follows."""
_IS = "(?:is|was|of|at|comes to|comes out at|=)"
_EN = "albumin-corrected anion gap"
_ZH = "校正阴离子间隙"
_GAP_ZH = r"(?:血清?)?(?:阴离子间隙|(?<![A-Za-z])AG(?![A-Za-z]))"
_ORDERS = tuple(
    (re.compile(pattern, re.IGNORECASE), told)
    for pattern, told in (
        (rf"{_FOR},? (?:the |her |his |it is an? )?{_GAP}", _EN),
        (rf"{_GAP},? \(?{_FOR}\)?(?=,? (?:is|was|of|at|comes|came|=)|[:=]|,? ?\d)", _EN),
        (rf"({_GAP}[^.;\n\d]{{0,15}}{_FIGURE})(?:,| and| or|,? \() ?({_FIGURE}) {_FOR}", rf"\1, {_EN} \2"),
        (rf"{_GAP}( {_IS}|:)? ({_FIGURE}),? \(?{_FOR}{_NO_FIGURE}", rf"{_EN}\1 \2"),
        (rf"{_GAP},? \(?(?:after|with) {_ALBUMIN} (?:correction|adjustment)\)?", _EN),
        (rf"{_GAP},? ?\(?alb(?:umin)?[ -]{_CORRECTED}\)?", _EN),
        (rf"\balb(?:umin)?[ -]{_CORRECTED} (?:(?:serum )?anion gap|AG|gap)\b", _EN),
        (rf"(?:经|按|用|以)?低?白蛋白(?:校正|矫正)(?:过|之?后)?[的之]?{_GAP_ZH}", _ZH),
        (rf"(?:校正|矫正)(?:过|之?后)[的之]?{_GAP_ZH}", _ZH),
        (
            rf"{_GAP_ZH}[,(]?(?:经|按|用|以)?低?白蛋白(?:校正|矫正)(?:过|之?后)?\)?(?=[为是:=约,\s]{{0,3}}\d)",
            _ZH,
        ),
        (r"(?<![和及与、])尿液?[,:]\s?渗透压", "尿渗透压"),
        (r"\bU[- ]?osmo?\b|\burin(?:e|ary) osms?\b", "urine osmolality"),
        (r"糖化(?!血红蛋白|率|终|物|白蛋白|清蛋白|血清)(?=[^\n]{0,12}\d)", "糖化血红蛋白"),
        (r"血里(?:面)?的?(?=[钾钠氯钙镁磷])", "血"),
    )
)


def in_order(text: str) -> str:
    """Rewrite the names of figures that other words stand between."""
    for pattern, told in _ORDERS:
        text = pattern.sub(told, text)
    return text
