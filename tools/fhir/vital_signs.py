"""Which vital signs there are: names, LOINC codes, and where MIMIC-IV keeps them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class VitalSign:
    """A vital sign. ``names`` are accepted words in lower case; ``loinc`` is empty where no code is certain.

    ``loinc`` holds codes with LOINC's long common name. The first is that of FHIR R4's vital signs profile
    (https://hl7.org/fhir/R4/observation-vitalsigns.html); pulse oximetry has its own beside it, which the profile asks
    for where the method is known. Items agree with chartevents_to_loinc.csv of https://github.com/MIT-LCP/mimic-code
    (commit 1fe91c3).
    """

    id: str
    display: str
    loinc: tuple[tuple[str, str], ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Pressure:
    """The icu.d_items of one way to measure blood pressure."""

    method: str
    display: str
    systolic: int
    diastolic: int
    mean: int


HEART_RATE = VitalSign(
    "heart-rate",
    "Heart rate",
    (("8867-4", "Heart rate"),),
    ("heart rate", "heartrate", "hr", "pulse", "pulse rate", "心率", "脉搏"),
)
RESPIRATORY_RATE = VitalSign(
    "respiratory-rate",
    "Respiratory rate",
    (("9279-1", "Respiratory rate"),),
    ("respiratory rate", "respiration rate", "respirations", "resp rate", "rr", "呼吸频率", "呼吸"),
)
OXYGEN_SATURATION = VitalSign(
    "oxygen-saturation",
    "Oxygen saturation by pulse oximetry",
    (
        ("2708-6", "Oxygen saturation in Arterial blood"),
        ("59408-5", "Oxygen saturation in Arterial blood by Pulse oximetry"),
    ),
    (
        *(
            "oxygen saturation",
            "oxygen saturation by pulse oximetry",
            "o2 saturation",
            "o2 sat",
            "o2sat",
            "spo2",
        ),
        *("sao2", "pulse oximetry", "血氧饱和度", "血氧"),
    ),
)
TEMPERATURE = VitalSign(
    "temperature",
    "Body temperature",
    (("8310-5", "Body temperature"),),
    ("temperature", "body temperature", "temp", "体温"),
)
BLOOD_PRESSURE = VitalSign(
    "blood-pressure",
    "Blood pressure",
    (("85354-9", "Blood pressure panel with all children optional"),),
    (
        *(
            "blood pressure",
            "bp",
            "systolic blood pressure",
            "diastolic blood pressure",
            "mean arterial pressure",
        ),
        *("sbp", "dbp", "map", "systolic", "diastolic", "血压", "收缩压", "舒张压"),
    ),
)
WEIGHT = VitalSign("weight", "Body weight", (("29463-7", "Body weight"),), ("weight", "body weight", "体重"))
HEIGHT = VitalSign("height", "Body height", (("8302-2", "Body height"),), ("height", "body height", "身高"))
BMI = VitalSign(
    "bmi",
    "Body mass index",
    (("39156-5", "Body mass index (BMI) [Ratio]"),),
    ("bmi", "body mass index", "体质指数", "体重指数"),
)
PAIN = VitalSign(
    "pain",
    "Pain severity, 0 to 10",
    (("72514-3", "Pain severity - 0-10 verbal numeric rating [Score] - Reported"),),
    ("pain", "pain score", "pain level", "疼痛评分", "疼痛"),
)
RHYTHM = VitalSign("heart-rhythm", "Heart rhythm", (), ("rhythm", "heart rhythm", "心律"))

VITAL_SIGNS = (
    *(HEART_RATE, RESPIRATORY_RATE, OXYGEN_SATURATION, TEMPERATURE, BLOOD_PRESSURE),
    *(WEIGHT, HEIGHT, BMI, PAIN, RHYTHM),
)
COMPONENTS = {
    "systolic": ("8480-6", "Systolic blood pressure"),
    "diastolic": ("8462-4", "Diastolic blood pressure"),
    "mean": ("8478-0", "Mean blood pressure"),
}

ED_COLUMNS = {
    "temperature": (TEMPERATURE, "°F"),
    "heartrate": (HEART_RATE, "bpm"),
    "resprate": (RESPIRATORY_RATE, "insp/min"),
    "o2sat": (OXYGEN_SATURATION, "%"),
}
"""Numeric columns of ed.triage and ed.vitalsign with their units, https://mimic.mit.edu/docs/iv/modules/ed/vitalsign."""

ICU_ITEMS = {
    220045: (HEART_RATE, "bpm"),
    220210: (RESPIRATORY_RATE, "insp/min"),
    220277: (OXYGEN_SATURATION, "%"),
    223761: (TEMPERATURE, "°F"),
    223762: (TEMPERATURE, "°C"),
    226512: (WEIGHT, "kg"),
    224639: (WEIGHT, "kg"),
    226730: (HEIGHT, "cm"),
    223791: (PAIN, None),
}
"""icu.d_items: Heart Rate, Respiratory Rate, O2 saturation pulseoxymetry, Temperature Fahrenheit and Celsius,
Admission Weight (Kg), Daily Weight, Height (cm), Pain Level. Ventilator rates are not among them."""

ICU_PRESSURES = (
    Pressure("nibp", "Non-invasive blood pressure", 220179, 220180, 220181),
    Pressure("abp", "Arterial blood pressure", 220050, 220051, 220052),
    Pressure("art", "Arterial blood pressure (ART)", 225309, 225310, 225312),
)
ICU_ITEMIDS = frozenset(ICU_ITEMS) | {i for p in ICU_PRESSURES for i in (p.systolic, p.diastolic, p.mean)}

OMR_RESULTS = {
    "Weight (Lbs)": (WEIGHT, "lb"),
    "Height (Inches)": (HEIGHT, "inch"),
    "BMI (kg/m2)": (BMI, "kg/m2"),
}
OMR_PRESSURE = "Blood Pressure"
"""Begins the result_name of every blood pressure of hosp.omr; the rest is the position: Lying, Standing (1 min)."""


NO_VITAL_SIGNS = {
    **dict.fromkeys(
        ("smoking", "smoking status", "smoking history", "tobacco", "tobacco use", "吸烟", "吸烟史"),
        "smoking is no observation of this record: ask the patient, or read the Social History of a discharge summary "
        "(often removed by de-identification)",
    ),
    **dict.fromkeys(
        ("acuity", "triage acuity", "esi"),
        "the triage acuity is an urgency score, not a vital sign, and is not shown",
    ),
    **dict.fromkeys(
        ("chief complaint", "chiefcomplaint", "主诉"),
        "the chief complaint is no observation of this record: ask the patient",
    ),
}
"""Words that are asked for as vital signs and are none here -> what to say."""


def vital_sign(code: str) -> VitalSign | None:
    """Find the vital sign that goes by a name, LOINC code or icu.d_items itemid."""
    folded = " ".join(code.lower().split())
    if folded.isdecimal():
        pressures = (i for p in ICU_PRESSURES for i in (p.systolic, p.diastolic, p.mean))
        return BLOOD_PRESSURE if int(folded) in pressures else ICU_ITEMS.get(int(folded), (None,))[0]
    return next(
        (v for v in VITAL_SIGNS if folded in (*v.names, *(code for code, _ in v.loinc), v.display.lower())),
        None,
    )
