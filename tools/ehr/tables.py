"""The tables of MIMIC-IV 2.2 to 3.1 as data: names, columns and DuckDB types.

Sources: https://mimic.mit.edu/docs/iv/modules/ (hosp, icu, ed, note). Codes (ICD, NDC, GSN, DRG, HCPCS) are
text, so that leading zeros stay.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

MODULES = ("hosp", "icu", "ed", "note")

PROVIDER_COLUMNS = frozenset({"admit_provider_id", "order_provider_id", "enter_provider_id", "caregiver_id"})
"""Added in MIMIC-IV 2.2; exports of it are met without them."""


@dataclass(frozen=True)
class Table:
    """One table: ``name`` is ``module.table``, ``columns`` maps column to DuckDB type in MIMIC-IV's order.

    ``key`` is checked to be unique where other tables are joined by it and one row too many would multiply theirs.
    """

    name: str
    columns: Mapping[str, str]
    optional: frozenset[str]
    required: bool = False
    key: str | None = None

    @property
    def module(self) -> str:
        """Name the module, ``hosp`` of ``hosp.labevents``."""
        return self.name.partition(".")[0]

    @property
    def file_stem(self) -> str:
        """Name the PhysioNet file without its extension, ``hosp/labevents``."""
        return self.name.replace(".", "/")

    @property
    def of_subjects(self) -> bool:
        """Tell whether rows belong to a patient; the others are dictionaries."""
        return "subject_id" in self.columns

    @property
    def order(self) -> tuple[str, ...]:
        """List the columns rows are sorted by: the patient first, then all others but a note's text."""
        rest = tuple(column for column in self.columns if column not in {"subject_id", "text"})
        return ("subject_id", *rest) if self.of_subjects else rest

    @property
    def ddl(self) -> str:
        """Build the CREATE TABLE statement."""
        columns = ", ".join(f'"{name}" {kind}' for name, kind in self.columns.items())
        return f"CREATE TABLE {self.name} ({columns})"


def _table(name: str, columns: str, *, required: bool = False, key: str | None = None) -> Table:
    typed = dict(column.split() for column in columns.split(","))
    return Table(name, MappingProxyType(typed), PROVIDER_COLUMNS & typed.keys(), required, key)


