"""What each rule about antibiotics rests on, and its limits on both sides."""

from dataclasses import replace

from courses import Code, Course, Dose, Fact, Facts, Grown, Order, Sign, doses

E_COLI, KLEBSIELLA, STAPH = "ESCHERICHIA COLI", "KLEBSIELLA PNEUMONIAE", "STAPH AUREUS COAG +"
BLOOD, SPUTUM, URINE = "BLOOD CULTURE", "SPUTUM", "URINE"
NO_GROWTH = (Grown(60, BLOOD, None, comment="NO GROWTH.  "),)
ESBL = Grown(60, BLOOD, E_COLI, ("MEROPENEM",), ("CEFTRIAXONE",))
CALM = {"holds": (4.0, 12.0), "short": (3.9, 12.1)}
HIGH = {"holds": (12.1,), "short": (12.0,)}
NEUTROPENIC = {"holds": (0.49,), "short": (0.5,)}
FEVER = (
    ("fever", (Sign(1, "temperature_c", 38.3),), True),
    ("fever", (Sign(1, "temperature_c", 38.2),), False),
    ("fever", (Sign(5, "temperature_c", 39.0), Sign(1, "temperature_c", 37.0)), False),
)


def isolate(*right: Grown, wrong: tuple[Grown, ...]) -> tuple[tuple[str, tuple[Grown, ...], bool], ...]:
    """List cultures that do for the finding ``isolate`` and cultures that do not."""
    return tuple(("isolate", (culture,), culture in right) for culture in (*right, *wrong))


def standing(drug: str) -> Facts:
    """Give a drug that is ordered and was given."""
    return Order(70, drug, route="IV"), Dose(6, drug)


def given(*drugs: Fact, ordered: str = "CefePIME") -> Facts:
    """Give doses under an order that stands."""
    return Order(150, ordered), *drugs


def also_over(course: Course) -> Course:
    """Add that nothing holds once the order behind a treatment has ended."""
    ended = tuple(
        (
            name,
            tuple(replace(fact, stopped=True) if isinstance(fact, Order) else fact for fact in facts),
            False,
        )
        for name, facts in course.facts.items()
        if any(isinstance(fact, Order) for fact in facts)
    )
    return replace(course, edges=(*course.edges, *ended))


