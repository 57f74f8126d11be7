"""Names of analytes and drugs: found whole, never by likeness, in English and Chinese."""

import csv
import gzip
from pathlib import Path

import pytest

from state.base import InputError, Language
from tools.vocabulary import Vocabulary
from tools.vocabulary.lexicon import Lexicon


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(
    ("text", "analyte"),
    [
        ("Potassium", "potassium"),
        ("  serum   POTASSIUM ", "potassium"),
        ("K+", "potassium"),
        ("血钾", "potassium"),
        ("Potassium, Whole Blood", "potassium_whole_blood"),
        ("urine potassium", "potassium_urine"),
        ("肌酐", "creatinine"),
        ("INR(PT)", "inr"),
        ("tacroFK", "tacrolimus_level"),
        ("Asparate Aminotransferase (AST)", "ast"),
        ("NT-proBNP", "ntprobnp"),
        ("potass", None),
        ("potassium chloride", None),
        ("creatinine clearance", None),
        ("hemoglobin A1c", "hba1c"),
        ("", None),
    ],
)
def test_an_analyte_is_found_by_its_whole_name(vocabulary: Vocabulary, text: str, analyte: str | None):
    found = vocabulary.analyte(text)
    assert (found.id if found else None) == analyte


def test_specimens_are_different_analytes(vocabulary: Vocabulary):
    items = {
        50971: "potassium",
        50822: "potassium_whole_blood",
        51097: "potassium_urine",
        50809: "glucose_whole_blood",
    }
    for itemid, analyte in items.items():
        found = vocabulary.analyte_of_item(itemid)
        assert found is not None
        assert found.id == analyte
    assert vocabulary.analyte_of_item(1) is None


def test_a_misspelled_analyte_gets_suggestions(vocabulary: Vocabulary):
    assert vocabulary.nearest_analytes("potasium")[0] == "potassium"
    assert "potassium" in vocabulary.nearest_analytes("potassium level today")
    assert vocabulary.nearest_analytes("qqqqqq") == ()
    assert len(vocabulary.nearest_analytes("serum", n=3)) <= 3


@pytest.mark.parametrize(
    ("text", "analytes"),
    [
        ("K 6.1, Cr 2.1 and Na 128", ["potassium", "creatinine", "sodium"]),
        ("k of the matter", []),
        ("WBC 12 K/uL", ["wbc"]),
        ("vitamin K for an INR of 9", ["inr"]),
        ("stop potassium chloride; losartan potassium goes on", []),
        ("potassium, chloride", ["potassium", "chloride"]),
        ("urine potassium 20, whole blood potassium 5.9", ["potassium_urine", "potassium_whole_blood"]),
        ("患者血钾6.1mmol/L，肌酐升高，停用氯化钾", ["potassium", "creatinine"]),
        ("尿钾", ["potassium_urine"]),
        ("血清铁蛋白12 ng/mL，转铁蛋白饱和度8%", ["ferritin", "transferrin"]),
        ("肌钙蛋白升高，降钙素原正常，脑钠肽不高", []),
        ("高敏肌钙蛋白T 0.05 ng/mL", ["troponin_t"]),
        ("停用泮托拉唑钠、头孢曲松钠及阿莫西林克拉维酸钾，静脉泵入硝普钠", []),
        ("头孢曲松期间血钠130 mEq/L", ["sodium"]),
        ("维生素B12 150 pg/mL，血色素80 g/L", ["vitamin_b12_level", "hemoglobin"]),
        ("丙氨酸转氨酶和门冬氨酸氨基转移酶", ["alt", "ast"]),
        ("促甲状腺素、甲状旁腺素、氨基末端脑钠肽前体", ["tsh", "pth", "ntprobnp"]),
        ("凝血酶原时间国际标准化比值2.5", ["inr"]),
        ("血清渗透压270，渗透压间隙12", ["osmolality"]),
        ("葡萄糖-6-磷酸脱氢酶缺乏，glucose-6-phosphate dehydrogenase", []),
        ("停用螺内酯等保钾药", []),
        ("creatine kinase-MB up, creatine kinase up", ["ck_mb", "ck"]),
        ("hypokalemia", []),
        ("Digoxin 2.4 ng/mL", ["digoxin_level"]),
        ("potassium\nchloride", ["potassium", "chloride"]),
        ("Ｋ ６.１", ["potassium"]),
    ],
)
def test_mentions_of_analytes_in_free_text(vocabulary: Vocabulary, text: str, analytes: list[str]):
    assert [analyte.id for analyte in vocabulary.analytes_in(text)] == analytes


