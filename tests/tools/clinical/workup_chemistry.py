"""What each work-up rule about salts, acids, kidney, liver and heart rests on, and its limits on both sides."""

from courses import Code, Course, Lab, Order
from workup_blood import Edge, lab, no, yes

DIURETIC, LITHIUM = (Order(20, "Furosemide"),), (Order(20, "Lithium Carbonate"),)
HEART_FAILURE = (Code(0, "I5022"),)
HEARTS = (no("heart_failure", Code(0, "I2510")), yes("heart_failure", Code(0, "42822", 9)))
NORMAL = (0.5, 1.2)
LOW_SODIUM = {"sodium": lab("sodium", 134.0), "tonicity": lab("osmolality", 274.0)}
CONCENTRATED = {**LOW_SODIUM, "concentration": lab("osmolality_urine", 101.0)}
NOT_LOW = (no("sodium", *lab("sodium", 135.0)), no("tonicity", *lab("osmolality", 275.0)))
NOT_CONCENTRATED = (*NOT_LOW, no("concentration", *lab("osmolality_urine", 100.0)))
RISE = {"rise": (Lab(30, "creatinine", 1.7), Lab(0, "creatinine", 2.0))}
NO_RISE: tuple[Edge, ...] = (
    no("rise", Lab(30, "creatinine", 1.8), Lab(0, "creatinine", 2.0)),
    yes("rise", Lab(48, "creatinine", 1.7), Lab(0, "creatinine", 2.0)),
    no("rise", Lab(49, "creatinine", 1.7), Lab(0, "creatinine", 2.0)),
)


def excreted(creatinine: float) -> tuple[Lab, ...]:
    """Give a sodium of 140 and this creatinine of the urine."""
    return (*lab("sodium", 140.0), *lab("creatinine_urine", creatinine))


def gap(chloride: float, albumin: float = 4.0) -> tuple[Lab, ...]:
    """Give a sodium of 140; with a bicarbonate of 21 the gap is 119 less the chloride."""
    return (*lab("sodium", 140.0), *lab("chloride", chloride), *lab("albumin", albumin))


def gas(pco2: float) -> tuple[Lab, ...]:
    """Give a carbon dioxide; a bicarbonate of 21 calls for 39.5."""
    return lab("pco2_blood", pco2)


def compensation(pco2: float, *edges: Edge) -> Course:
    """Make the course of a compensation; the key result is a bicarbonate of 21."""
    return Course(
        holds=(21.0,),
        short=(22.0,),
        facts={
            "acidity": lab("ph_blood", 7.37),
            "ventilation": gas(pco2),
            "arterial": lab("po2_blood", 80.0),
        },
        edges=(
            *edges,
            no("acidity", *lab("ph_blood", 7.38)),
            no("arterial", *lab("po2_blood", 79.0)),
            yes("ventilation", Lab(1, "pco2_blood", pco2)),
            no("ventilation", Lab(1.02, "pco2_blood", pco2)),
        ),
    )


def osmoles(osmolality: float) -> tuple[Lab, ...]:
    """Give glucose and urea that make 290 with a sodium of 140."""
    return (*lab("glucose", 90.0), *lab("urea_nitrogen", 14.0), *lab("osmolality", osmolality))


def marker(*earlier: tuple[float, float]) -> tuple[Lab, ...]:
    """Give earlier values of the marker, so many hours before the draw."""
    return tuple(Lab(hours, "troponin_t", value) for hours, value in earlier)


ACID, NOT_ACID = {"acidity": lab("ph_blood", 7.37)}, no("acidity", *lab("ph_blood", 7.38))
URL, ALT, ALP = (0.0, 0.11), (0.0, 40.0), (40.0, 130.0)
STEADY: tuple[Edge, ...] = (
    yes("course", *marker((6, 0.15))),
    no("course", *marker((6, 0.16))),
    no("course", *marker((6, 0.09))),
    no("course", *marker((6, 0.14), (10, 0.09))),
    yes("course", *marker((3, 0.1))),
    no("course", *marker((2, 0.1))),
    no("course", *marker((25, 0.1))),
)


