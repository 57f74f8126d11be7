"""What each rule about chemistry, glucose and the circulation rests on, and its limits on both sides."""

from courses import Code, Course, Dose, Lab, Order, running

KCL, LASIX = "Potassium Chloride", "Furosemide"
POTASSIUM_BESIDE = (
    *(
        "Neutra-Phos",
        "Potassium Phosphate",
        "Potassium Phosphate Replacement (Oncology)",
        "Potassium Citrate",
    ),
    *("Potassium Chl 20 mEq / 1000 mL NS", "Lactated Ringers"),
)
"""What brings potassium and is not given for want of it."""
HEART_FAILURE, CIRRHOSIS, DIABETES = (Code(0, "I5022"),), (Code(0, "K7460"),), (Code(0, "E1010"),)
CODES = {
    "heart_failure": (("428", True), ("40291", True), ("40200", False)),
    "cirrhosis": (("5712", True), ("5715", True), ("5718", False)),
    "diabetes": (("25013", True), ("2510", False)),
}
STOPPED = (
    ("infusion", (*running("Insulin", 14, 3), Dose(1, "Insulin", "Stopped")), False),
    ("infusion", (Dose(3, "Insulin"),), False),
)
IN_RANGE, BELOW_RANGE = Lab(2, "magnesium", 1.8, (1.6, 2.6)), Lab(2, "magnesium", 1.5, (1.6, 2.6))


def coded(name: str) -> tuple[tuple[str, tuple[Code, ...], bool], ...]:
    """List ICD-9 codes that do and do not stand for a condition."""
    return tuple((name, (Code(0, code, 9),), holds) for code, holds in CODES[name])


def given(
    name: str, drug: str, others: tuple[str, ...] = ()
) -> tuple[tuple[str, tuple[Dose, ...], bool], ...]:
    """List what does and does not count as given: a dose not given, other drugs."""
    wrong = (Dose(3, drug, "Not Given"), Dose(3, drug, "Hold Dose"), *(Dose(3, other) for other in others))
    return tuple((name, (dose,), False) for dose in wrong)


def gap(chloride: float) -> tuple[Lab, ...]:
    """Sodium 140 and this chloride; the gap with a bicarbonate of 20 is 120 less the chloride."""
    return Lab(0, "sodium", 140.0), Lab(0, "chloride", chloride)


def buffers(now: float, first: float, second: float) -> tuple[Lab, ...]:
    """Give the bicarbonate now and those of thirteen and eleven hours before."""
    return Lab(0, "bicarbonate", now), Lab(13, "bicarbonate", first), Lab(11, "bicarbonate", second)


NO_SHIFT = given(
    "treatment",
    "Insulin (Regular) for Hyperkalemia",
    (
        *("Insulin", "Insulin Human Regular", "Insulin Regular Human (U-500)", "Calcium Gluconate"),
        *("Calcium Gluconate sliding scale (Critical Care-Ionized calcium)", "Calcium Chloride"),
    ),
)
"""Insulin for the sugar, and calcium, bring no potassium down."""
LOW = Lab(2, "bicarbonate", 11.0)
"""A buffer two hours earlier that says the same."""
DRIP = Order(4, "NORepinephrine", route="IV DRIP")
SUPPORT = (
    ("support", (DRIP, Dose(4, "NORepinephrine", "Started"), Dose(2, "NORepinephrine", "Stopped")), False),
    ("support", (DRIP, Dose(4, "NORepinephrine", "Started"), Dose(4, "Vasopressin", "Started")), False),
    ("support", (DRIP, Dose(4, "NORepinephrine", "Started"), Dose(3.9, "Vasopressin", "Started")), True),
    ("support", (DRIP, Dose(4, "NORepinephrine", "Started"), Dose(3, "Midodrine")), False),
)
"""Support that has stopped is none; begun in one minute, two drugs are two right answers."""
INTO_A_VEIN = (
    ("diuretic", (Dose(3, LASIX, route="IV BOLUS"),), True),
    ("diuretic", (Dose(3, LASIX, route="IV"), Dose(2.5, "Spironolactone")), False),
    *(("diuretic", (Dose(3, LASIX, route=route),), False) for route in ("PO", None)),
)


