"""What each work-up rule about blood, tumor and muscle rests on, and its limits on both sides."""

from courses import Code, Course, Fact, Grown, Lab, Order

Edge = tuple[str, tuple[Fact, ...], bool]


def lab(analyte: str, value: float, limits: tuple[float, float] | None = None) -> tuple[Lab, ...]:
    """Give one result of the draw itself."""
    return (Lab(0, analyte, value, limits),)


def no(name: str, *facts: Fact) -> Edge:
    """Say that a finding does not hold with these facts."""
    return (name, facts, False)


def yes(name: str, *facts: Fact) -> Edge:
    """Say that a finding holds with these facts as well."""
    return (name, facts, True)


def saturation(iron: float) -> tuple[Lab, ...]:
    """Give iron, and a binding capacity of 300."""
    return (*lab("iron", iron), *lab("tibc", 300.0))


CRP, LDH = (0.0, 5.0), (94.0, 250.0)
ANEMIC = {"hemoglobin": lab("hemoglobin", 11.9)}
NOT_ANEMIC = no("hemoglobin", *lab("hemoglobin", 12.0))
INFLAMED = {
    **ANEMIC,
    "saturation": saturation(45.0),
    "inflammation": lab("crp", 5.1, CRP),
}
NOT_INFLAMED = (
    NOT_ANEMIC,
    no("saturation", *saturation(48.0)),
    no("inflammation", *lab("crp", 5.0, CRP)),
)
CANCER = (Code(0, "C8330"),)
NO_CANCER = (no("malignancy", Code(0, "C509")), yes("malignancy", Code(0, "20280", 9)))
ALLOPURINOL, STATIN = (Order(20, "Allopurinol"),), (Order(20, "Atorvastatin"),)
HEPARIN = (Order(150, "Heparin Sodium", route="IV DRIP"),)

