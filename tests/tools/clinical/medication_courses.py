"""What each rule of medication safety with further findings rests on, and its limits on both sides.

The man is 60 years old; eGFR bounds are written as the creatinine in mg/dL that meets them by CKD-EPI 2021.
"""

from courses import Code, Course, Dose, Fact, Lab, Order, Sign

WRONG = {
    "diabetes": (("25000", True), ("2490", False)),
    "heart_failure": (("428", True), ("4299", False)),
    "kidney_disease": (("5853", True), ("586", False)),
    "cancer": (("1629", True), ("2113", False)),
    "coronary_disease": (("41401", True), ("4150", False)),
    "atrial_fibrillation": (("42731", True), ("42732", False)),
}
CODES = {
    "diabetes": "E119",
    "heart_failure": "I5022",
    "kidney_disease": "N184",
    "cancer": "C3490",
    "coronary_disease": "I2510",
    "atrial_fibrillation": "I4891",
}
BILIRUBIN = (0.0, 1.5)


def coded(name: str) -> dict[str, tuple[Fact, ...]]:
    return {name: (Code(0, CODES[name]),)}


def codes(name: str) -> tuple[tuple[str, tuple[Fact, ...], bool], ...]:
    """List ICD-9 codes that do and do not stand for a condition."""
    return tuple((name, (Code(0, code, 9),), holds) for code, holds in WRONG[name])


def potassium(value: float) -> tuple[Lab, ...]:
    return (Lab(0, "potassium", value),)


def creatinine(value: float, hours: float = 24) -> tuple[Lab, ...]:
    return (Lab(hours, "creatinine", value),)


def platelets(value: float, hours: float = 0) -> tuple[Lab, ...]:
    return (Lab(hours, "platelets", value),)


def gap(chloride: float) -> tuple[Lab, ...]:
    """Sodium 140 and this chloride: with a bicarbonate of 17 the gap is 123 less the chloride."""
    return Lab(0, "sodium", 140.0), Lab(0, "chloride", chloride)


def refused(name: str, drug: str, *others: str) -> tuple[tuple[str, tuple[Fact, ...], bool], ...]:
    """List what does not count as given: a dose not given, other drugs."""
    return ((name, (Dose(3, drug, "Not Given"),), False), *((name, (Dose(3, o),), False) for o in others))


ORDERS: dict[str, Order] = {
    "nsaid_ras_inhibitor_diuretic": Order(20, "Ibuprofen", "400"),
    "arb_beside_ace_inhibitor": Order(20, "Losartan Potassium", "50"),
    "lithium_above_range_thiazide": Order(20, "Lithium Carbonate", "300"),
    "apixaban_age_and_creatinine_reduce": Order(20, "Apixaban", "5", doses_a_day=2),
    "apixaban_age_alone_continue": Order(20, "Apixaban", "5", doses_a_day=2),
    "azathioprine_leukopenia_beside_allopurinol": Order(20, "AzaTHIOprine", "50"),
    "amiodarone_second_qt_drug_hypokalemia": Order(20, "Amiodarone", "200"),
    "statin_mild_alt_rise_continue": Order(20, "Atorvastatin", "40"),
    "warfarin_amiodarone_inr_reduce": Order(20, "Warfarin", "5"),
    "nsaid_beside_warfarin": Order(20, "Ibuprofen", "400"),
    "sglt2_inhibitor_gap_acidosis": Order(20, "empagliflozin", "10"),
    "ras_inhibitor_small_creatinine_rise_continue": Order(20, "Lisinopril", "10"),
    "dapagliflozin_heart_failure_continue": Order(20, "dapagliflozin", "10"),
    "enoxaparin_treatment_dose_low_egfr": Order(20, "Enoxaparin Sodium", "60", route="SC", doses_a_day=2),
    "enoxaparin_platelets_25_in_cancer": Order(20, "Enoxaparin Sodium", "40", route="SC"),
    "enoxaparin_mild_thrombocytopenia_continue": Order(20, "Enoxaparin Sodium", "40", route="SC"),
    "ras_inhibitor_low_egfr_continue": Order(20, "Lisinopril", "10"),
    "potassium_chloride_beside_mra": Order(20, "Potassium Chloride", "20", "mEq"),
    "loop_diuretic_small_creatinine_rise_continue": Order(20, "Furosemide", "40"),
}
"""The order each rule is about."""

