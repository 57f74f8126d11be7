"""What each rule about tests, referrals and treatment after discharge rests on, and its limits on both sides."""

from courses import Code, Course, Dose, Home, Lab, Ordered
from discharge_home import KIDNEY, LISINOPRIL, METFORMIN, beyond, filtering, less, more, steady

DIABETES, CIRRHOSIS, DIALYSIS = (Code(0, "E119"),), (Code(0, "K7460"),), (Code(0, "N186"),)
LEVOTHYROXINE, IRON = (Home(0, "levothyroxine"),), (Home(0, "ferrous sulfate"),)
ORDERED_IRON = (Ordered(24, "Ferrous Sulfate"),)
CREATININE, MOVED = steady(160, "creatinine", 1.0, 0.2)
FALLING, SINCE = steady(40, "creatinine", beyond(30), 0.2)
WHOLE, INJURED = steady(160, "creatinine", filtering(60), 0.2)


HALF_A_YEAR = 180 * 24


def fibrosis(ast: float) -> tuple[Lab, ...]:
    """With age 60, ALT 36 and platelets of 200 the index is ast / 20; it was 3.3 or 1.2 half a year before."""
    return (*indexed(0, ast)[1:], *indexed(HALF_A_YEAR, 67.0 if ast > 40 else 24.0))


def indexed(hours: float, ast: float, platelets: float = 200.0) -> tuple[Lab, ...]:
    """Give what the index is made of, drawn together."""
    return Lab(hours, "alt", 36.0), Lab(hours, "ast", ast), Lab(hours, "platelets", platelets)


def lasting(high: float, low: float) -> tuple[tuple[str, tuple[Lab, ...], bool], ...]:
    """Say when an index that is now ``high`` (or ``low``) has been so for long enough, and when it has not."""
    now = indexed(0, high)[1:]
    return (
        ("fibrosis", (*now, *indexed(HALF_A_YEAR - 0.1, high)), False),
        ("fibrosis", (*now, *indexed(HALF_A_YEAR, low)), False),
        ("fibrosis", (*now, *indexed(HALF_A_YEAR, high), *indexed(2000, low)), False),
        ("fibrosis", (*now, *indexed(HALF_A_YEAR, high), *indexed(2000, high)), True),
        ("fibrosis", (*now[:1], Lab(0.1, "platelets", 200.0), *indexed(HALF_A_YEAR, high)), False),
        (
            "fibrosis",
            (*now, *indexed(HALF_A_YEAR, high)[:2], Lab(HALF_A_YEAR + 1, "platelets", 200.0)),
            False,
        ),
    )


def count(value: float) -> tuple[Lab, ...]:
    return (Lab(0, "hemoglobin", value),)


