"""Bad input: one sentence that names the file, and nothing written."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from state.base import InputError
from tools.ehr.ingest import ingest

LAB = {"labevent_id": 5, "subject_id": 1, "charttime": "2150-01-01 08:00:00", "valuenum": 4.1}


def cut_short(physionet) -> None:
    path = physionet.table(
        "hosp.labevents", *(LAB | {"labevent_id": n, "value": n * 7919} for n in range(2000))
    )
    path.write_bytes(path.read_bytes()[:-200])


def without_its_last_bytes(physionet) -> None:
    path = physionet.table("hosp.labevents", LAB)
    path.write_bytes(path.read_bytes()[:-8])


def flipped_byte(physionet) -> None:
    path = physionet.table(
        "hosp.labevents", *(LAB | {"labevent_id": n, "value": n * 7919} for n in range(2000))
    )
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    path.write_bytes(damaged)


def not_gzip(physionet) -> None:
    (physionet.root / "hosp" / "labevents.csv.gz").write_text("labevent_id,subject_id\n")


def empty_file(physionet) -> None:
    (physionet.root / "hosp" / "labevents.csv").write_bytes(b"")


def two_forms(physionet) -> None:
    physionet.table("hosp.labevents", LAB)
    physionet.raw("hosp/labevents.csv", "x")


def lacks_a_column(physionet) -> None:
    physionet.table("hosp.labevents", without="storetime")


def names_a_column_twice(physionet) -> None:
    physionet.table("hosp.labevents", extra="Value")


def word_for_a_number(physionet) -> None:
    physionet.table("hosp.labevents", LAB, LAB | {"valuenum": "high"}, LAB)


def fraction_for_a_whole_number(physionet) -> None:
    physionet.table("hosp.labevents", LAB | {"comments": "two\nlines"}, LAB | {"hadm_id": "20000001.5"})


def number_out_of_range(physionet) -> None:
    physionet.table("hosp.labevents", LAB, LAB | {"itemid": 5 * 10**9})


def endless_number(physionet) -> None:
    physionet.table("hosp.labevents", LAB | {"valuenum": "inf"})


def day_that_does_not_exist(physionet) -> None:
    physionet.table("hosp.labevents", LAB | {"charttime": "2150-02-30 08:00:00"})


def a_value_too_few(physionet) -> None:
    physionet.raw(
        "hosp/poe_detail.csv", "poe_id,poe_seq,subject_id,field_name,field_value\n1-1,1,1,a,b\n1-2,2,1,c\n"
    )


def blank_line(physionet) -> None:
    physionet.raw("hosp/d_labitems.csv", "itemid,label,fluid,category\n1,a,b,c\n\n2,a,b,c\n")


def open_quote(physionet) -> None:
    physionet.raw("hosp/d_labitems.csv", 'itemid,label,fluid,category\n1,a,b,c\n2,"a,b,c\n')


def not_utf_8(physionet) -> None:
    path = physionet.raw("hosp/d_labitems.csv", "itemid,label,fluid,category\n1,a,b,c\n")
    path.write_bytes(path.read_bytes() + b"2,\xff\xfe,b,c\n")


def no_admissions(physionet) -> None:
    (physionet.root / "hosp" / "admissions.csv.gz").unlink()


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (cut_short, r"hosp/labevents\.csv\.gz .*(cut short|not a whole gzip file)"),
        (without_its_last_bytes, r"hosp/labevents\.csv\.gz is cut short"),
        (flipped_byte, r"hosp/labevents\.csv\.gz is not a whole gzip file"),
        (not_gzip, r"hosp/labevents\.csv\.gz is not a whole gzip file"),
        (empty_file, r"hosp/labevents\.csv is empty"),
        (two_forms, r"hosp/labevents\.csv and .*hosp/labevents\.csv\.gz both hold hosp\.labevents"),
        (lacks_a_column, r"hosp/labevents\.csv\.gz lacks the column storetime"),
        (names_a_column_twice, r"hosp/labevents\.csv\.gz names a column twice"),
        (word_for_a_number, r"hosp/labevents\.csv\.gz line 3: the value of valuenum .* DOUBLE"),
        (fraction_for_a_whole_number, r"hosp/labevents\.csv\.gz line 4: the value of hadm_id .* INTEGER"),
        (number_out_of_range, r"hosp/labevents\.csv\.gz line 3: the value of itemid .* INTEGER"),
        (endless_number, r"hosp/labevents\.csv\.gz line 2: the value of valuenum .* DOUBLE"),
        (day_that_does_not_exist, r"hosp/labevents\.csv\.gz line 2: the value of charttime .* TIMESTAMP"),
        (a_value_too_few, r"hosp/poe_detail\.csv line 3: 4 values, but the header names 5 columns"),
        (blank_line, r"hosp/d_labitems\.csv has 3 records but 2 rows could be read"),
        (open_quote, r"hosp/d_labitems\.csv ends inside a quoted value"),
        (not_utf_8, r"hosp/d_labitems\.csv line 3: .*UTF-8"),
        (no_admissions, r"no hosp/admissions\.csv or \.csv\.gz"),
    ],
)
def test_a_damaged_source_is_refused_in_one_sentence(
    physionet, tmp_path: Path, damage: Callable[[object], None], sentence: str
) -> None:
    damage(physionet)
    (tmp_path / "target").mkdir()
    with pytest.raises(InputError) as refusal:
        ingest(physionet.root, tmp_path / "target" / "e.duckdb")
    assert re.search(sentence, str(refusal.value))
    assert "\n" not in str(refusal.value)
    assert list((tmp_path / "target").iterdir()) == []


def test_the_sentence_holds_no_value_of_the_record(physionet, tmp_path: Path) -> None:
    physionet.table("hosp.labevents", LAB | {"valuenum": "SECRET", "comments": "PRIVATE"})
    with pytest.raises(InputError) as refusal:
        ingest(physionet.root, tmp_path / "e.duckdb")
    assert not re.search("SECRET|PRIVATE", str(refusal.value))


@pytest.mark.parametrize("memory", ["much", "-3GB", ""])
def test_an_amount_of_memory_must_be_one(physionet, tmp_path: Path, memory: str) -> None:
    with pytest.raises(InputError, match="write it like 2GB"):
        ingest(physionet.root, tmp_path / "e.duckdb", memory_limit=memory)


@pytest.mark.parametrize("memory", ["0GB", "1KB", "100KB", "1 MB", "99999999TB"])
def test_an_amount_of_memory_that_cannot_be_worked_in_is_named(
    physionet, tmp_path: Path, memory: str
) -> None:
    (tmp_path / "target").mkdir()
    with pytest.raises(InputError, match=f"{memory} is more|{memory} of memory|in the memory allowed"):
        ingest(physionet.root, tmp_path / "target" / "e.duckdb", memory_limit=memory)
    assert list((tmp_path / "target").iterdir()) == []


def test_too_little_memory_is_said_so(physionet, tmp_path: Path) -> None:
    physionet.table("hosp.labevents", *(LAB | {"labevent_id": n} for n in range(20000)))
    with pytest.raises(InputError, match="allow more with --memory"):
        ingest(physionet.root, tmp_path / "e.duckdb", memory_limit="3MB")
    assert not (tmp_path / "e.duckdb").exists()


def test_a_missing_directory_and_a_module_in_its_place_are_named(physionet, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no directory .*nowhere"):
        ingest(tmp_path / "nowhere", tmp_path / "e.duckdb")
    with pytest.raises(InputError, match="hosp is one module: give the directory that holds hosp/"):
        ingest(physionet.root / "hosp", tmp_path / "e.duckdb")
    assert not (tmp_path / "e.duckdb").exists()


def test_a_patient_or_stay_that_comes_twice_is_named(physionet, patient, tmp_path: Path) -> None:
    out = tmp_path / "e.duckdb"
    stays = ({"subject_id": 1, "stay_id": 7}, {"subject_id": 2, "stay_id": 7})
    twice = physionet.table("ed.edstays", *stays)
    with pytest.raises(InputError, match=r"ed/edstays\.csv\.gz has 2 rows of stay_id 7 \(of patient 1\)"):
        ingest(physionet.root, out)
    twice.unlink()
    physionet.table("hosp.admissions", *({"subject_id": 1, "hadm_id": 20} for _ in range(3)))
    with pytest.raises(InputError, match=r"hosp/admissions\.csv\.gz has 3 rows of hadm_id 20"):
        ingest(physionet.root, out)
    physionet.table("hosp.admissions", {"subject_id": 1, "hadm_id": 20})
    physionet.table("hosp.patients", {"subject_id": 1, "anchor_age": 60}, {"subject_id": 1, "anchor_age": 61})
    with pytest.raises(
        InputError, match=r"hosp/patients\.csv\.gz has 2 rows of subject_id 1: there can be one"
    ):
        ingest(physionet.root, out)
    patient(5).table("hosp.patients", {"subject_id": 5}, {"subject_id": 5})
    with pytest.raises(InputError, match=r"hosp_patients\.csv\.csv\.gz has 2 rows of subject_id 5"):
        ingest(tmp_path / "split", out)
    assert not out.exists()
