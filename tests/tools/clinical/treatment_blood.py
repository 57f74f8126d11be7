"""What each rule about anticoagulants, blood and the thyroid rests on, and its limits on both sides."""

from courses import Code, Course, Dose, Lab, Order, doses, running
from treatment_chemistry import given

HEPARIN = running("Heparin", 8)
INFUSION = (
    ("infusion", running("Heparin", 7), True),
    ("infusion", running("Heparin", 6.9), False),
    ("infusion", (*running("Heparin", 12, 3), Dose(2, "Heparin", "Stopped As Directed")), False),
    ("infusion", doses("Heparin", 12, 2, 4), False),
    ("infusion", running("Heparin", 5, -0.9), False),
)
WARFARIN = doses("Warfarin", 158, 14, 24)
CORONARY = (Code(0, "I2510"),)

COURSES = {
    "heparin_ptt_low_raise": Course(
        holds=(45.0,), short=(45.1,), facts={"infusion": HEPARIN}, edges=INFUSION
    ),
    "heparin_ptt_within_keep": Course(
        holds=(60.0, 70.0), short=(59.9, 70.1), facts={"infusion": HEPARIN}, edges=INFUSION
    ),
    "heparin_ptt_high_lower": Course(
        holds=(100.1,), short=(100.0,), facts={"infusion": HEPARIN}, edges=INFUSION
    ),
    "overlap_inr_low_go_on": Course(
        holds=(1.9,),
        short=(2.0,),
        facts={"parenteral": running("Heparin", 20), "oral": (Dose(14, "Warfarin"),)},
        edges=(("parenteral", doses("Heparin", 20, 2, 8), False), *given("oral", "Warfarin")),
    ),
    "overlap_five_days_short_go_on": Course(
        holds=(2.0,),
        short=(1.9,),
        facts={
            "parenteral": running("Heparin", 90),
            "oral": (Dose(14, "Warfarin"),),
            "new_oral": (Lab(80, "inr", 1.2),),
        },
        breaks={"five_days": running("Heparin", 121)},
        edges=(
            ("parenteral", doses("Heparin", 90, 2, 8), False),
            ("parenteral", running("Heparin", 25), True),
            ("parenteral", running("Heparin", 24.9), False),
            ("new_oral", (Lab(90, "inr", 1.9), Lab(80, "inr", 1.2)), True),
            ("new_oral", (Lab(90, "inr", 2.0), Lab(80, "inr", 1.2)), False),
            ("five_days", running("Heparin", 120.9), True),
            ("new_oral", (Lab(80, "inr", 1.9),), True),
            ("new_oral", (Lab(80, "inr", 2.0),), False),
            *given("oral", "Warfarin"),
        ),
    ),
    "overlap_complete_stop": Course(
        holds=(2.0,),
        short=(1.9,),
        facts={"held": (Lab(30, "inr", 2.1),), "parenteral": running("Heparin", 150), "oral": WARFARIN},
        edges=(
            ("held", (Lab(24, "inr", 2.0),), True),
            ("held", (Lab(24, "inr", 1.9),), False),
            ("held", (Lab(23.9, "inr", 2.1),), False),
            ("parenteral", running("Heparin", 121), True),
            ("parenteral", running("Heparin", 120.9), False),
            ("oral", doses("Warfarin", 110, 14, 24), True),
            ("oral", doses("Warfarin", 86, 14, 24), False),
        ),
    ),
    "warfarin_in_range_go_on": Course(
        holds=(2.4, 2.0, 3.0),
        short=(1.9, 3.1),
        facts={"oral": doses("Warfarin", 38, 14, 24)},
        beside=(Order(60, "Warfarin"),),
        breaks={"parenteral": running("Heparin", 30), "mechanical_valve": (Code(0, "Z952"),)},
        edges=(
            ("oral", (Dose(14, "Warfarin"),), False),
            ("oral", (Dose(38, "Warfarin"), Dose(-0.5, "Warfarin")), False),
            ("oral", doses("Warfarin", 70, 14, 56), True),
            ("parenteral", doses("Heparin", 20, 2, 8), True),
            ("mechanical_valve", (Code(0, "V433", 9),), False),
        ),
    ),
    "warfarin_inr_high_hold": Course(
        holds=(4.6, 9.9),
        short=(4.5, 10.0),
        facts={"oral": (Dose(14, "Warfarin"),)},
        breaks={"reversal": (Dose(10, "Phytonadione"),)},
        edges=given("oral", "Warfarin"),
    ),
    "hemoglobin_below_7_transfuse": Course(
        holds=(6.9,),
        short=(7.0,),
        facts={"acid_suppression": (Dose(8, "Pantoprazole"),)},
        edges=(
            ("acid_suppression", (Dose(8, "Octreotide Acetate"),), True),
            *given("acid_suppression", "Pantoprazole", ("Famotidine",)),
        ),
    ),
    "hemoglobin_7_not_yet": Course(
        holds=(7.0, 7.9),
        short=(6.9, 8.0),
        facts={"acid_suppression": (Dose(8, "Pantoprazole"),), "steady": (Lab(24, "hemoglobin", 7.6),)},
        breaks={"heart_disease": CORONARY, "antiplatelet": (Dose(90, "Aspirin"),)},
        edges=(
            ("steady", (Lab(12, "hemoglobin", 7.0),), True),
            ("steady", (Lab(12, "hemoglobin", 6.9),), False),
            ("steady", (Lab(11.9, "hemoglobin", 7.6),), False),
            ("heart_disease", (Code(0, "4280", 9),), False),
        ),
    ),
    "coronary_disease_hemoglobin_below_8_transfuse": Course(
        holds=(7.0, 7.9),
        short=(6.9, 8.0),
        facts={"antiplatelet": (Dose(8, "Clopidogrel"),), "coronary_disease": CORONARY},
        edges=(
            ("coronary_disease", (Code(0, "41401", 9),), True),
            ("coronary_disease", (Code(0, "I4891"),), False),
            *given("antiplatelet", "Aspirin"),
        ),
    ),
    "thyroid_in_range_keep": Course(
        holds=(0.4, 4.0),
        short=(0.39, 4.1),
        facts={"hormone": (Dose(20, "Levothyroxine Sodium"),)},
        beside=(Dose(119, "Levothyroxine Sodium"),),
        edges=given("hormone", "Levothyroxine Sodium"),
    ),
    "thyroid_high_raise": Course(
        holds=(10.1,),
        short=(10.0,),
        facts={"hormone": (Dose(20, "Levothyroxine Sodium"),)},
        breaks={"binder": (Dose(60, "Calcium Carbonate"),)},
        beside=(Dose(119, "Levothyroxine Sodium"),),
        edges=given("hormone", "Levothyroxine Sodium"),
    ),
    "thyroid_high_with_binder_space": Course(
        holds=(10.1,),
        short=(10.0,),
        facts={"hormone": (Dose(20, "Levothyroxine Sodium"),), "binder": (Dose(20, "Ferrous Sulfate"),)},
        beside=(Dose(119, "Levothyroxine Sodium"),),
        edges=(
            ("binder", (Dose(20, "Calcium Gluconate"),), False),
            *given("binder", "Sucralfate"),
            *given("hormone", "Levothyroxine Sodium"),
        ),
    ),
    "thyroid_suppressed_lower": Course(
        holds=(0.09,),
        short=(0.1,),
        facts={"hormone": (Dose(20, "Levothyroxine Sodium"),)},
        breaks={"thyroid_cancer": (Code(0, "C73"),)},
        beside=(Dose(119, "Levothyroxine Sodium"),),
        edges=(("thyroid_cancer", (Code(0, "193", 9),), False), *given("hormone", "Levothyroxine Sodium")),
        anchor_age=65,
    ),
}
