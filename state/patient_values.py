"""The closed sets in which facts about a patient are told."""

from enum import StrEnum


class Level(StrEnum):
    """How much of a trait."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Completeness(StrEnum):
    """What a patient tells unasked: all, a part, or all but what matters most."""

    FULL = "full"
    PARTIAL = "partial"
    CRITICAL_WITHHELD = "critical_withheld"


class SpanUnit(StrEnum):
    """Units a patient counts time in."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class Side(StrEnum):
    """A side of the body."""

    LEFT = "left"
    RIGHT = "right"


class Course(StrEnum):
    """How a symptom went until the patient came to the hospital."""

    WORSE = "worse"
    BETTER = "better"
    SAME = "same"
    COMES_AND_GOES = "comes_and_goes"


class Severity(StrEnum):
    """How bad a symptom was."""

    MILD = "mild"
    MODERATE = "moderate"
    SEVERE = "severe"


class HomeUse(StrEnum):
    """What a patient does with a drug at home."""

    TAKING = "taking"
    MISSING_DOSES = "missing_doses"
    NOT_TAKING = "not_taking"
    TAKING_MORE = "taking_more"


class Reason(StrEnum):
    """Why a drug is not taken as it was prescribed."""

    COST = "cost"
    SIDE_EFFECT = "side_effect"
    RAN_OUT = "ran_out"
    MISUNDERSTOOD = "misunderstood"
    FORGETS = "forgets"
    FELT_BETTER = "felt_better"


class InHospital(StrEnum):
    """What has become of a drug since the patient came in: last dose given, last dose not given, never given."""

    GIVEN = "given"
    NOT_GIVEN = "not_given"
    NEVER_GIVEN = "never_given"


class Social(StrEnum):
    """Social facts; the topic is the word before the first underscore."""

    LIVING_ALONE = "living_alone"
    LIVING_WITH_SPOUSE = "living_with_spouse"
    LIVING_WITH_FAMILY = "living_with_family"
    LIVING_IN_FACILITY = "living_in_facility"
    LIVING_HOMELESS = "living_homeless"
    SMOKING_NEVER = "smoking_never"
    SMOKING_FORMER = "smoking_former"
    SMOKING_CURRENT = "smoking_current"
    ALCOHOL_NONE = "alcohol_none"
    ALCOHOL_SOMETIMES = "alcohol_sometimes"
    ALCOHOL_DAILY = "alcohol_daily"
    DRUGS_NONE = "drugs_none"
    DRUGS_FORMER = "drugs_former"
    DRUGS_CURRENT = "drugs_current"
    WORK_RETIRED = "work_retired"
    WORK_WORKING = "work_working"
    WORK_DISABLED = "work_disabled"
    WORK_NONE = "work_none"


class Functional(StrEnum):
    """What a patient can do; ``leaving``: at the end of the earlier hospital stay."""

    WALKING_ALONE = "walking_alone"
    WALKING_WITH_AID = "walking_with_aid"
    WALKING_NOT = "walking_not"
    LEAVING_WALKING = "leaving_walking"
    LEAVING_WITH_AID = "leaving_with_aid"
    LEAVING_IN_CHAIR = "leaving_in_chair"
    LEAVING_BEDBOUND = "leaving_bedbound"
    CARE_ALONE = "care_alone"
    CARE_WITH_HELP = "care_with_help"
    HOUSEHOLD_ALONE = "household_alone"
    HOUSEHOLD_WITH_HELP = "household_with_help"
    PILLS_ALONE = "pills_alone"
    PILLS_WITH_HELP = "pills_with_help"