COURSES: dict[str, Course] = {
    "nsaid_ras_inhibitor_diuretic": Course(
        (1.37, 2.4),
        (1.36, 2.41),
        {"angiotensin_drug": (Order(20, "Lisinopril"),), "diuretic": (Dose(6, "Furosemide"),)},
        edges=(
            ("angiotensin_drug", (Order(20, "Valsartan"),), True),
            ("angiotensin_drug", (Order(20, "Lisinopril", stopped=True),), False),
            ("angiotensin_drug", (Order(20, "Amlodipine"),), False),
            *refused("diuretic", "Furosemide", "Spironolactone"),
        ),
    ),
    "arb_beside_ace_inhibitor": Course(
        (5.1,),
        (5.0,),
        {"second_blocker": (Order(20, "Lisinopril"),), **coded("diabetes")},
        edges=(
            ("second_blocker", (Order(20, "Lisinopril", stopped=True),), False),
            ("second_blocker", (Order(20, "Valsartan"),), False),
            *codes("diabetes"),
        ),
    ),
    "lithium_above_range_thiazide": Course(
        (1.3, 1.5),
        (1.2, 1.6),
        {"diuretic": (Dose(6, "Hydrochlorothiazide"),)},
        edges=refused("diuretic", "Hydrochlorothiazide", "Furosemide"),
    ),
    "apixaban_age_and_creatinine_reduce": Course(
        (1.5,),
        (1.4,),
        coded("atrial_fibrillation"),
        breaks={"venous_thrombosis": (Code(0, "I2699"),)},
        edges=(*codes("atrial_fibrillation"), ("venous_thrombosis", (Code(0, "45341", 9),), False)),
        anchor_age=80,
    ),
    "apixaban_age_alone_continue": Course(
        (1.2, 1.4),
        (1.1, 1.5),
        {"weight": (Sign(6, "weight_kg", 60.1),), **coded("atrial_fibrillation")},
        breaks={"venous_thrombosis": (Code(0, "I82401"),)},
        edges=(
            ("weight", (Sign(6, "weight_kg", 61.0),), True),
            ("weight", (Sign(6, "weight_kg", 60.0),), False),
            ("venous_thrombosis", (Code(0, "41519", 9),), False),
            *codes("atrial_fibrillation"),
        ),
        anchor_age=80,
    ),
    "azathioprine_leukopenia_beside_allopurinol": Course(
        (3.4,),
        (3.5,),
        {"gout_drug": (Dose(6, "Allopurinol"),)},
        edges=(
            ("gout_drug", (Dose(6, "Febuxostat"),), True),
            *refused("gout_drug", "Allopurinol", "Colchicine"),
        ),
    ),
    "amiodarone_second_qt_drug_hypokalemia": Course(
        (3.4,),
        (3.5,),
        {"second_drug": (Dose(6, "Haloperidol"),)},
        edges=(
            ("second_drug", (Dose(6, "Azithromycin"),), True),
            *refused("second_drug", "Haloperidol", "Amiodarone", "CefTRIAXone"),
        ),
    ),
    "statin_mild_alt_rise_continue": Course(
        (41.0, 120.0),
        (40.0, 121.0),
        {"bilirubin": (Lab(0, "bilirubin_total", 1.5, BILIRUBIN),), **coded("coronary_disease")},
        edges=(
            ("bilirubin", (Lab(0, "bilirubin_total", 0.6, BILIRUBIN),), True),
            ("bilirubin", (Lab(0, "bilirubin_total", 1.6, BILIRUBIN),), False),
            *codes("coronary_disease"),
        ),
    ),
    "warfarin_amiodarone_inr_reduce": Course(
        (3.1, 4.5),
        (3.0, 4.6),
        {"interacting": (Dose(6, "Amiodarone"),)},
        edges=refused("interacting", "Amiodarone", "Metoprolol Tartrate"),
    ),
    "nsaid_beside_warfarin": Course(
        (2.0,),
        (1.9,),
        {"anticoagulant": (Dose(6, "Warfarin"),)},
        edges=refused("anticoagulant", "Warfarin", "Apixaban"),
    ),
    "sglt2_inhibitor_gap_acidosis": Course(
        (17.0,),
        (18.0,),
        {"gap": gap(110), **coded("diabetes")},
        edges=(("gap", gap(111), False), *codes("diabetes")),
    ),
    "ras_inhibitor_small_creatinine_rise_continue": Course(
        (1.3, 2.6),
        (1.2, 3.1),
        {"potassium": potassium(5.5), **coded("heart_failure")},
        edges=(("potassium", potassium(5.6), False), *codes("heart_failure")),
        resting=("course", "filtration"),
    ),
    "dapagliflozin_heart_failure_continue": Course(
        (1.74, 2.8),
        (1.73, 2.81),
        coded("heart_failure"),
        edges=codes("heart_failure"),
    ),
    "enoxaparin_treatment_dose_low_egfr": Course(
        (2.45,),
        (2.44,),
        {"platelets": platelets(50), **coded("kidney_disease")},
        edges=(("platelets", platelets(49), False), *codes("kidney_disease")),
    ),
    "enoxaparin_platelets_25_in_cancer": Course(
        (24.0,),
        (25.0,),
        coded("cancer"),
        edges=codes("cancer"),
    ),
    "enoxaparin_mild_thrombocytopenia_continue": Course(
        (100.0, 149.0),
        (99.0, 150.0),
        {"course": platelets(140, 48)},
        edges=(("course", platelets(141, 48), False),),
    ),
    "ras_inhibitor_low_egfr_continue": Course(
        (2.45, 4.29),
        (2.44, 4.3),
        {"potassium": potassium(5.0), **coded("kidney_disease")},
        edges=(("potassium", potassium(5.1), False), *codes("kidney_disease")),
        resting=("course",),
    ),
    "potassium_chloride_beside_mra": Course(
        (5.0, 5.4),
        (4.9, 5.5),
        {"sparing": (Dose(6, "Spironolactone"),), **coded("heart_failure")},
        edges=(*refused("sparing", "Spironolactone", "Furosemide"), *codes("heart_failure")),
    ),
    "loop_diuretic_small_creatinine_rise_continue": Course(
        (1.3, 3.0),
        (1.2, 3.1),
        {"potassium": potassium(3.5), **coded("heart_failure")},
        edges=(("potassium", potassium(3.4), False), *codes("heart_failure")),
        resting=("course",),
    ),
}

EARLIER: dict[str, tuple[tuple[float, bool], ...]] = {
    "ras_inhibitor_small_creatinine_rise_continue": ((0.1, True), (0.2, True), (0.0, False), (0.3, False)),
    "loop_diuretic_small_creatinine_rise_continue": ((0.1, True), (0.2, True), (0.0, False), (0.3, False)),
    "ras_inhibitor_low_egfr_continue": ((0.2, True), (-0.2, True), (0.3, False), (-0.3, False)),
}
"""How much the creatinine may have risen since the day before, and whether the rule then holds."""