COURSES = {
    "potassium_still_low_repeat": Course(
        holds=(3.4,),
        short=(3.5,),
        facts={"replacement": (Dose(5, KCL),)},
        edges=given("replacement", KCL, (LASIX, *POTASSIUM_BESIDE)),
    ),
    "potassium_reached_enough": Course(
        holds=(4.0, 5.0),
        short=(3.9, 5.1),
        facts={"replacement": (Dose(5, KCL),)},
        breaks={"wasting": (Dose(40, "Hydrochlorothiazide"),)},
        edges=given("replacement", KCL, POTASSIUM_BESIDE),
    ),
    "heart_failure_potassium_repeat": Course(
        holds=(3.5, 3.9),
        short=(3.4, 4.0),
        facts={"replacement": (Dose(30, KCL),), "wasting": (Dose(5, LASIX),), "heart_failure": HEART_FAILURE},
        edges=(*coded("heart_failure"), *given("wasting", LASIX, ("Hydrochlorothiazide",))),
    ),
    "refractory_hypokalemia_magnesium": Course(
        holds=(3.4,),
        short=(3.5,),
        facts={"replacement": (Dose(30, KCL), Dose(5, KCL)), "magnesium": (BELOW_RANGE,)},
        breaks={"magnesium_given": (Dose(40, "Magnesium Oxide"),)},
        edges=(
            ("replacement", (Dose(5, KCL),), False),
            ("replacement", (Dose(30, "Neutra-Phos"), Dose(5, KCL)), False),
            ("magnesium_given", (Dose(40, "Magnesium Sulfate Replacement (Oncology)"),), False),
            ("replacement", (Dose(46, KCL), Dose(5, KCL)), True),
            ("replacement", (Dose(47, KCL), Dose(5, KCL)), False),
            ("replacement", (Dose(5, KCL), Dose(-0.5, KCL)), False),
            ("magnesium", (Lab(2, "magnesium", 1.6, (1.6, 2.6)),), False),
            ("magnesium", (IN_RANGE,), False),
        ),
    ),
    "refractory_hypokalemia_magnesium_normal": Course(
        holds=(3.4,),
        short=(3.5,),
        facts={"replacement": (Dose(30, KCL), Dose(5, KCL)), "magnesium": (IN_RANGE,)},
        edges=(
            ("replacement", (Dose(5, KCL),), False),
            ("replacement", (Dose(46, KCL), Dose(5, KCL)), True),
            ("magnesium", (BELOW_RANGE,), False),
            ("magnesium", (Lab(2, "magnesium", 1.6, (1.6, 2.6)),), True),
            ("magnesium", (Lab(2, "magnesium", 2.7, (1.6, 2.6)),), False),
        ),
    ),
    "ketoacidosis_closed_transition": Course(
        holds=(199.0,),
        short=(200.0,),
        facts={
            "infusion": running("Insulin", 14),
            "gap": gap(108.0),
            "acidosis": buffers(20.0, 9.0, 12.0),
            "hyperglycemia": (Lab(13, "glucose", 480.0),),
        },
        edges=(
            *STOPPED,
            ("gap", gap(107.0), False),
            ("acidosis", (*buffers(18.0, 17.0, 17.9), Lab(0, "chloride", 110.0)), True),
            ("acidosis", (*buffers(17.0, 9.0, 12.0), Lab(0, "chloride", 111.0)), False),
            ("acidosis", buffers(20.0, 17.0, 18.0), False),
            ("hyperglycemia", (Lab(13, "glucose", 251.0),), True),
            ("hyperglycemia", (Lab(13, "glucose", 250.0),), False),
        ),
    ),
    "ketoacidosis_open_go_on": Course(
        holds=(199.0,),
        short=(200.0,),
        facts={
            "infusion": running("Insulin", 14),
            "gap": gap(112.0),
            "acidosis": (Lab(0, "bicarbonate", 12.0), LOW),
            "potassium": (Lab(0, "potassium", 4.2),),
            "diabetes": DIABETES,
        },
        edges=(
            *STOPPED,
            ("gap", gap(115.0), True),
            ("gap", gap(116.0), False),
            ("acidosis", (Lab(0, "bicarbonate", 14.0), LOW), True),
            ("acidosis", (Lab(0, "bicarbonate", 15.0), LOW), False),
            ("acidosis", (Lab(0, "bicarbonate", 12.0),), False),
            ("acidosis", (Lab(0, "bicarbonate", 12.0), Lab(2, "bicarbonate", 25.0)), False),
            ("potassium", (Lab(0, "potassium", 3.5),), True),
            ("potassium", (Lab(0, "potassium", 3.4),), False),
            *coded("diabetes"),
        ),
    ),
    "ketoacidosis_potassium_pause": Course(
        holds=(3.4,),
        short=(3.5,),
        facts={
            "infusion": running("Insulin", 6),
            "acidosis": (Lab(0, "bicarbonate", 10.0), LOW),
            "hyperglycemia": (Lab(0, "glucose", 380.0),),
        },
        edges=(
            *STOPPED,
            ("acidosis", (Lab(0, "bicarbonate", 17.0), LOW), True),
            ("acidosis", (Lab(0, "bicarbonate", 18.0), LOW), False),
            ("acidosis", (Lab(0, "bicarbonate", 10.0), Lab(2, "bicarbonate", 25.0)), False),
            ("hyperglycemia", (Lab(0, "glucose", 200.0),), True),
            ("hyperglycemia", (Lab(0, "glucose", 199.0),), False),
        ),
    ),
    "steroid_hyperglycemia_step_up": Course(
        holds=(180.0,),
        short=(179.0,),
        facts={"steroid": (Dose(8, "PredniSONE"),), "persistent": (Lab(10, "glucose", 210.0),)},
        breaks={"insulin": (Dose(40, "Insulin"),)},
        edges=(
            ("persistent", (Lab(1, "glucose", 180.0),), True),
            ("persistent", (Lab(1, "glucose", 179.0),), False),
            ("persistent", (Lab(0.9, "glucose", 210.0),), False),
            ("persistent", (Lab(10, "glucose", 210.0), Lab(5, "glucose", 150.0)), False),
            ("persistent", (Lab(22, "glucose", 210.0),), True),
            ("persistent", (Lab(23, "glucose", 210.0),), False),
            *given("steroid", "PredniSONE"),
        ),
    ),
    "diabetes_steroid_insulin_step_up": Course(
        holds=(180.0,),
        short=(179.0,),
        facts={
            "steroid": (Dose(8, "Dexamethasone"),),
            "insulin": (Dose(6, "Insulin"),),
            "persistent": (Lab(10, "glucose", 210.0),),
            "diabetes": DIABETES,
        },
        edges=(
            ("persistent", (Lab(1, "glucose", 180.0),), True),
            ("persistent", (Lab(1, "glucose", 179.0),), False),
            ("persistent", (Lab(0.9, "glucose", 210.0),), False),
            ("persistent", (Lab(22, "glucose", 210.0),), True),
            ("persistent", (Lab(23, "glucose", 210.0),), False),
            *given("insulin", "Insulin"),
            *coded("diabetes"),
        ),
    ),
    "steroid_insulin_in_target_keep": Course(
        holds=(140.0, 180.0),
        short=(139.0, 181.0),
        facts={"steroid": (Dose(8, "Dexamethasone"),), "insulin": (Dose(6, "Insulin"),)},
        edges=(*given("insulin", "Insulin"), *given("steroid", "Dexamethasone")),
    ),
    "insulin_hypoglycemia_ease": Course(
        holds=(69.0,),
        short=(70.0,),
        facts={"insulin": (Dose(6, "Insulin"),)},
        edges=given("insulin", "Insulin"),
    ),
    "heart_failure_natriuresis_low_intensify": Course(
        holds=(49.0,),
        short=(50.0,),
        facts={"diuretic": (Dose(3, LASIX, route="IV"),), "heart_failure": HEART_FAILURE},
        breaks={"cirrhosis": CIRRHOSIS},
        edges=(*coded("heart_failure"), *INTO_A_VEIN, *given("diuretic", LASIX, ("Spironolactone",))),
    ),
    "heart_failure_natriuresis_good_keep": Course(
        holds=(71.0,),
        short=(70.0,),
        facts={"diuretic": (Dose(3, "Torsemide", route="IV"),), "heart_failure": HEART_FAILURE},
        breaks={"cirrhosis": CIRRHOSIS},
        edges=(*coded("heart_failure"), *INTO_A_VEIN, *given("diuretic", LASIX)),
    ),
    "cirrhosis_sodium_below_125_stop": Course(
        holds=(124.0,),
        short=(125.0,),
        facts={"diuretic": (Dose(20, "Spironolactone"),), "cirrhosis": CIRRHOSIS},
        edges=(*coded("cirrhosis"), *given("diuretic", LASIX, ("Hydrochlorothiazide",))),
    ),
    "cirrhosis_potassium_below_3_stop": Course(
        holds=(2.9,),
        short=(3.0,),
        facts={"diuretic": (Dose(20, LASIX),), "cirrhosis": CIRRHOSIS},
        edges=(*coded("cirrhosis"), *given("diuretic", LASIX, ("Spironolactone",))),
    ),
    "cirrhosis_sodium_126_keep": Course(
        holds=(126.0, 135.0),
        short=(125.0, 136.0),
        facts={
            "diuretic": (Dose(44, LASIX), Dose(20, LASIX)),
            "kidney": (Lab(0, "creatinine", 0.9, (0.5, 1.2)),),
            "potassium": (Lab(0, "potassium", 3.8),),
            "cirrhosis": CIRRHOSIS,
        },
        edges=(
            ("diuretic", (Dose(20, LASIX),), False),
            ("kidney", (Lab(0, "creatinine", 1.2, (0.5, 1.2)),), True),
            ("kidney", (Lab(0, "creatinine", 1.3, (0.5, 1.2)),), False),
            ("potassium", (Lab(0, "potassium", 3.0),), True),
            ("potassium", (Lab(0, "potassium", 2.9),), False),
            *coded("cirrhosis"),
        ),
    ),
    "hyperkalemia_persists_more": Course(
        holds=(6.5,),
        short=(6.4,),
        facts={"treatment": (Dose(4, "Insulin (Regular) for Hyperkalemia"),)},
        breaks={"drip": running("Insulin Human Regular", 9)},
        edges=(
            *NO_SHIFT,
            ("drip", (Dose(9, "Insulin Human Regular"),), True),
            *given("treatment", "Sodium Polystyrene Sulfonate", (LASIX,)),
        ),
    ),
    "hyperkalemia_settled_enough": Course(
        holds=(5.4,),
        short=(5.5,),
        facts={
            "treatment": (Dose(9, "Sodium Polystyrene Sulfonate"),),
            "before": (Lab(10, "potassium", 6.6),),
        },
        breaks={"drip": running("Insulin Human Regular", 9)},
        edges=(
            *NO_SHIFT,
            ("drip", (Dose(9.1, "Insulin Human Regular"),), True),
            ("drip", (Dose(9, "Insulin Human Regular"),), False),
            ("before", (Lab(10, "potassium", 6.6), Lab(6, "potassium", 5.6), Lab(3, "potassium", 5.6)), True),
            (
                "before",
                (Lab(10, "potassium", 6.6), Lab(6, "potassium", 5.6), Lab(3, "potassium", 5.7)),
                False,
            ),
            ("before", (Lab(10, "potassium", 6.1),), True),
            ("before", (Lab(10, "potassium", 6.0),), False),
            ("before", (Lab(24, "potassium", 6.6),), True),
            ("before", (Lab(24.1, "potassium", 6.6),), False),
            *given("treatment", "Sodium Polystyrene Sulfonate"),
        ),
    ),
    "sodium_rise_too_fast": Course(
        holds=(134.0,),
        short=(135.0,),
        facts={"rise": (Lab(20, "sodium", 115.0),), "fluid": (Dose(18, "Sodium Chloride"),)},
        edges=(
            ("rise", (Lab(20, "sodium", 123.0),), True),
            ("rise", (Lab(20, "sodium", 124.0),), False),
            ("rise", (Lab(24.1, "sodium", 115.0),), False),
            ("rise", (Lab(23, "sodium", 123.0), Lab(20, "sodium", 115.0)), True),
            ("rise", (Lab(23, "sodium", 124.0), Lab(20, "sodium", 115.0)), False),
            ("fluid", (Dose(18, "Sodium Chloride"), Dose(17, "Lactated Ringers")), False),
            *given("fluid", "Sodium Chloride", ("Sodium Chloride 0.9%  Flush",)),
        ),
    ),
    "sodium_rise_on_target": Course(
        holds=(126.0, 129.0),
        short=(136.0,),
        facts={
            "rise": (Lab(22, "sodium", 122.0),),
            "fluid": (Dose(18, "Sodium Chloride"),),
        },
        resting=("no_jump",),
        edges=(
            ("rise", (Lab(22, "sodium", 118.0),), True),
            ("rise", (Lab(22, "sodium", 117.0),), False),
            ("rise", (Lab(22, "sodium", 123.0),), False),
            ("rise", (Lab(24, "sodium", 122.0),), True),
            ("rise", (Lab(20, "sodium", 122.0),), True),
            ("rise", (Lab(19.9, "sodium", 122.0),), False),
            ("no_jump", (Lab(12, "sodium", 131.0),), False),
            ("no_jump", (Lab(10, "sodium", 118.0),), True),
            ("no_jump", (Lab(10, "sodium", 117.0),), False),
            ("no_jump", (Lab(48, "sodium", 117.0),), False),
            ("no_jump", (Lab(48.1, "sodium", 117.0),), True),
            *given("fluid", "Sodium Chloride"),
        ),
    ),
    "lactate_not_falling_step_up": Course(
        holds=(2.1,),
        short=(2.0,),
        facts={
            "support": (
                DRIP,
                Dose(4, "NORepinephrine", "Started"),
            ),
            "course": (Lab(4, "lactate", 2.1),),
        },
        edges=(
            ("course", (Lab(4, "lactate", 2.2),), False),
            ("course", (Lab(4, "lactate", 2.0),), False),
            *SUPPORT,
            ("course", (Lab(2, "lactate", 2.1),), True),
            ("course", (Lab(1.9, "lactate", 2.1),), False),
            ("course", (Lab(8.1, "lactate", 2.1),), False),
            *given("support", "NORepinephrine", ("Midodrine",)),
        ),
    ),
    "lactate_clearing_keep": Course(
        holds=(2.1, 10.0),
        short=(2.0, 10.1),
        facts={
            "support": (Order(4, "Phenylephrine", route="IV DRIP"), Dose(4, "Phenylephrine", "Started")),
            "course": (Lab(4, "lactate", 12.0),),
        },
        edges=(
            ("course", (Lab(7, "lactate", 2.4), Lab(4, "lactate", 4.0)), True),
            ("course", (Lab(7, "lactate", 2.3), Lab(4, "lactate", 4.0)), False),
            ("course", (Lab(7, "lactate", 6.0), Lab(5, "lactate", 2.4), Lab(4.5, "lactate", 2.4)), True),
            ("course", (Lab(7, "lactate", 6.0), Lab(5, "lactate", 2.4), Lab(4.5, "lactate", 2.5)), False),
            *SUPPORT,
            ("course", (Lab(4, "lactate", 2.4),), True),
            ("course", (Lab(4, "lactate", 2.3),), False),
            ("course", (Lab(2, "lactate", 4.0),), True),
            ("course", (Lab(1.9, "lactate", 4.0),), False),
            *given("support", "NORepinephrine"),
        ),
    ),
}
