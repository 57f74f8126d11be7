"""What shows each exclusion and each bar of the rules, and what nearly does."""

from courses import ADMITTED, DRAWN, HOUR, Code, Dose, Facts, Grown, Home, Lab, Order, Row, doses, set_at

from state.knowledge import Rule

EARLIER = Lab(24 * 80, "creatinine", 0.3)
"""A value of the year before the stay of which any later one is half as much again."""


def ordered(kind: str, subtype: str, hours: float = 2) -> Facts:
    return (Row(hours, "hosp.poe", {"order_type": kind, "order_subtype": subtype}, ("ordertime",)),)


def coded_now(code: str) -> Facts:
    """Code a diagnosis at the end of this stay."""
    row = {"icd_code": code, "icd_version": 10, "seq_num": 1}
    return (Row(0, "hosp.diagnoses_icd", row, ()),)


RED_CELLS = ordered("Blood Bank", "Red Cell Product Order")
SHOWN: dict[str, Facts] = {
    "dialysis": ordered("Hemodialysis", "Hemodialysis"),
    "unsteady_kidney": (EARLIER, Lab(150, "creatinine", 1.0)),
    "ventilated": (
        Row(2, "icu.procedureevents", {"itemid": 225792, "stay_id": 1}, ("starttime", "endtime")),
    ),
    "venous_gas": (
        Row(0, "hosp.labevents", {"itemid": 52033, "labevent_id": 900001, "value": "VEN."}, ("charttime",)),
    ),
    "shock": (Row(2, "icu.inputevents", {"itemid": 221906, "stay_id": 1}, ("starttime", "endtime")),),
    "pressor_in_flowsheet": (
        Row(2, "icu.inputevents", {"itemid": 221906, "stay_id": 1}, ("starttime", "endtime")),
    ),
    "bleeding": RED_CELLS,
    "transfused": RED_CELLS,
    "transfused_within_three_months": RED_CELLS,
    "operated": ordered("ADT orders", "Postop"),
    "procedure_ahead": ordered("Nutrition", "NPO/Diet for Procedure"),
    "liver_disease": (Code(0, "K7460"),),
    "pregnancy": (Code(0, "O0992"),),
    "marrow_or_consumption": (Code(0, "C9110"),),
    "shock_within_ten_days": (Dose(200, "NORepinephrine"),),
    "insulin_running": (Dose(10, "Insulin", "Started"),),
    "sepsis": coded_now("A419"),
    "other_liver_disease": (Code(0, "B182"),),
    "infarction": coded_now("I214"),
    "hypoxic_liver": coded_now("R570"),
    "insulin_lack": (Code(0, "E1065"),),
    "parenteral_nutrition": ordered("TPN", "Central TPN"),
    "sugar_given": (Dose(20, "Dextrose 50%"),),
    "red_cells_running": (
        Row(-0.5, "icu.inputevents", {"itemid": 225168, "stay_id": 1}, ("starttime", "endtime")),
    ),
    "potassium_shifted": (Dose(6.4, "Dextrose 50%"), Dose(6, "Insulin")),
    "fibrillation": coded_now("I4891"),
    "heparin_withheld": (Dose(4, "Heparin", "Hold Dose"),),
    "insulin_withheld": (Dose(4, "Insulin", "Not Given"),),
    "small_steroid": (Order(20, "PredniSONE", "9"),),
    "thyroid_dose_changed": (
        Order(24 * 50, "Levothyroxine Sodium", "25", "mcg"),
        Order(24 * 40, "Levothyroxine Sodium", "50", "mcg"),
    ),
    "renal_artery_stenosis": (Code(0, "I701"),),
    "vitamin_b12_given": (Dose(2000, "Cyanocobalamin"),),
    "blood_disease": (Code(0, "D471"),),
    "loop_diuretic_running": (Dose(10, "Furosemide", "Started"),),
    "red_cells_ordered": RED_CELLS,
    "operated_within_a_week": ordered("ADT orders", "Postop", 150),
    "procedure_lately": ordered("ADT orders", "Postop", 40),
    "staphylococcal_focus": (Row(0, "hosp.diagnoses_icd", {"icd_code": "L03311", "icd_version": 10}, ()),),
}
"""Facts that show each exclusion which rules name; test_exclusions.py tries each of its signs on both sides."""