COURSES = {
    "susceptible_gram_negative_narrow": Course(
        **CALM,
        facts={
            "isolate": (Grown(60, URINE, E_COLI, ("CEFTRIAXONE",)),),
            "broad_drug": standing("CefePIME"),
        },
        breaks={
            "other_isolate": (Grown(60, SPUTUM, "PSEUDOMONAS AERUGINOSA"),),
            "resistant_isolate": (Grown(60, SPUTUM, "MORGANELLA MORGANII", (), ("CEFTRIAXONE",)),),
        },
        edges=(
            *isolate(
                Grown(60, BLOOD, KLEBSIELLA, ("CEFTRIAXONE",)),
                wrong=(Grown(60, URINE, E_COLI), Grown(60, URINE, "ENTEROBACTER CLOACAE", ("CEFTRIAXONE",))),
            ),
            ("broad_drug", given(Dose(6, "Meropenem", "Not Given"), ordered="Meropenem"), False),
            ("broad_drug", standing("CefTRIAXone"), False),
        ),
    ),
    "mssa_bacteremia_narrow": Course(
        **HIGH,
        facts={
            "isolate": (Grown(60, BLOOD, STAPH, ("OXACILLIN",)),),
            "present_drug": standing("Vancomycin"),
        },
        breaks={"beta_lactam": (Dose(8, "CeFAZolin"),)},
        edges=isolate(
            wrong=(
                Grown(60, BLOOD, STAPH, (), ("OXACILLIN",)),
                Grown(60, SPUTUM, STAPH, ("OXACILLIN",)),
                Grown(60, BLOOD, "STAPHYLOCOCCUS, COAGULASE NEGATIVE", ("OXACILLIN",)),
            )
        ),
    ),
    "mrsa_screen_negative_narrow": Course(
        **CALM,
        facts={
            "screen": (Grown(60, "MRSA SCREEN", None, comment="No MRSA isolated.  "),),
            "present_drug": standing("Vancomycin"),
        },
        breaks={
            "gram_positive": (Grown(60, SPUTUM, STAPH),),
            "bacteremia": (Grown(60, BLOOD, E_COLI),),
        },
        edges=(
            ("screen", (Grown(60, "MRSA SCREEN", "POSITIVE FOR METHICILLIN RESISTANT STAPH AUREUS"),), False),
            ("screen", (Grown(60, BLOOD, None, comment="NO GROWTH.  "),), False),
            ("gram_positive", (Grown(60, URINE, E_COLI),), True),
        ),
    ),
    "neutropenia_vancomycin_narrow": Course(
        **NEUTROPENIC,
        facts={
            "two_days": given(Dose(49, "Vancomycin"), Dose(1, "Vancomycin"), ordered="Vancomycin"),
            "blood_culture": NO_GROWTH,
        },
        breaks={"any_growth": (Grown(60, BLOOD, STAPH),)},
        edges=(
            ("two_days", given(Dose(48.9, "Vancomycin"), Dose(1, "Vancomycin"), ordered="Vancomycin"), False),
            ("two_days", given(Dose(94, "Vancomycin"), Dose(46, "Vancomycin"), ordered="Vancomycin"), True),
            (
                "two_days",
                given(Dose(49, "Vancomycin"), Dose(1, "Vancomycin", "Not Given"), ordered="Vancomycin"),
                False,
            ),
            ("blood_culture", (Grown(60, URINE, None, comment="NO GROWTH."),), False),
        ),
    ),
    "esbl_on_cephalosporin_broaden": Course(
        **HIGH,
        facts={"isolate": (ESBL,), "present_drug": standing("CefTRIAXone")},
        breaks={"carbapenem": (Dose(6, "Ertapenem Sodium"),)},
        edges=isolate(
            wrong=(
                Grown(60, BLOOD, E_COLI, ("MEROPENEM", "CEFTRIAXONE")),
                Grown(60, BLOOD, E_COLI, (), ("MEROPENEM", "CEFTRIAXONE")),
                Grown(60, URINE, E_COLI, ("MEROPENEM",), ("CEFTRIAXONE",)),
            )
        ),
    ),
    "esbl_on_piperacillin_broaden": Course(
        **CALM,
        facts={
            "isolate": (Grown(60, BLOOD, E_COLI, ("MEROPENEM", "PIPERACILLIN/TAZO"), ("CEFTRIAXONE",)),),
            "present_drug": standing("Piperacillin-Tazobactam"),
        },
        breaks={"carbapenem": (Dose(6, "Meropenem"),)},
        edges=isolate(
            wrong=(
                Grown(60, BLOOD, E_COLI, ("MEROPENEM", "PIPERACILLIN/TAZO", "CEFTRIAXONE")),
                ESBL,
                Grown(60, BLOOD, "PROTEUS MIRABILIS", ("MEROPENEM", "PIPERACILLIN/TAZO"), ("CEFTRIAXONE",)),
            )
        ),
    ),
    "pseudomonas_uncovered_broaden": Course(
        **HIGH,
        facts={
            "isolate": (Grown(60, SPUTUM, "PSEUDOMONAS AERUGINOSA", ("CEFEPIME",)),),
            "present_drug": standing("CefTRIAXone"),
        },
        breaks={"active_drug": (Dose(6, "Ciprofloxacin IV"),)},
        edges=isolate(
            Grown(60, BLOOD, "PSEUDOMONAS AERUGINOSA", ("CEFEPIME",)),
            wrong=(
                Grown(60, SPUTUM, "PSEUDOMONAS AERUGINOSA", (), ("CEFEPIME",)),
                Grown(60, URINE, "PSEUDOMONAS AERUGINOSA", ("CEFEPIME",)),
            ),
        ),
    ),
    "mrsa_uncovered_broaden": Course(
        **HIGH,
        facts={
            "isolate": (Grown(60, SPUTUM, STAPH, (), ("OXACILLIN",)),),
            "present_drug": standing("CefePIME"),
        },
        breaks={"active_drug": (Dose(30, "Vancomycin"),)},
        edges=isolate(
            wrong=(Grown(60, SPUTUM, STAPH, ("OXACILLIN",)), Grown(60, URINE, STAPH, (), ("OXACILLIN",)))
        ),
    ),
    "mrsa_bacteremia_keep": Course(
        **HIGH,
        facts={
            "isolate": (Grown(60, BLOOD, STAPH, ("VANCOMYCIN",), ("OXACILLIN",)),),
            "present_drug": standing("Vancomycin"),
        },
        edges=isolate(
            wrong=(
                Grown(60, BLOOD, STAPH, ("VANCOMYCIN", "OXACILLIN")),
                Grown(60, BLOOD, STAPH, (), ("VANCOMYCIN", "OXACILLIN")),
            )
        ),
    ),
    "yeast_in_sputum_keep": Course(
        **HIGH,
        facts={"isolate": (Grown(60, SPUTUM, "YEAST"),), "present_drug": standing("CefePIME")},
        beside=(Dose(47, "CefePIME"),),
        breaks={
            "antifungal": (Dose(30, "Micafungin"),),
            "invasive": (Grown(200, BLOOD, "CANDIDA ALBICANS"),),
        },
        edges=isolate(
            Grown(60, SPUTUM, "CANDIDA ALBICANS"), wrong=(Grown(60, URINE, "YEAST"), Grown(60, SPUTUM, STAPH))
        ),
    ),
    "neutropenic_fever_keep": Course(
        **NEUTROPENIC,
        facts={
            "fever": (Sign(1, "temperature_c", 38.5),),
            "present_drug": given(*doses("CefePIME", 60, 2, 8)),
            "blood_culture": NO_GROWTH,
        },
        breaks={
            "four_days": doses("CefePIME", 100, 2, 8),
            "any_growth": (Grown(60, URINE, E_COLI),),
            "vasopressor": (Dose(3, "NORepinephrine", "Started"),),
            "gram_positive_drug": (Dose(20, "Vancomycin"),),
        },
        edges=(
            *FEVER,
            ("four_days", (Dose(97.9, "CefePIME"),), True),
            ("four_days", (Dose(98, "CefePIME"),), False),
        ),
    ),
    "neutropenic_fever_day_four_broaden": Course(
        **NEUTROPENIC,
        facts={
            "fever": (Sign(1, "temperature_c", 38.5),),
            "four_days": given(Dose(98, "CefePIME"), Dose(2, "CefePIME")),
            "leukemia": (Code(0, "C9200"),),
        },
        breaks={"antifungal": (Dose(70, "Voriconazole"),), "gram_positive_drug": (Dose(20, "Vancomycin"),)},
        edges=(
            *FEVER,
            ("four_days", given(Dose(97.9, "CefePIME"), Dose(2, "CefePIME")), False),
            ("four_days", given(Dose(120, "Piperacillin-Tazobactam"), Dose(2, "CefePIME")), True),
            ("leukemia", (Code(0, "20500", 9),), True),
            ("leukemia", (Code(0, "C8200"),), False),
        ),
    ),
    "staph_aureus_bacteremia_go_on": Course(
        **CALM,
        facts={"isolate": (Grown(200, BLOOD, STAPH),), "present_drug": standing("CeFAZolin")},
        edges=isolate(wrong=(Grown(200, SPUTUM, STAPH), Grown(200, BLOOD, "STAPHYLOCOCCUS EPIDERMIDIS"))),
    ),
    "pneumonia_day_seven_complete": Course(
        **CALM,
        facts={
            "isolate": (Grown(170, SPUTUM, KLEBSIELLA),),
            "seven_days": given(*doses("CefePIME", 146, 2, 24)),
            "temperature": (Sign(1, "temperature_c", 37.0),),
        },
        breaks={"bacteremia": (Grown(170, BLOOD, KLEBSIELLA),)},
        edges=(
            ("seven_days", given(*doses("CefePIME", 145.9, 2, 24)), False),
            ("seven_days", given(*doses("CefePIME", 146, 2, 30)), False),
            ("temperature", (Sign(1, "temperature_c", 38.0),), True),
            ("temperature", (Sign(1, "temperature_c", 38.1),), False),
            ("temperature", (Sign(1, "temperature_c", 36.0),), True),
            ("temperature", (Sign(1, "temperature_c", 35.9),), False),
            *isolate(Grown(170, "BRONCHOALVEOLAR LAVAGE", STAPH), wrong=(Grown(170, SPUTUM, "YEAST"),)),
        ),
    ),
}
COURSES = {rule_id: also_over(course) for rule_id, course in COURSES.items()}
