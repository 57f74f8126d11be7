"""What each rule about the home list rests on, and its limits on both sides."""

from courses import Code, Course, Home, Lab, Ordered

from tools.clinical.egfr import egfr_ckd_epi_2021

STEPS = range(50, 900)
HEART_FAILURE, KIDNEY, FIBRILLATION = (Code(0, "I5022"),), (Code(0, "N183"),), (Code(0, "I480"),)
METFORMIN, GLIPIZIDE, LISINOPRIL = (Home(0, "metformin"),), (Home(0, "glipizide"),), (Home(0, "lisinopril"),)


def filtering(at_least: float) -> float:
    """Give the highest creatinine, to 0.01 mg/dL, of a man of 60 whose eGFR is still ``at_least``."""
    return max(step / 100 for step in STEPS if egfr_ckd_epi_2021(step / 100, 60, "M") >= at_least)


def beyond(below: float) -> float:
    """Give his lowest creatinine whose eGFR is under ``below`` as it is and rounded to a whole number."""
    return min(step / 100 for step in STEPS if round(egfr_ckd_epi_2021(step / 100, 60, "M")) < below)


def more(creatinine: float) -> float:
    """Give the next creatinine."""
    return round(creatinine + 0.01, 2)


def less(creatinine: float) -> float:
    """Give the creatinine before."""
    return round(creatinine - 0.01, 2)


def steady(hours: float, analyte: str, value: float, most: float) -> tuple[tuple[Lab, ...], tuple[Lab, ...]]:
    """Give an earlier result that has moved by ``most``, and one that has moved by a step more."""
    return (Lab(hours, analyte, round(value - most, 2)),), (
        Lab(hours, analyte, round(value - most - 0.1, 2)),
    )