@pytest.mark.parametrize(
    ("drug", "ingredient"),
    [
        ("Potassium Chloride Replacement (Critical Care and Oncology) ", "potassium_chloride"),
        ("Potassium Chloride (Powder)", "potassium_chloride"),
        ("Potassium Phosphate", "potassium_phosphate"),
        ("Potassium", None),
        ("Sodium Chloride 0.9%  Flush", "sodium_chloride_flush"),
        ("0.9% Sodium Chloride", "sodium_chloride"),
        ("Heparin Flush (10 units/ml)", "heparin_flush"),
        ("Heparin Dwell (1000 Units/mL)", "heparin_flush"),
        ("Heparin (CRRT Machine Priming)", "heparin_circuit"),
        ("Heparin Sodium", "heparin"),
        ("Heparin (porcine) in unknown device", None),
        ("HydrALAzine", "hydralazine"),
        ("HydrOXYzine", "hydroxyzine"),
        ("PredniSONE", "prednisone"),
        ("PrednisoLONE", "prednisolone"),
        ("PrednisoLONE Acetate 1% Ophth. Susp.", "prednisolone_eye"),
        ("MethylPREDNISolone Sodium Succ", "methylprednisolone"),
        ("泼尼松", "prednisone"),
        ("泼尼松龙", "prednisolone"),
        ("甲基泼尼松龙", "methylprednisolone"),
        ("氯化钾缓释片", "potassium_chloride"),
        ("华法林钠片", "warfarin"),
        ("Coumadin", "warfarin"),
        ("Lisinopril 10 mg Tab", "lisinopril"),
        ("Lisinopril-Hydrochlorothiazide", "lisinopril_hydrochlorothiazide"),
        ("hydrochlorothiazide / lisinopril", "lisinopril_hydrochlorothiazide"),
        ("Lisinopril-Amlodipine", None),
        ("Metoprolol Succinate XL", "metoprolol_succinate"),
        ("Metoprolol Tartrate", "metoprolol_tartrate"),
        ("MetFORMIN XR (Glucophage XR)", "metformin"),
        ("Insulin (Regular) for Hyperkalemia", "insulin_for_hyperkalemia"),
        ("Insulin Human Regular", "insulin_regular"),
        ("Calcium Gluconate sliding scale (Critical Care-Ionized calcium)", "calcium_gluconate_replacement"),
        ("Calcium Gluconate Replacement (Oncology)", "calcium_gluconate_replacement"),
        ("Calcium Gluconate", "calcium_gluconate"),
        ("Magnesium Sulfate Replacement (Critical Care and Oncology)", "magnesium_sulfate"),
        ("Potassium Phosphate Replacement (Oncology)", "potassium_phosphate"),
        ("Insulin Lispro Protamine Mix", None),
        ("Digoxin Immune Fab", None),
        ("Phenytoin Sodium Extended", "phenytoin"),
        ("Vancomycin Oral Liquid", "vancomycin"),
        ("Vancomycin Enema", None),
        ("Ketorolac 0.5% Ophth Soln", "ketorolac_eye"),
        ("warfarine", None),
        ("地尔硫䓬", "diltiazem"),
        ("盐酸地尔硫䓬缓释胶囊", "diltiazem"),
        ("注射用哌拉西林钠他唑巴坦钠", "piperacillin_tazobactam"),
        ("哌拉西林/他唑巴坦", "piperacillin_tazobactam"),
        ("复方磺胺甲恶唑片", "sulfamethoxazole_trimethoprim"),
        ("阿莫西林克拉维酸钾片", "amoxicillin_clavulanate"),
        ("别嘌呤醇", "allopurinol"),
        ("倍他乐克缓释片", "metoprolol_succinate"),
        ("倍他乐克", "metoprolol_tartrate"),
        ("硫酸氢氯吡格雷片", "clopidogrel"),
        ("醋酸泼尼松片", "prednisone"),
        ("骨化三醇胶丸", "calcitriol"),
        ("", None),
    ],
)
def test_a_drug_string_is_read_whole(vocabulary: Vocabulary, drug: str, ingredient: str | None):
    found = vocabulary.ingredient(drug)
    assert (found.id if found else None) == ingredient


@pytest.mark.parametrize(
    ("text", "ingredients"),
    [
        ("Hold lisinopril and spironolactone today", ["lisinopril", "spironolactone"]),
        ("start a non-heparin anticoagulant for heparin-induced thrombocytopenia", []),
        ("the heparin flush may go on, heparin stops", ["heparin_flush", "heparin"]),
        ("停用华法林，改低分子肝素", ["warfarin"]),
        ("甲泼尼龙与泼尼松", ["methylprednisolone", "prednisone"]),
        ("a digoxin level of 2.4", []),
        ("hydralazine, not hydroxyzine", ["hydralazine", "hydroxyzine"]),
        ("KCl 20 mEq", ["potassium_chloride"]),
        ("lisinoprilat", []),
    ],
)
def test_mentions_of_drugs_in_free_text(vocabulary: Vocabulary, text: str, ingredients: list[str]):
    assert [drug.id for drug in vocabulary.ingredients_in(text)] == ingredients