def alp(value: float) -> tuple[Lab, ...]:
    return lab("alkaline_phosphatase", value, ALP)


HIGH_GAP = (
    no("gap", *gap(107.0)),
    no("gap", *gap(104.0)[:2], Lab(0.1, "albumin", 4.0)),
    no("gap", Lab(0.1, "sodium", 140.0), *gap(104.0)[1:]),
)
"""A gap of 12, and one whose albumin or sodium is of another draw; one just above 12 falls to the delta ratio."""
COURSES = {
    "hyponatremia_dilute_urine": Course(holds=(100.0,), short=(101.0,), facts=LOW_SODIUM, edges=NOT_LOW),
    "hyponatremia_urine_sodium_low": Course(
        holds=(30.0,), short=(31.0,), facts=CONCENTRATED, edges=NOT_CONCENTRATED
    ),
    "hyponatremia_antidiuresis": Course(
        holds=(31.0,),
        short=(30.0,),
        facts={**CONCENTRATED, "kidney": lab("creatinine", 1.2, NORMAL)},
        breaks={"diuretic": DIURETIC},
        edges=(
            *NOT_CONCENTRATED,
            no("kidney", *lab("creatinine", 1.3, NORMAL)),
            yes("kidney", *lab("creatinine", 0.5, NORMAL)),
            no("kidney", *lab("creatinine", 0.4, NORMAL)),
        ),
    ),
    "hyponatremia_diuretic_urine_unclear": Course(
        holds=(31.0,),
        short=(30.0,),
        facts={**CONCENTRATED, "diuretic": DIURETIC, "heart_failure": HEART_FAILURE},
        edges=(*NOT_CONCENTRATED, *HEARTS, no("diuretic", Order(20, "Spironolactone"))),
    ),
    "hyponatremia_high_glucose": Course(
        holds=(134.0,),
        short=(135.0, 133.0),
        facts={"corrected": lab("glucose", 200.0)},
        edges=(no("corrected", *lab("glucose", 162.0)),),
    ),
    "kidney_injury_prerenal": Course(
        holds=(19.0,),
        short=(20.0,),
        facts={**RISE, "excretion": excreted(100.0)},
        breaks={"diuretic": DIURETIC},
        edges=(*NO_RISE, yes("excretion", *excreted(29.0)), no("excretion", *excreted(27.0))),
    ),
    "kidney_injury_tubular": Course(
        holds=(41.0,),
        short=(40.0,),
        facts={**RISE, "excretion": excreted(15.0)},
        breaks={"diuretic": DIURETIC},
        edges=(*NO_RISE, yes("excretion", *excreted(19.0)), no("excretion", *excreted(19.6))),
    ),
    "kidney_injury_diuretic_unclear": Course(
        holds=(41.0,),
        short=(40.0,),
        facts={**RISE, "diuretic": DIURETIC, "heart_failure": HEART_FAILURE},
        edges=(*NO_RISE, *HEARTS, no("diuretic", Order(20, "Hydrochlorothiazide"))),
    ),
    "acidosis_high_gap_lactate_normal": Course(
        holds=(21.0,),
        short=(22.0,),
        facts={**ACID, "gap": gap(104.0), "lactic": lab("lactate", 2.0)},
        edges=(
            NOT_ACID,
            *HIGH_GAP,
            no("lactic", *lab("lactate", 2.1)),
        ),
    ),
    "acidosis_high_gap_no_lactate": Course(
        holds=(17.0,),
        short=(18.0,),
        facts={"gap": gap(104.0)},
        breaks={"lactic": (Lab(2, "lactate", 1.5),)},
        edges=(*HIGH_GAP, no("gap", *gap(111.0))),
    ),
    "acidosis_normal_gap": Course(
        holds=(21.0,),
        short=(22.0,),
        facts={**ACID, "gap": gap(107.0)},
        edges=(NOT_ACID, no("gap", *gap(106.0)), no("gap", *gap(107.0, 3.9))),
    ),
    "acidosis_gap_hidden_by_albumin": Course(
        holds=(21.0,),
        short=(22.0,),
        facts={**ACID, "plain_gap": gap(107.0)[:2], "gap": lab("albumin", 2.8)},
        edges=(
            NOT_ACID,
            no("plain_gap", *gap(106.0)[:2]),
            no("gap", *lab("albumin", 4.0)),
            no("gap", Lab(0.1, "albumin", 2.8)),
        ),
    ),
    "acidosis_sglt2_near_normal_glucose": Course(
        holds=(17.0,),
        short=(18.0,),
        facts={
            "gap": gap(108.0),
            "glucose": lab("glucose", 199.0),
            "glucosuric": (Order(20, "Empagliflozin"),),
            "diabetes": (Code(0, "E119"),),
        },
        edges=(
            yes("gap", *gap(110.0)),
            no("gap", *gap(111.0)),
            no("glucose", *lab("glucose", 200.0)),
            no("glucosuric", Order(20, "MetFORMIN (Glucophage)")),
            yes("diabetes", Code(0, "25000", 9)),
            no("diabetes", Code(0, "E162")),
        ),
    ),
    "acidosis_compensation_adequate": compensation(
        40.0,
        yes("ventilation", *gas(41.0)),
        no("ventilation", *gas(42.0)),
        yes("ventilation", *gas(38.0)),
        no("ventilation", *gas(37.0)),
    ),
    "acidosis_compensation_failing": compensation(42.0, no("ventilation", *gas(41.0))),
    "acidosis_compensation_excess": compensation(37.0, no("ventilation", *gas(38.0))),
    "osmolal_gap_high_with_acidosis": Course(
        holds=(17.0,),
        short=(18.0,),
        facts={"osmolal_gap": osmoles(301.0), "gap": gap(109.0)},
        edges=(no("osmolal_gap", *osmoles(300.0)), yes("gap", *gap(110.0)), no("gap", *gap(111.0))),
    ),
    "osmolal_gap_normal_with_acidosis": Course(
        holds=(17.0,),
        short=(18.0,),
        facts={"osmolal_gap": osmoles(300.0), "gap": gap(109.0)},
        edges=(no("osmolal_gap", *osmoles(301.0)), yes("gap", *gap(110.0)), no("gap", *gap(111.0))),
    ),
    "troponin_rising_acute": Course(
        holds=(0.12,),
        short=(0.11,),
        facts={"course": marker((6, 0.05))},
        edges=(
            yes("course", *marker((6, 0.09))),
            no("course", *marker((6, 0.1))),
            yes("course", *marker((3, 0.05))),
            no("course", *marker((2, 0.05))),
            no("course", *marker((25, 0.05))),
            yes("course", *marker((20, 0.09), (6, 0.05))),
            no("course", *marker((20, 0.1), (6, 0.05))),
            yes("course", *marker((12, 0.05), (8, 0.1), (4, 0.1))),
            no("course", *marker((12, 0.05), (8, 0.1), (4, 0.09))),
        ),
        key_limits=URL,
    ),
    "troponin_steady_chronic": Course(
        holds=(0.12,), short=(0.11,), facts={"course": marker((6, 0.1))}, edges=STEADY, key_limits=URL
    ),
    "troponin_steady_kidney_disease_heparin": Course(
        holds=(0.12,),
        short=(0.11,),
        facts={
            "course": marker((6, 0.1)),
            "anticoagulant": (Order(5, "Heparin Sodium", route="IV DRIP"),),
            "kidney_disease": (Code(0, "N184"),),
        },
        edges=(
            *STEADY,
            no("anticoagulant", Order(5, "Heparin", route="SC")),
            yes("kidney_disease", Code(0, "5853", 9)),
            no("kidney_disease", Code(0, "N182")),
        ),
        key_limits=URL,
    ),
    "liver_injury_hepatocellular": Course(
        holds=(201.0,),
        short=(200.0,),
        facts={"proportion": alp(130.0)},
        edges=(no("proportion", *alp(131.0)), no("proportion", Lab(0.1, "alkaline_phosphatase", 130.0, ALP))),
        key_limits=ALT,
    ),
    "liver_injury_cholestatic": Course(
        holds=(261.0,),
        short=(260.0,),
        facts={"proportion": lab("alt", 160.0, ALT)},
        edges=(no("proportion", *lab("alt", 161.0, ALT)),),
        key_limits=ALP,
    ),
    "liver_injury_mixed": Course(
        holds=(201.0,),
        short=(200.0,),
        facts={"proportion": alp(140.0)},
        edges=(
            yes("proportion", *alp(133.0)),
            no("proportion", *alp(130.0)),
            yes("proportion", *alp(318.0)),
            no("proportion", *alp(327.0)),
        ),
        key_limits=ALT,
    ),
    "lipase_above_three_times": Course(holds=(181.0,), short=(180.0,), facts={}, key_limits=(0.0, 60.0)),
    "amylase_high_lipase_normal": Course(
        holds=(101.0,),
        short=(100.0,),
        facts={"other_enzyme": lab("lipase", 60.0, (0.0, 60.0))},
        edges=(no("other_enzyme", *lab("lipase", 61.0, (0.0, 60.0))),),
        key_limits=(0.0, 100.0),
    ),
    "calcium_low_apparent": Course(
        holds=(8.3,),
        short=(8.4,),
        facts={"corrected": lab("albumin", 3.8)},
        edges=(no("corrected", *lab("albumin", 3.9)), no("corrected", Lab(0.1, "albumin", 3.8))),
    ),
    "calcium_low_real": Course(
        holds=(8.3,),
        short=(8.4,),
        facts={"corrected": lab("albumin", 4.0)},
        edges=(no("corrected", *lab("albumin", 3.8)),),
    ),
    "hypercalcemia_hormone_high": Course(
        holds=(10.4,),
        short=(10.3,),
        facts={"hormone": lab("pth", 66.0, (15.0, 65.0))},
        edges=(no("hormone", *lab("pth", 65.0, (15.0, 65.0))),),
        key_limits=(8.4, 10.3),
    ),
    "hypercalcemia_hormone_low": Course(
        holds=(10.4,),
        short=(10.3,),
        facts={"hormone": lab("pth", 14.0, (15.0, 65.0))},
        edges=(no("hormone", *lab("pth", 15.0, (15.0, 65.0))),),
        key_limits=(8.4, 10.3),
    ),
    "natriuretic_peptide_below_300": Course(holds=(299.0,), short=(300.0,), facts={}),
    "natriuretic_peptide_above_1800": Course(holds=(1801.0,), short=(1800.0,), facts={}),
    "natriuretic_peptide_gray_zone_over_75": Course(
        holds=(300.0, 1800.0), short=(299.0, 1801.0), facts={}, anchor_age=76
    ),
    "hypernatremia_dilute_urine": Course(
        holds=(299.0,),
        short=(300.0,),
        facts={"sodium": lab("sodium", 148.0)},
        breaks={"lithium": LITHIUM},
        edges=(no("sodium", *lab("sodium", 147.0)),),
    ),
    "hypernatremia_concentrated_urine": Course(
        holds=(801.0,),
        short=(800.0,),
        facts={"sodium": lab("sodium", 148.0)},
        edges=(no("sodium", *lab("sodium", 147.0)),),
    ),
    "hypernatremia_dilute_urine_lithium": Course(
        holds=(299.0,),
        short=(300.0,),
        facts={"sodium": lab("sodium", 148.0), "lithium": LITHIUM, "mood": (Code(0, "F319"),)},
        edges=(
            no("sodium", *lab("sodium", 147.0)),
            no("mood", Code(0, "F329")),
            yes("mood", Code(0, "29650", 9)),
        ),
    ),
}