def shown(name: str, rule: Rule) -> Facts:
    """Give the facts; where the key result is a creatinine, it is the one that has risen."""
    only_earlier = name == "unsteady_kidney" and rule.trigger.lab.analyte == "creatinine"
    return (EARLIER,) if only_earlier else SHOWN[name]


def lab(analyte: str, value: float, limits: tuple[float, float] | None = None) -> Facts:
    return (Lab(0, analyte, value, limits),)


def albumin(value: float) -> Facts:
    """Give a chloride of 107, which with a sodium of 140 and a bicarbonate of 21 is a gap of 12, and an albumin."""
    return (*lab("chloride", 107.0), *lab("albumin", value))


def redrawn(limits: tuple[float, float]) -> Facts:
    """Draw a sodium of 134 and a glucose again, after the key result."""
    return Lab(-0.1, "glucose", 200.0), Lab(-0.1, "sodium", 134.0, limits)


def risen(analyte: str, before: float, now: float, limits: tuple[float, float]) -> Facts:
    """Give a result two days before the draw and one beside it."""
    return Lab(40, analyte, before, limits), Lab(0, analyte, now, limits)


def reported_gap(value: float) -> Facts:
    return lab("anion_gap", value, (8.0, 20.0))


def running(drug: str) -> tuple[Facts, Facts]:
    """Give an order, and the same stopped."""
    return (Order(20, drug),), (Order(20, drug, stopped=True),)


def drawn_within(hours: float, drug: str) -> tuple[Facts, Facts]:
    """Give a dose just after so many hours before the draw, and one just then."""
    return (Dose(hours - 0.1, drug),), (Dose(hours, drug),)


def loaded(drug: str) -> tuple[Facts, Facts]:
    """Give an order for one dose two days before the draw, and one from before that."""
    return (Order(48, drug, once=True, stopped=True),), (Order(48.1, drug, once=True, stopped=True),)


def at_admission(drug: str) -> tuple[Facts, Facts]:
    """Give an order that began, and has ended, just within half a day of admission, and one just after."""
    admitted = (DRAWN - ADMITTED) / HOUR
    return (Order(admitted - 12, drug, stopped=True),), (Order(admitted - 12.1, drug, stopped=True),)