_ALL = (
    _table(
        "hosp.patients",
        """subject_id INTEGER, gender VARCHAR, anchor_age INTEGER, anchor_year INTEGER,
        anchor_year_group VARCHAR, dod DATE""",
        required=True,
        key="subject_id",
    ),
    _table(
        "hosp.admissions",
        """subject_id INTEGER, hadm_id INTEGER, admittime TIMESTAMP, dischtime TIMESTAMP, deathtime TIMESTAMP,
        admission_type VARCHAR, admit_provider_id VARCHAR, admission_location VARCHAR,
        discharge_location VARCHAR, insurance VARCHAR, language VARCHAR, marital_status VARCHAR,
        race VARCHAR, edregtime TIMESTAMP, edouttime TIMESTAMP, hospital_expire_flag SMALLINT""",
        required=True,
        key="hadm_id",
    ),
    _table(
        "hosp.transfers",
        """subject_id INTEGER, hadm_id INTEGER, transfer_id INTEGER, eventtype VARCHAR, careunit VARCHAR,
        intime TIMESTAMP, outtime TIMESTAMP""",
    ),
    _table(
        "hosp.services",
        """subject_id INTEGER, hadm_id INTEGER, transfertime TIMESTAMP, prev_service VARCHAR,
        curr_service VARCHAR""",
    ),
    _table(
        "hosp.diagnoses_icd",
        "subject_id INTEGER, hadm_id INTEGER, seq_num INTEGER, icd_code VARCHAR, icd_version SMALLINT",
    ),
    _table(
        "hosp.procedures_icd",
        """subject_id INTEGER, hadm_id INTEGER, seq_num INTEGER, chartdate DATE, icd_code VARCHAR,
        icd_version SMALLINT""",
    ),
    _table(
        "hosp.drgcodes",
        """subject_id INTEGER, hadm_id INTEGER, drg_type VARCHAR, drg_code VARCHAR, description VARCHAR,
        drg_severity SMALLINT, drg_mortality SMALLINT""",
    ),
    _table(
        "hosp.hcpcsevents",
        """subject_id INTEGER, hadm_id INTEGER, chartdate DATE, hcpcs_cd VARCHAR, seq_num INTEGER,
        short_description VARCHAR""",
    ),
    _table(
        "hosp.labevents",
        """labevent_id BIGINT, subject_id INTEGER, hadm_id INTEGER, specimen_id INTEGER, itemid INTEGER,
        order_provider_id VARCHAR, charttime TIMESTAMP, storetime TIMESTAMP, value VARCHAR, valuenum DOUBLE,
        valueuom VARCHAR, ref_range_lower DOUBLE, ref_range_upper DOUBLE, flag VARCHAR, priority VARCHAR,
        comments VARCHAR""",
    ),
    _table(
        "hosp.microbiologyevents",
        """microevent_id BIGINT, subject_id INTEGER, hadm_id INTEGER, micro_specimen_id INTEGER,
        order_provider_id VARCHAR, chartdate TIMESTAMP, charttime TIMESTAMP, spec_itemid INTEGER,
        spec_type_desc VARCHAR, test_seq INTEGER, storedate TIMESTAMP, storetime TIMESTAMP,
        test_itemid INTEGER, test_name VARCHAR, org_itemid INTEGER, org_name VARCHAR, isolate_num INTEGER,
        quantity VARCHAR, ab_itemid INTEGER, ab_name VARCHAR, dilution_text VARCHAR,
        dilution_comparison VARCHAR, dilution_value DOUBLE, interpretation VARCHAR, comments VARCHAR""",
    ),
    _table(
        "hosp.prescriptions",
        """subject_id INTEGER, hadm_id INTEGER, pharmacy_id INTEGER, poe_id VARCHAR, poe_seq INTEGER,
        order_provider_id VARCHAR, starttime TIMESTAMP, stoptime TIMESTAMP, drug_type VARCHAR, drug VARCHAR,
        formulary_drug_cd VARCHAR, gsn VARCHAR, ndc VARCHAR, prod_strength VARCHAR, form_rx VARCHAR,
        dose_val_rx VARCHAR, dose_unit_rx VARCHAR, form_val_disp VARCHAR, form_unit_disp VARCHAR,
        doses_per_24_hrs DOUBLE, route VARCHAR""",
    ),
    _table(
        "hosp.pharmacy",
        """subject_id INTEGER, hadm_id INTEGER, pharmacy_id INTEGER, poe_id VARCHAR, starttime TIMESTAMP,
        stoptime TIMESTAMP, medication VARCHAR, proc_type VARCHAR, status VARCHAR, entertime TIMESTAMP,
        verifiedtime TIMESTAMP, route VARCHAR, frequency VARCHAR, disp_sched VARCHAR, infusion_type VARCHAR,
        sliding_scale VARCHAR, lockout_interval VARCHAR, basal_rate DOUBLE, one_hr_max VARCHAR,
        doses_per_24_hrs DOUBLE, duration DOUBLE, duration_interval VARCHAR, expiration_value INTEGER,
        expiration_unit VARCHAR, expirationdate TIMESTAMP, dispensation VARCHAR, fill_quantity VARCHAR""",
    ),
    _table(
        "hosp.poe",
        """poe_id VARCHAR, poe_seq INTEGER, subject_id INTEGER, hadm_id INTEGER, ordertime TIMESTAMP,
        order_type VARCHAR, order_subtype VARCHAR, transaction_type VARCHAR, discontinue_of_poe_id VARCHAR,
        discontinued_by_poe_id VARCHAR, order_provider_id VARCHAR, order_status VARCHAR""",
    ),
    _table(
        "hosp.poe_detail",
        "poe_id VARCHAR, poe_seq INTEGER, subject_id INTEGER, field_name VARCHAR, field_value VARCHAR",
    ),
    _table(
        "hosp.emar",
        """subject_id INTEGER, hadm_id INTEGER, emar_id VARCHAR, emar_seq INTEGER, poe_id VARCHAR,
        pharmacy_id INTEGER, enter_provider_id VARCHAR, charttime TIMESTAMP, medication VARCHAR,
        event_txt VARCHAR, scheduletime TIMESTAMP, storetime TIMESTAMP""",
    ),
    _table(
        "hosp.emar_detail",
        """subject_id INTEGER, emar_id VARCHAR, emar_seq INTEGER, parent_field_ordinal VARCHAR,
        administration_type VARCHAR, pharmacy_id INTEGER, barcode_type VARCHAR,
        reason_for_no_barcode VARCHAR, complete_dose_not_given VARCHAR, dose_due VARCHAR,
        dose_due_unit VARCHAR, dose_given VARCHAR, dose_given_unit VARCHAR,
        will_remainder_of_dose_be_given VARCHAR, product_amount_given VARCHAR, product_unit VARCHAR,
        product_code VARCHAR, product_description VARCHAR, product_description_other VARCHAR,
        prior_infusion_rate VARCHAR, infusion_rate VARCHAR, infusion_rate_adjustment VARCHAR,
        infusion_rate_adjustment_amount VARCHAR, infusion_rate_unit VARCHAR, route VARCHAR,
        infusion_complete VARCHAR, completion_interval VARCHAR, new_iv_bag_hung VARCHAR,
        continued_infusion_in_other_location VARCHAR, restart_interval VARCHAR, side VARCHAR, site VARCHAR,
        non_formulary_visual_verification VARCHAR""",
    ),
    _table(
        "hosp.omr",
        "subject_id INTEGER, chartdate DATE, seq_num INTEGER, result_name VARCHAR, result_value VARCHAR",
    ),
    _table(
        "hosp.provider",
        "provider_id VARCHAR",
    ),
    _table(
        "hosp.d_labitems",
        "itemid INTEGER, label VARCHAR, fluid VARCHAR, category VARCHAR",
    ),
    _table(
        "hosp.d_icd_diagnoses",
        "icd_code VARCHAR, icd_version SMALLINT, long_title VARCHAR",
    ),
    _table(
        "hosp.d_icd_procedures",
        "icd_code VARCHAR, icd_version SMALLINT, long_title VARCHAR",
    ),
    _table(
        "hosp.d_hcpcs",
        "code VARCHAR, category VARCHAR, long_description VARCHAR, short_description VARCHAR",
    ),
    _table(
        "icu.icustays",
        """subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, first_careunit VARCHAR,
        last_careunit VARCHAR, intime TIMESTAMP, outtime TIMESTAMP, los DOUBLE""",
    ),
    _table(
        "icu.caregiver",
        "caregiver_id INTEGER",
    ),
    _table(
        "icu.d_items",
        """itemid INTEGER, label VARCHAR, abbreviation VARCHAR, linksto VARCHAR, category VARCHAR,
        unitname VARCHAR, param_type VARCHAR, lownormalvalue DOUBLE, highnormalvalue DOUBLE""",
    ),
    _table(
        "icu.chartevents",
        """subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, caregiver_id INTEGER, charttime TIMESTAMP,
        storetime TIMESTAMP, itemid INTEGER, value VARCHAR, valuenum DOUBLE, valueuom VARCHAR,
        warning SMALLINT""",
    ),
    _table(
        "icu.datetimeevents",
        """subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, caregiver_id INTEGER, charttime TIMESTAMP,
        storetime TIMESTAMP, itemid INTEGER, value TIMESTAMP, valueuom VARCHAR, warning SMALLINT""",
    ),
    _table(
        "icu.inputevents",
        """subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, caregiver_id INTEGER, starttime TIMESTAMP,
        endtime TIMESTAMP, storetime TIMESTAMP, itemid INTEGER, amount DOUBLE, amountuom VARCHAR,
        rate DOUBLE, rateuom VARCHAR, orderid INTEGER, linkorderid INTEGER, ordercategoryname VARCHAR,
        secondaryordercategoryname VARCHAR, ordercomponenttypedescription VARCHAR,
        ordercategorydescription VARCHAR, patientweight DOUBLE, totalamount DOUBLE, totalamountuom VARCHAR,
        isopenbag SMALLINT, continueinnextdept SMALLINT, statusdescription VARCHAR, originalamount DOUBLE,
        originalrate DOUBLE""",
    ),
    _table(
        "icu.ingredientevents",
        """subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, caregiver_id INTEGER, starttime TIMESTAMP,
        endtime TIMESTAMP, storetime TIMESTAMP, itemid INTEGER, amount DOUBLE, amountuom VARCHAR,
        rate DOUBLE, rateuom VARCHAR, orderid INTEGER, linkorderid INTEGER, statusdescription VARCHAR,
        originalamount DOUBLE, originalrate DOUBLE""",
    ),
    _table(
        "icu.outputevents",
        """subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, caregiver_id INTEGER, charttime TIMESTAMP,
        storetime TIMESTAMP, itemid INTEGER, value DOUBLE, valueuom VARCHAR""",
    ),
    _table(
        "icu.procedureevents",
        """subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, caregiver_id INTEGER, starttime TIMESTAMP,
        endtime TIMESTAMP, storetime TIMESTAMP, itemid INTEGER, value DOUBLE, valueuom VARCHAR,
        location VARCHAR, locationcategory VARCHAR, orderid INTEGER, linkorderid INTEGER,
        ordercategoryname VARCHAR, ordercategorydescription VARCHAR, patientweight DOUBLE,
        isopenbag SMALLINT, continueinnextdept SMALLINT, statusdescription VARCHAR, originalamount DOUBLE,
        originalrate DOUBLE""",
    ),
    _table(
        "ed.edstays",
        """subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, intime TIMESTAMP, outtime TIMESTAMP,
        gender VARCHAR, race VARCHAR, arrival_transport VARCHAR, disposition VARCHAR""",
        key="stay_id",
    ),
    _table(
        "ed.triage",
        """subject_id INTEGER, stay_id INTEGER, temperature DOUBLE, heartrate DOUBLE, resprate DOUBLE,
        o2sat DOUBLE, sbp DOUBLE, dbp DOUBLE, pain VARCHAR, acuity DOUBLE, chiefcomplaint VARCHAR""",
    ),
    _table(
        "ed.diagnosis",
        """subject_id INTEGER, stay_id INTEGER, seq_num INTEGER, icd_code VARCHAR, icd_version SMALLINT,
        icd_title VARCHAR""",
    ),
    _table(
        "ed.medrecon",
        """subject_id INTEGER, stay_id INTEGER, charttime TIMESTAMP, name VARCHAR, gsn VARCHAR, ndc VARCHAR,
        etc_rn INTEGER, etccode VARCHAR, etcdescription VARCHAR""",
    ),
    _table(
        "ed.pyxis",
        """subject_id INTEGER, stay_id INTEGER, charttime TIMESTAMP, med_rn INTEGER, name VARCHAR,
        gsn_rn INTEGER, gsn VARCHAR""",
    ),
    _table(
        "ed.vitalsign",
        """subject_id INTEGER, stay_id INTEGER, charttime TIMESTAMP, temperature DOUBLE, heartrate DOUBLE,
        resprate DOUBLE, o2sat DOUBLE, sbp DOUBLE, dbp DOUBLE, rhythm VARCHAR, pain VARCHAR""",
    ),
    _table(
        "note.discharge",
        """note_id VARCHAR, subject_id INTEGER, hadm_id INTEGER, note_type VARCHAR, note_seq INTEGER,
        charttime TIMESTAMP, storetime TIMESTAMP, text VARCHAR""",
    ),
    _table(
        "note.radiology",
        """note_id VARCHAR, subject_id INTEGER, hadm_id INTEGER, note_type VARCHAR, note_seq INTEGER,
        charttime TIMESTAMP, storetime TIMESTAMP, text VARCHAR""",
    ),
    _table(
        "note.discharge_detail",
        "note_id VARCHAR, subject_id INTEGER, field_name VARCHAR, field_value VARCHAR, field_ordinal INTEGER",
    ),
    _table(
        "note.radiology_detail",
        "note_id VARCHAR, subject_id INTEGER, field_name VARCHAR, field_value VARCHAR, field_ordinal INTEGER",
    ),
)

TABLES: Mapping[str, Table] = MappingProxyType({table.name: table for table in _ALL})
"""Every table of hosp, icu, ed and note, in that order."""