HEMOGLOBIN, BLED = steady(70, "hemoglobin", 10.0, 1.9)
COURSES = {
    "home_metformin_egfr_below_30_withhold": Course(
        holds=(beyond(30),),
        short=(less(beyond(30)),),
        facts={"home_tablet": METFORMIN},
        edges=(("home_tablet", GLIPIZIDE, False),),
    ),
    "home_metformin_egfr_45_resume": Course(
        holds=(filtering(45),),
        short=(more(filtering(45)),),
        facts={"home_tablet": METFORMIN},
        breaks={"ward_order": (Ordered(24, "MetFORMIN (Glucophage)"),)},
    ),
    "home_glyburide_low_egfr_withhold": Course(
        holds=(beyond(60),),
        short=(less(beyond(60)),),
        facts={"home_tablet": (Home(0, "glyburide"),)},
        edges=(("home_tablet", GLIPIZIDE, False),),
    ),
    "home_glipizide_low_egfr_resume": Course(
        holds=(filtering(30), beyond(60)),
        short=(more(filtering(30)), less(beyond(60))),
        facts={"home_tablet": GLIPIZIDE, "glucose": (Lab(0, "glucose", 140.0),)},
        edges=tuple(
            ("glucose", (Lab(0, "glucose", value),), holds)
            for value, holds in ((100.0, True), (180.0, True), (99.0, False), (181.0, False))
        ),
    ),
    "home_acetaminophen_egfr_below_30_resume": Course(
        holds=(beyond(30),),
        short=(less(beyond(30)),),
        facts={"home_analgesic": (Home(0, "acetaminophen"),)},
        breaks={"others": (Home(0, "naproxen"),)},
    ),
    "home_nsaid_egfr_below_30_withhold": Course(
        holds=(beyond(30),),
        short=(less(beyond(30)),),
        facts={"home_analgesic": (Home(0, "ibuprofen"),)},
        edges=(("home_analgesic", (Home(0, "acetaminophen"),), False),),
    ),
    "home_nsaid_with_ras_inhibitor_withhold": Course(
        holds=(filtering(30), beyond(60)),
        short=(more(filtering(30)), less(beyond(60))),
        facts={
            "home_analgesic": (Home(0, "naproxen"),),
            "blocker": (Ordered(24, "Lisinopril"),),
            "kidney_disease": KIDNEY,
        },
        edges=(
            ("blocker", (Ordered(24, "Amlodipine"),), False),
            ("kidney_disease", (Code(0, "5853", 9),), True),
            ("kidney_disease", (Code(0, "N184"),), False),
        ),
    ),
    "home_ras_inhibitor_potassium_above_5_5_withhold": Course(
        holds=(5.6,),
        short=(5.5,),
        facts={"home_blocker": LISINOPRIL},
        edges=(
            ("home_blocker", (Home(0, "losartan"),), True),
            ("home_blocker", (Home(0, "amlodipine"),), False),
        ),
    ),
    "home_ras_inhibitor_heart_failure_resume": Course(
        holds=(5.0,),
        short=(5.1,),
        facts={
            "home_blocker": LISINOPRIL,
            "heart_failure": HEART_FAILURE,
            "filtration": (Lab(0, "creatinine", filtering(30)),),
        },
        breaks={"ward_order": (Ordered(24, "Valsartan"),)},
        edges=(
            ("filtration", (Lab(0, "creatinine", more(filtering(30))),), False),
            ("heart_failure", (Code(0, "I5032"),), False),
            ("heart_failure", (Code(0, "42822", 9),), True),
        ),
    ),
    "home_mra_potassium_above_6_withhold": Course(
        holds=(6.1,),
        short=(6.0,),
        facts={"home_sparing": (Home(0, "spironolactone"),)},
        edges=(("home_sparing", LISINOPRIL, False),),
    ),
    "home_mra_heart_failure_potassium_above_5_5_reduce": Course(
        holds=(5.6, 6.0),
        short=(5.5, 6.1),
        facts={"home_sparing": (Home(0, "spironolactone"),), "heart_failure": HEART_FAILURE},
        edges=(("heart_failure", (Code(0, "4280", 9),), True), ("heart_failure", KIDNEY, False)),
    ),
    "home_thiazide_sodium_below_130_withhold": Course(
        holds=(129.0,),
        short=(130.0,),
        facts={"home_blocker": (Home(0, "hydrochlorothiazide"),)},
        edges=(("home_blocker", (Home(0, "furosemide"),), False),),
    ),
    "home_warfarin_inr_2_to_3_resume": Course(
        holds=(2.4, 2.0, 3.0),
        short=(1.9, 3.1),
        facts={"home_thinner": (Home(0, "warfarin"),)},
        breaks={"mechanical_valve": (Code(0, "Z952"),)},
    ),
    "home_warfarin_inr_above_4_5_withhold": Course(
        holds=(4.6, 9.9),
        short=(4.5, 10.0),
        facts={"home_thinner": (Home(0, "warfarin"),)},
    ),
    "home_anticoagulant_fibrillation_resume": Course(
        holds=(10.0,),
        short=(7.0,),
        anchor_age=75,
        facts={"home_thinner": (Home(0, "apixaban"),), "fibrillation": FIBRILLATION, "course": HEMOGLOBIN},
        breaks={"ward_order": (Ordered(24, "Enoxaparin (Treatment)"),)},
        edges=(
            ("course", BLED, False),
            ("fibrillation", (Code(0, "42731", 9),), True),
            ("fibrillation", (Code(0, "I4892"),), False),
            ("home_thinner", (Home(0, "warfarin"),), False),
        ),
    ),
    "home_digoxin_level_in_range_resume": Course(
        holds=(0.5, 0.9),
        short=(0.4, 1.0),
        facts={"home_heart_tablet": (Home(0, "digoxin"),), "heart_failure": HEART_FAILURE},
    ),
    "home_digoxin_level_above_2_withhold": Course(
        holds=(2.1,),
        short=(2.0,),
        facts={"home_heart_tablet": (Home(0, "digoxin"),)},
    ),
}
