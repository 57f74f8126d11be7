"""Code systems, and units whose UCUM code means exactly the same."""

LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"
ICD = {9: "http://hl7.org/fhir/sid/icd-9-cm", 10: "http://hl7.org/fhir/sid/icd-10-cm"}
NDC = "http://hl7.org/fhir/sid/ndc"
_TERMINOLOGY = "http://terminology.hl7.org/CodeSystem"
OBSERVATION_CATEGORY = f"{_TERMINOLOGY}/observation-category"
INTERPRETATION = f"{_TERMINOLOGY}/v3-ObservationInterpretation"
DATA_ABSENT_REASON = f"{_TERMINOLOGY}/data-absent-reason"
CONDITION_CATEGORY = f"{_TERMINOLOGY}/condition-category"
CONDITION_CLINICAL = f"{_TERMINOLOGY}/condition-clinical"
ACT_CODE = f"{_TERMINOLOGY}/v3-ActCode"
ALLERGY_CLINICAL = f"{_TERMINOLOGY}/allergyintolerance-clinical"
ALLERGY_VERIFICATION = f"{_TERMINOLOGY}/allergyintolerance-verification"
DIAGNOSTIC_SERVICE = f"{_TERMINOLOGY}/v2-0074"
SNOMED_CT = "http://snomed.info/sct"
ICD_PROCEDURE = {9: ICD[9], 10: "http://www.cms.gov/Medicare/Coding/ICD10"}
"""ICD-9-CM holds procedures in its third volume; the second is ICD-10-PCS."""
MEDICATION_REQUEST_CATEGORY = f"{_TERMINOLOGY}/medicationrequest-category"
FLAG_CATEGORY = f"{_TERMINOLOGY}/flag-category"

# Names as in the MIMIC-IV on FHIR implementation guide, https://mimic.mit.edu/fhir
_MIMIC = "http://mimic.mit.edu/fhir/mimic"
LAB_ITEM = f"{_MIMIC}/CodeSystem/mimic-d-labitems"
CHART_ITEM = f"{_MIMIC}/CodeSystem/mimic-chartevents-d-items"
PROCEDURE_ITEM = f"{_MIMIC}/CodeSystem/mimic-procedureevents-d-items"
MICRO_TEST = f"{_MIMIC}/CodeSystem/mimic-microbiology-test"
MICRO_ORGANISM = f"{_MIMIC}/CodeSystem/mimic-microbiology-organism"
MICRO_ANTIBIOTIC = f"{_MIMIC}/CodeSystem/mimic-microbiology-antibiotic"
FORMULARY_DRUG = f"{_MIMIC}/CodeSystem/mimic-medication-formulary-drug-cd"
PATIENT_ID = f"{_MIMIC}/identifier/patient"
HOSP_ENCOUNTER_ID = f"{_MIMIC}/identifier/encounter-hosp"
ED_ENCOUNTER_ID = f"{_MIMIC}/identifier/encounter-ed"
LAB_SPECIMEN_ID = f"{_MIMIC}/identifier/specimen-lab"
MICRO_SPECIMEN_ID = f"{_MIMIC}/identifier/specimen-micro"

UCUM_OF_UNIT: dict[str, str] = {
    "%": "%",
    "fL": "fL",
    "pg": "pg",
    "g": "g",
    "gm": "g",
    "mg": "mg",
    "mcg": "ug",
    "mmol": "mmol",
    "mEq": "meq",
    "mL": "mL",
    "L": "L",
    "mg/dL": "mg/dL",
    "g/dL": "g/dL",
    "ug/dL": "ug/dL",
    "ng/dL": "ng/dL",
    "mg/L": "mg/L",
    "ng/mL": "ng/mL",
    "pg/mL": "pg/mL",
    "ug/mL": "ug/mL",
    "mmol/L": "mmol/L",
    "umol/L": "umol/L",
    "mEq/L": "meq/L",
    "U/L": "U/L",
    "IU/L": "[IU]/L",
    "IU/mL": "[IU]/mL",
    "mIU/mL": "m[IU]/mL",
    "uIU/mL": "u[IU]/mL",
    "mOsm/kg": "mosm/kg",
    "K/uL": "10*3/uL",
    "m/uL": "10*6/uL",
    "#/uL": "/uL",
    "/hpf": "/[HPF]",
    "#/hpf": "/[HPF]",
    "#/lpf": "/[LPF]",
    "mm Hg": "mm[Hg]",
    "mmHg": "mm[Hg]",
    "mm/hr": "mm/h",
    "sec": "s",
    "min": "min",
    "hrs": "h",
    "mL/min": "mL/min",
    "L/min": "L/min",
    "mg/g": "mg/g",
    "mg/mg": "mg/mg",
    "mg/24hr": "mg/(24.h)",
    "mg/day": "mg/d",
    "mL/hr": "mL/h",
    "ml/hr": "mL/h",
    "gm/hr": "g/h",
    "mg/hr": "mg/h",
    "mg/kg/hr": "mg/kg/h",
    "mg/min": "mg/min",
    "mcg/h": "ug/h",
    "mcg/hr": "ug/h",
    "mcg/kg/hr": "ug/kg/h",
    "mcg/kg/min": "ug/kg/min",
    "kg": "kg",
    "lb": "[lb_av]",
    "cm": "cm",
    "inch": "[in_i]",
    "kg/m2": "kg/m2",
    "°F": "[degF]",
    "°C": "Cel",
    "bpm": "/min",
    "insp/min": "/min",
    "days": "d",
}
"""MIMIC-IV unit -> UCUM (https://ucum.org).

``units``, ``Ratio``, ``U``, ``ng/mL FEU`` (UCUM sees no difference to DDU) and product counts have no exact code.
"""