def test_a_combination_belongs_to_the_class_of_each_component(vocabulary: Vocabulary):
    thiazides = {drug.id for drug in vocabulary.ingredients_of_class("thiazide")}
    inhibitors = {drug.id for drug in vocabulary.ingredients_of_class("ace_inhibitor")}
    assert "lisinopril_hydrochlorothiazide" in thiazides & inhibitors
    known = {drug.id: set(drug.classes) for drug in vocabulary.ingredients}
    for drug in vocabulary.ingredients:
        for component in drug.components:
            assert known[component] <= known[drug.id], drug.id


def test_a_group_is_the_drugs_of_its_classes(vocabulary: Vocabulary):
    antibacterial = {drug.id for drug in vocabulary.ingredients_of_class("antibacterial")}
    assert {"vancomycin", "cefepime", "nitrofurantoin", "sulfamethoxazole_trimethoprim"} <= antibacterial
    assert not {"fluconazole", "acyclovir"} & antibacterial
    for group in ("antibacterial", "diuretic", "antidiabetic", "anticoagulant"):
        assert len(vocabulary.ingredients_of_class(group)) > 5


@pytest.mark.parametrize(
    ("drug", "replaces", "brings"),
    [
        ("Potassium Chloride", True, True),
        ("Potassium Chloride Replacement (Critical Care and Oncology) ", True, True),
        ("Neutra-Phos", False, True),
        ("Potassium Phosphate", False, True),
        ("Potassium Citrate", False, True),
        ("Potassium Chl 20 mEq / 1000 mL NS", False, True),
        ("Sodium Phosphate", False, False),
        ("Lactated Ringers", False, False),
    ],
)
def test_what_brings_potassium_is_not_all_given_for_want_of_it(
    drug: str, replaces: bool, brings: bool, vocabulary: Vocabulary
):
    classes = set(vocabulary.ingredient(drug).classes)
    assert ("potassium_supplement" in classes, "potassium_source" in classes) == (replaces, brings)


def test_every_name_leads_back_to_its_entry(vocabulary: Vocabulary):
    for analyte in vocabulary.analytes:
        assert set(analyte.names) == set(Language)
        assert all(vocabulary.analyte(word) == analyte for word in analyte.synonyms)
        assert all(analyte in vocabulary.analytes_in(f"{word} 5") for word in analyte.synonyms), analyte.id
    for drug in vocabulary.ingredients:
        assert set(drug.names) == set(Language)
        assert all(vocabulary.ingredient(word) == drug for word in drug.synonyms)
        assert all(drug in vocabulary.ingredients_in(f"give {word}.") for word in drug.synonyms), drug.id


def test_a_word_with_two_meanings_is_refused():
    lexicon = Lexicon("drugs.yaml")
    lexicon.add("Lasix", "furosemide")
    with pytest.raises(InputError, match=r"drugs\.yaml: 'LASIX' names both furosemide and torsemide"):
        lexicon.add("LASIX", "torsemide")


def test_items_are_of_the_specimen_the_record_names(vocabulary: Vocabulary, mimic_demo: Path):
    with gzip.open(mimic_demo / "hosp" / "d_labitems.csv.gz", "rt", encoding="utf-8") as lines:
        recorded = {int(row["itemid"]): row for row in csv.DictReader(lines)}
    for analyte in vocabulary.analytes:
        fluid = "Urine" if analyte.specimen == "urine" else "Blood"
        assert analyte.itemids
        for itemid in analyte.itemids:
            assert recorded[itemid]["fluid"] == fluid, (analyte.id, itemid)
            gas = recorded[itemid]["category"] == "Blood Gas"
            assert not (gas and analyte.specimen in {"serum", "plasma"} and itemid != 52030), (
                analyte.id,
                itemid,
            )


def test_most_orders_of_the_demo_are_named(vocabulary: Vocabulary, mimic_demo: Path):
    with gzip.open(mimic_demo / "hosp" / "prescriptions.csv.gz", "rt", encoding="utf-8") as lines:
        drugs = [row["drug"] for row in csv.DictReader(lines) if row["drug_type"] == "MAIN"]
    known = {drug: vocabulary.ingredient(drug) for drug in set(drugs)}
    assert sum(known[drug] is not None for drug in drugs) / len(drugs) > 0.95
    potassium = {drug for drug, found in known.items() if found and "potassium_supplement" in found.classes}
    assert not {drug for drug in potassium if "losartan" in drug.lower() or "sodium chloride" in drug.lower()}