COURSES = {
    "ferritin_below_45_man": Course(
        holds=(44.0,),
        short=(45.0,),
        facts={"hemoglobin": lab("hemoglobin", 12.9)},
        edges=(no("hemoglobin", *lab("hemoglobin", 13.0)),),
    ),
    "ferritin_below_45_older_woman": Course(
        holds=(44.0,), short=(45.0,), facts=ANEMIC, edges=(NOT_ANEMIC,), gender="F"
    ),
    "ferritin_above_100_inflammation": Course(
        holds=(101.0,), short=(100.0,), facts=INFLAMED, edges=NOT_INFLAMED
    ),
    "ferritin_45_to_100_inflammation": Course(
        holds=(45.0, 100.0), short=(44.0, 101.0), facts=INFLAMED, edges=NOT_INFLAMED
    ),
    "cobalamin_below_180": Course(holds=(179.0,), short=(180.0,), facts={}),
    "cobalamin_180_to_350": Course(holds=(180.0, 350.0), short=(179.0, 351.0), facts={}),
    "cobalamin_above_350_macrocytosis": Course(
        holds=(351.0,),
        short=(350.0,),
        facts={"cell_size": lab("mcv", 99.0, (82.0, 98.0))},
        edges=(no("cell_size", *lab("mcv", 98.0, (82.0, 98.0))),),
    ),
    "haptoglobin_low_hemolysis": Course(
        holds=(25.0,),
        short=(26.0,),
        facts={**ANEMIC, "enzyme": lab("ldh", 251.0, LDH)},
        edges=(NOT_ANEMIC, no("enzyme", *lab("ldh", 250.0, LDH))),
    ),
    "haptoglobin_not_low_no_hemolysis": Course(
        holds=(26.0,),
        short=(25.0,),
        facts={**ANEMIC, "enzyme": lab("ldh", 250.0, LDH)},
        edges=(
            NOT_ANEMIC,
            yes("enzyme", *lab("ldh", 94.0, LDH)),
            no("enzyme", *lab("ldh", 251.0, LDH)),
            no("enzyme", *lab("ldh", 93.0, LDH)),
        ),
    ),
    "platelets_halved_day_5_to_10_heparin": Course(
        holds=(99.0, 20.0),
        short=(100.0, 19.0),
        facts={"baseline": (Lab(141, "platelets", 200.0), Lab(140, "platelets", 200.0)), "order": HEPARIN},
        edges=(
            no("baseline", Lab(140, "platelets", 200.0)),
            no("baseline", Lab(141, "platelets", 200.0), Lab(140, "platelets", 198.0)),
            yes("baseline", Lab(240, "platelets", 199.0), Lab(140, "platelets", 200.0)),
            no("baseline", Lab(241, "platelets", 200.0), Lab(140, "platelets", 200.0)),
            yes("order", Order(120, "Heparin Sodium")),
            no("order", Order(119, "Heparin Sodium")),
            yes("order", Order(240, "Heparin Sodium")),
            no("order", Order(241, "Heparin Sodium")),
            no("order", Order(150, "Enoxaparin Sodium")),
        ),
        resting=("nadir",),
    ),
    "platelets_low_sepsis_coagulopathy": Course(
        holds=(99.0,),
        short=(100.0,),
        facts={
            "clotting": lab("inr", 1.5),
            "kidney": lab("creatinine", 2.0),
            "isolate": (Grown(48, "BLOOD CULTURE", "ESCHERICHIA COLI"),),
        },
        breaks={"anticoagulant": (Order(20, "Warfarin"),)},
        edges=(
            no("clotting", *lab("inr", 1.4)),
            no("kidney", *lab("creatinine", 1.9)),
            no("isolate", Grown(48, "BLOOD CULTURE", "STAPHYLOCOCCUS, COAGULASE NEGATIVE")),
            no("isolate", Grown(48, "URINE", "ESCHERICHIA COLI")),
        ),
    ),
    "platelets_below_30_microangiopathy": Course(
        holds=(29.0,),
        short=(30.0,),
        facts={
            "turnover": lab("reticulocytes_percent", 2.6),
            "cell_size": lab("mcv", 89.0),
            "clotting": lab("inr", 1.4),
            "kidney": lab("creatinine", 1.9),
        },
        breaks={"cancer": CANCER, "transplant": (Code(0, "Z940"),)},
        edges=(
            no("turnover", *lab("reticulocytes_percent", 2.5)),
            no("cell_size", *lab("mcv", 90.0)),
            no("clotting", *lab("inr", 1.5)),
            no("kidney", *lab("creatinine", 2.0)),
        ),
    ),
    "uric_acid_and_phosphate_tumor_lysis": Course(
        holds=(8.0,),
        short=(7.9,),
        facts={"phosphate": lab("phosphate", 4.5), "malignancy": CANCER},
        breaks={"lowering": ALLOPURINOL},
        edges=(no("phosphate", *lab("phosphate", 4.4)), *NO_CANCER),
    ),
    "uric_acid_alone_no_tumor_lysis": Course(
        holds=(8.0,),
        short=(7.9,),
        facts={
            "phosphate": lab("phosphate", 4.4),
            "potassium": lab("potassium", 5.9),
            "calcium": lab("calcium", 7.1),
            "malignancy": CANCER,
        },
        edges=(
            no("phosphate", *lab("phosphate", 4.5)),
            no("potassium", *lab("potassium", 6.0)),
            no("calcium", *lab("calcium", 7.0)),
            *NO_CANCER,
        ),
    ),
    "tumor_lysis_despite_allopurinol": Course(
        holds=(8.0,),
        short=(7.9,),
        facts={"phosphate": lab("phosphate", 4.5), "malignancy": CANCER, "lowering": ALLOPURINOL},
        edges=(no("phosphate", *lab("phosphate", 4.4)), *NO_CANCER),
    ),
    "creatine_kinase_above_1000": Course(
        holds=(1001.0,), short=(1000.0,), facts={}, breaks={"statin": STATIN}
    ),
    "creatine_kinase_raised_below_1000": Course(
        holds=(1000.0,),
        short=(1001.0, 999.0),
        facts={"course": (Lab(12, "ck", 1000.0),)},
        edges=(
            no("course", Lab(12, "ck", 999.0)),
            no("course", Lab(11.9, "ck", 1000.0)),
            yes("course", Lab(72, "ck", 1000.0)),
            no("course", Lab(72.1, "ck", 1000.0)),
        ),
        resting=("enzyme",),
        key_limits=(40.0, 999.0),
    ),
    "creatine_kinase_statin_hypothyroidism": Course(
        holds=(1001.0,),
        short=(1000.0,),
        facts={"statin": STATIN, "thyroid": (Code(0, "E039"),)},
        edges=(no("thyroid", Code(0, "E0590")), yes("thyroid", Code(0, "2449", 9))),
    ),
}