KLEBSIELLA = "KLEBSIELLA PNEUMONIAE"
BARS: dict[str, tuple[Facts, Facts]] = {
    "weak_kidney": (lab("creatinine", 2.45), lab("creatinine", 2.44)),
    "failing_kidney": (lab("creatinine", 3.45), lab("creatinine", 3.44)),
    "dose_since": ((Dose(-0.1, "Neutra-Phos"),), (Dose(2, "Potassium Chloride"),)),
    "digoxin_dose": drawn_within(6, "Digoxin"),
    "lithium_dose": drawn_within(8, "Lithium Carbonate"),
    "tacrolimus_dose": drawn_within(8, "Tacrolimus"),
    "phenytoin_dose": drawn_within(2, "Phenytoin Sodium"),
    "phenytoin_load": loaded("Phenytoin Sodium"),
    "digoxin_load": loaded("Digoxin"),
    "tacrolimus_load": loaded("Tacrolimus"),
    "lithium_load": loaded("Lithium Carbonate"),
    "ionized_low": (lab("calcium_ionized", 1.11, (1.12, 1.32)), lab("calcium_ionized", 1.12, (1.12, 1.32))),
    "ionized_normal": (
        lab("calcium_ionized", 1.12, (1.12, 1.32)),
        lab("calcium_ionized", 1.11, (1.12, 1.32)),
    ),
    "vitamin_at_home": ((Home(0, "cyanocobalamin"),), (Home(0, "thiamine"),)),
    "level_was_below": (
        (Lab(300, "vitamin_b12_level", 179.0, (180, 900)),),
        (Lab(300, "vitamin_b12_level", 179.0, (179, 900)),),
    ),
    "urate_oxidase_given": ((Dose(166.9, "Rasburicase"),), (Dose(167, "Rasburicase"),)),
    "phosphate_was_high": ((Lab(12, "phosphate", 4.5),), (Lab(12, "phosphate", 4.4),)),
    "potassium_was_high": ((Lab(12, "potassium", 6.0),), (Lab(12, "potassium", 5.9),)),
    "calcium_was_low": ((Lab(12, "calcium", 7.0),), (Lab(12, "calcium", 7.1),)),
    "diuretic_into_vein": ((Dose(40, "Furosemide", route="IV"),), (Dose(40, "Furosemide", route="PO"),)),
    "sodium_high": (lab("sodium", 146.0), lab("sodium", 145.0)),
    "myocardial_injury": (lab("troponin_t", 0.02, (0, 0.01)), lab("troponin_t", 0.01, (0, 0.01))),
    "calcium_raising": running("Lithium Carbonate"),
    "diluting": running("Furosemide"),
    "thyroid": (lab("tsh", 4.3, (0.27, 4.2)), lab("tsh", 4.2, (0.27, 4.2))),
    "chronic_kidney": ((Code(0, "N183"),), (Code(0, "N179"),)),
    "glucosuric": running("Empagliflozin"),
    "bone_disease": ((Code(0, "C7951"),), (Code(0, "C7800"),)),
    "obesity": ((Code(0, "E669"),), (Code(0, "E119"),)),
    "known_failure": ((Code(0, "I5032"),), (Code(0, "I2510"),)),
    "platelets_very_low": (lab("platelets", 49.0), lab("platelets", 50.0)),
    "sodium_recovering": (
        (Lab(23, "sodium", 129.0), Lab(0, "sodium", 134.0)),
        (Lab(23, "sodium", 130.0), Lab(0, "sodium", 134.0)),
    ),
    "diuretic_just_given": drawn_within(1, "Furosemide"),
    "diuretic_given": ((Dose(0.1, "Furosemide"),), (Dose(-0.1, "Furosemide"),)),
    "glucose_diuresis": (lab("glucose", 181.0), lab("glucose", 180.0)),
    "bilirubin_within": (lab("bilirubin_total", 1.5, (0.0, 1.5)), lab("bilirubin_total", 1.6, (0.0, 1.5))),
    "pco2_too_high": (lab("pco2_blood", 36.0), lab("pco2_blood", 35.0)),
    "pco2_too_low": (lab("pco2_blood", 31.0), lab("pco2_blood", 32.0)),
    "respiratory_acidosis": (lab("pco2_blood", 42.0), lab("pco2_blood", 41.0)),
    "respiratory_alkalosis": (lab("pco2_blood", 37.0), lab("pco2_blood", 38.0)),
    "venous_like": (lab("po2_blood", 79.0), lab("po2_blood", 80.0)),
    "delta_ratio_low": (albumin(3.0), albumin(2.8)),
    "gap_far_above": (lab("chloride", 96.0), lab("chloride", 97.0)),
    "delta_ratio_high": (albumin(1.5), albumin(1.6)),
    "reported_gap_within": ((*albumin(2.8), *reported_gap(17.0)), (*albumin(2.8), *reported_gap(18.0))),
    "reported_gap_high": (reported_gap(21.0), reported_gap(20.0)),
    "reported_gap_plainly_high": (reported_gap(21.0), reported_gap(20.0)),
    "muscle_was_breaking": ((Lab(239, "ck", 1001.0),), (Lab(239, "ck", 1000.0),)),
    "muscle_enzyme_rising": ((Lab(6, "ck", 999.0),), (Lab(6, "ck", 1000.0),)),
    "muscle_enzyme_falling": ((Lab(-0.1, "ck", 799.0, (40, 500)),), (Lab(72, "ck", 1000.0),)),
    "marker_was_higher": ((Lab(300, "troponin_t", 0.16),), (Lab(300, "troponin_t", 0.15),)),
    "marker_was_lower": ((Lab(300, "troponin_t", 0.09),), (Lab(300, "troponin_t", 0.1),)),
    "lipase_was_high": ((Lab(100, "lipase", 180.0),), (Lab(100, "lipase", 179.0),)),
    "phosphate_risen": ((Lab(100, "phosphate", 3.5),), (Lab(100, "phosphate", 3.6),)),
    "potassium_risen": ((Lab(100, "potassium", 4.7),), (Lab(100, "potassium", 4.8),)),
    "calcium_fallen": ((Lab(100, "calcium", 9.4),), (Lab(100, "calcium", 9.3),)),
    "myoglobin": (lab("ck", 1001.0), lab("ck", 1000.0)),
    "glucose_diagnostic": (lab("glucose", 200.0), lab("glucose", 199.0)),
    "glucose_was_diagnostic": (
        (Lab(30, "glucose", 200.0), Lab(0, "glucose", 140.0)),
        (Lab(30, "glucose", 199.0), Lab(0, "glucose", 140.0)),
    ),
    "inr_was_high": ((Lab(100, "inr", 4.6),), (Lab(100, "inr", 4.5),)),
    "glucose_low": (lab("glucose", 69.0), lab("glucose", 70.0)),
    "glucose_was_low": (
        (Lab(30, "glucose", 69.0), Lab(0, "glucose", 140.0)),
        (Lab(30, "glucose", 70.0), Lab(0, "glucose", 140.0)),
    ),
    "lactate_high": (lab("lactate", 2.1, (0.5, 2.0)), lab("lactate", 2.0, (0.5, 2.0))),
    "amiodarone": running("Amiodarone"),
    "interacting": running("Fluconazole"),
    "binding": running("Calcium Carbonate"),
    "overt": (lab("t4_free", 0.92, (0.93, 1.7)), lab("t4_free", 0.93, (0.93, 1.7))),
    "potassium_ordered": running("Potassium Chloride"),
    "acidosis": (lab("bicarbonate", 17.0), lab("bicarbonate", 18.0)),
    "gas_above_acidosis": (lab("ph_blood", 7.31), lab("ph_blood", 7.3)),
    "glucose_explains": (lab("glucose", 163.0), lab("glucose", 162.0)),
    "neutropenia": (lab("neutrophils_absolute", 0.4), lab("neutrophils_absolute", 0.5)),
    "sparing": running("Spironolactone"),
    "steroid": running("PredniSONE"),
    "other_target": ((Code(0, "C73"),), (Code(0, "C740"),)),
    "hypoglycemia_before": ((Lab(30, "glucose", 69.0),), (Lab(30, "glucose", 70.0),)),
    "potassium_insulin": (
        (Dose(6, "Insulin (Regular) for Hyperkalemia"),),
        (Dose(6, "Insulin (Regular) for Hyperkalemia", "Not Given"),),
    ),
    "insulin_push": ((Dose(7, "Insulin", route="IV"),), (Dose(7, "Insulin", route="SC"),)),
    "epinephrine": ((Dose(22.8, "EPINEPHrine"),), (Dose(23, "EPINEPHrine"),)),
    "acidemia": (lab("ph_blood", 7.2), lab("ph_blood", 7.21)),
    "rate_set_anew": (
        (set_at(7.5, 1000), set_at(5.9, 1100)),
        (set_at(7.5, 1000), set_at(6, 1100), set_at(3, 1100)),
    ),
    "hemoglobin_fell": ((Lab(30, "hemoglobin", 9.0),), (Lab(30, "hemoglobin", 8.9),)),
    "inr_falling": ((Lab(20, "inr", 6.6),), (Lab(20, "inr", 6.5),)),
    "inr_fell": ((Lab(20, "inr", 3.5),), (Lab(20, "inr", 3.4),)),
    "inr_climbing": ((Lab(96, "inr", 1.4),), (Lab(96.1, "inr", 1.4),)),
    "b12_lost": ((Code(0, "Z9884"),), (Code(0, "Z9049"),)),
    "large_cells": (lab("mcv", 101.0), lab("mcv", 100.0)),
    "sodium_within": (lab("sodium", 133.0, (133, 145)), lab("sodium", 132.0, (133, 145))),
    "low_value_within": (redrawn((133, 145)), redrawn((135, 147))),
    "glucose_not_high": (lab("glucose", 199.0), lab("glucose", 200.0)),
    "sodium_was_high": ((Lab(70, "sodium", 146.0),), (Lab(70, "sodium", 145.0),)),
    "albumin_within": (lab("albumin", 3.5, (3.5, 5.2)), lab("albumin", 3.4, (3.5, 5.2))),
    "inr_rising": ((Lab(96, "inr", 1.9),), (Lab(96, "inr", 2.0),)),
    "inr_above_range": ((Lab(72, "inr", 3.1),), (Lab(72, "inr", 3.0),)),
    "albumin_above": (lab("albumin", 4.6, (3.5, 4.5)), lab("albumin", 4.5, (3.5, 4.5))),
    "albumin_high": (lab("albumin", 5.0), lab("albumin", 4.9)),
    "albumin_rose": ((Lab(72, "albumin", 2.7),), (Lab(72, "albumin", 3.0),)),
    "albumin_fell": ((Lab(72, "albumin", 5.1),), (Lab(72, "albumin", 4.8),)),
    "ptt_high": (lab("ptt", 100.1), lab("ptt", 100.0)),
    "ptt_within_before_rise": ((Lab(36, "ptt", 70.0),), (Lab(36, "ptt", 70.1),)),
    "ptt_within_before_fall": ((Lab(36, "ptt", 46.0),), (Lab(36.1, "ptt", 46.0),)),
    "ptt_was_high": ((Lab(6, "ptt", 70.1),), (Lab(6.1, "ptt", 70.1),)),
    "ptt_was_low": ((Lab(6, "ptt", 45.9),), (Lab(6.1, "ptt", 45.9),)),
    "chloride_high": (lab("chloride", 104.0, (96, 103)), lab("chloride", 104.0, (96, 104))),
    "transfusion_first": (lab("hemoglobin", 6.9), lab("hemoglobin", 7.0)),
    "platelets_halved": (
        (Lab(100, "platelets", 201.0), Lab(1, "platelets", 100.0)),
        (Lab(100, "platelets", 200.0), Lab(1, "platelets", 100.0)),
    ),
    "count_within": (
        (Lab(-0.1, "platelets", 99.0, (99, 440)),),
        (Lab(-0.1, "platelets", 99.0, (100, 440)),),
    ),
    "baseline_as_high": ((Lab(24 * 60, "creatinine", 1.8),), (Lab(24 * 60, "creatinine", 1.7),)),
    "contraction": (risen("bicarbonate", 30.0, 34.0, (22, 32)), risen("bicarbonate", 31.0, 34.0, (22, 32))),
    "alt_was_high": ((Lab(200, "alt", 121.0),), (Lab(200, "alt", 120.0),)),
    "sodium_was_higher": ((Lab(47, "sodium", 127.0),), (Lab(47, "sodium", 126.0),)),
    "sodium_fell_fast": ((Lab(40, "sodium", 135.0),), (Lab(40, "sodium", 134.0),)),
    "potassium_was_normal": ((Lab(72, "potassium", 3.5),), (Lab(72, "potassium", 3.4),)),
    "magnesium_lately": ((Dose(46.8, "Magnesium Oxide"),), (Dose(47, "Magnesium Oxide"),)),
    "bowel_prepared": ((Dose(46.8, "MoviPrep"),), (Dose(47, "MoviPrep"),)),
    "diuretic_ordered": running("Furosemide"),
    "mra_at_admission": at_admission("Spironolactone"),
    "ras_inhibitor_at_admission": at_admission("Lisinopril"),
    "interacting_at_admission": at_admission("Lisinopril"),
    "lipase_raised_before": ((Lab(24, "lipase", 120.0),), (Lab(24, "lipase", 119.0),)),
    "binder_at_home": ((Home(0, "omeprazole"),), (Home(0, "lisinopril"),)),
    "bacterium": ((Grown(166, "SPUTUM", KLEBSIELLA),), (Grown(168, "SPUTUM", KLEBSIELLA),)),
    "home_sparing_left_off": (
        (Home(0, "spironolactone"),),
        (Home(0, "spironolactone"), Order(20, "Spironolactone")),
    ),
    "dose_at_the_draw": drawn_within(2, "Potassium Chloride"),
}
"""Facts of each bar that bars, and the nearest that do not; a bar of one name is the same in every rule."""

KCL, HORMONE = "Potassium Chloride", "Levothyroxine Sodium"
MISSED: dict[str, tuple[str, Facts, Facts]] = {
    "warfarin_lately": ("oral", doses("Warfarin", 70, 30, 20), doses("Warfarin", 70, 28, 21)),
    "warfarin_ordered": ("beside", (Order(60, "Warfarin", stopped=True),), (Order(60, "Warfarin"),)),
    "replaced_within_the_day": (
        "replacement",
        (Dose(40, KCL), Dose(24, KCL)),
        (Dose(40, KCL), Dose(23.9, KCL)),
    ),
    "hormone_for_two_days": ("beside", (Dose(66.9, HORMONE),), (Dose(67, HORMONE),)),
    "treated_for_a_day": ("beside", (Dose(29.9, "CefePIME"),), (Dose(30, "CefePIME"),)),
}
"""Of each bar by absence: which of a course's facts stand otherwise, how they bar, and how they nearly do."""