B12_BREAKS = {"at_home": (Home(0, "cyanocobalamin"),), "ward_order": (Ordered(24, "Cyanocobalamin"),)}
COURSES = {
    "ras_inhibitor_started_check_needed": Course(
        holds=(5.0,),
        short=(5.1,),
        facts={"new_drug": (Ordered(24, "Lisinopril"),)},
        breaks={"at_home": LISINOPRIL},
        edges=(("new_drug", (Ordered(24, "Amlodipine"),), False),),
    ),
    "ras_inhibitor_established_check_routine": Course(
        holds=(5.0,),
        short=(5.1,),
        facts={
            "ward_order": (Ordered(24, "Lisinopril"),),
            "at_home": LISINOPRIL,
            "kidney": (Lab(0, "creatinine", 1.0), *CREATININE),
        },
        edges=(("kidney", (Lab(0, "creatinine", 1.0), *MOVED), False),),
    ),
    "mra_started_check_needed": Course(
        holds=(5.0,),
        short=(5.1,),
        facts={"new_drug": (Ordered(24, "Spironolactone"),)},
        breaks={"at_home": (Home(0, "eplerenone"),)},
    ),
    "kidney_injury_check_needed": Course(
        holds=(2.0,),
        short=(0.3,),
        facts={"rise": (Lab(48, "creatinine", 1.7),)},
        breaks={"dialysis": DIALYSIS},
        edges=(
            ("rise", (Lab(48, "creatinine", 1.8),), False),
            ("rise", (Lab(48.1, "creatinine", 1.7),), False),
        ),
    ),
    "kidney_function_steady_check_routine": Course(
        holds=(filtering(60),),
        short=(more(filtering(60)),),
        facts={"course": WHOLE},
        breaks={"at_home": LISINOPRIL, "ward_order": (Ordered(24, "Furosemide"),)},
        edges=(("course", INJURED, False),),
    ),
    "warfarin_interaction_check_needed": Course(
        holds=(2.0, 3.0),
        short=(1.9, 3.1),
        facts={"home_thinner": (Home(0, "warfarin"),), "interacting": (Dose(10, "MetRONIDAZOLE (FLagyl)"),)},
        breaks={"at_home": (Home(0, "amiodarone"),)},
        edges=(
            ("interacting", (Dose(10, "CefTRIAXone"),), False),
            ("interacting", (Dose(10, "Fluconazole", "Not Given"),), False),
        ),
    ),
    "lithium_interaction_check_needed": Course(
        holds=(1.2,),
        short=(1.3,),
        facts={"home_stabilizer": (Home(0, "lithium carbonate"),), "new_drug": (Ordered(24, "Lisinopril"),)},
        breaks={"at_home": (Home(0, "hydrochlorothiazide"),)},
        edges=(("new_drug", (Ordered(24, "Amlodipine"),), False),),
    ),
    "thyrotropin_raised_untreated_check_needed": Course(
        holds=(4.6, 10.0),
        short=(4.5, 10.1),
        facts={},
        breaks={"at_home": LEVOTHYROXINE, "ward_order": (Ordered(24, "Levothyroxine Sodium"),)},
    ),
    "thyrotropin_in_range_treated_check_routine": Course(
        holds=(0.4, 4.0),
        short=(0.3, 4.1),
        facts={"at_home": LEVOTHYROXINE},
    ),
    "hba1c_diabetic_unknown_check_needed": Course(
        holds=(6.5,),
        short=(6.4,),
        facts={},
        breaks={"diabetes": DIABETES, "at_home": METFORMIN},
    ),
    "hba1c_below_5_7_check_routine": Course(
        holds=(5.6,),
        short=(5.7,),
        facts={},
        breaks={"at_home": METFORMIN},
    ),
    "hba1c_below_7_home_treatment_as_before": Course(
        holds=(6.9,),
        short=(7.0,),
        facts={"home_tablet": METFORMIN},
    ),
    "hba1c_7_to_9_home_treatment_intensify": Course(
        holds=(7.0, 9.0),
        short=(6.9, 9.1),
        facts={"home_tablet": METFORMIN},
        breaks={"home_insulin": (Home(0, "insulin glargine"),)},
    ),
    "hba1c_above_9_home_treatment_intensify": Course(
        holds=(9.1,),
        short=(9.0,),
        facts={"home_tablet": METFORMIN, "diabetes": DIABETES},
        edges=(("diabetes", (Code(0, "25002", 9),), True), ("diabetes", (Code(0, "25001", 9),), False)),
    ),
    "kidney_disease_stage_3_below_30_refer": Course(
        holds=(beyond(30),),
        short=(less(beyond(30)),),
        facts={"kidney_disease": KIDNEY, "course": FALLING},
        breaks={"dialysis": DIALYSIS},
        edges=(("course", SINCE, False),),
    ),
    "kidney_disease_filtration_45_no_referral": Course(
        holds=(filtering(45), beyond(60)),
        short=(more(filtering(45)), less(beyond(60))),
        facts={"kidney_disease": KIDNEY, "protein": (Lab(0, "albumin_creatinine_urine", 299.0),)},
        edges=(("protein", (Lab(0, "albumin_creatinine_urine", 300.0),), False),),
    ),
    "urine_albumin_300_refer": Course(holds=(300.0,), short=(299.9,), facts={}),
    "diabetes_fib4_above_2_67_refer": Course(
        holds=(36.0,),
        short=(41.0,),
        facts={"fibrosis": fibrosis(54.0), "diabetes": DIABETES},
        breaks={"cirrhosis": CIRRHOSIS},
        edges=(("fibrosis", fibrosis(53.0), False), *lasting(67.0, 40.0)),
    ),
    "diabetes_fib4_below_1_3_no_referral": Course(
        holds=(36.0,),
        short=(41.0,),
        facts={"fibrosis": fibrosis(25.0), "diabetes": DIABETES},
        breaks={"cirrhosis": CIRRHOSIS},
        edges=(("fibrosis", fibrosis(26.0), False), *lasting(24.0, 27.0)),
    ),
    "iron_deficiency_man_refer": Course(
        holds=(44.0,),
        short=(45.0,),
        facts={"anemia": count(12.9)},
        edges=(("anemia", count(13.0), False),),
    ),
    "ferritin_below_45_anemia_start": Course(
        holds=(44.0,),
        short=(45.0,),
        facts={"anemia": count(11.9)},
        gender="F",
        breaks={"at_home": IRON, "ward_order": ORDERED_IRON},
        edges=(("anemia", count(12.0), False),),
    ),
    "vitamin_b12_below_150_start": Course(holds=(149.0,), short=(150.0,), facts={}, breaks=B12_BREAKS),
    "vitamin_b12_400_none": Course(holds=(400.0,), short=(399.0,), facts={}, breaks=B12_BREAKS),
}
