"""Some patients of many: their rows and no others, and the warehouse says so."""

from pathlib import Path

import pytest

from state.base import InputError
from tools.ehr.ingest import Watcher, ingest
from tools.ehr.source import Source
from tools.ehr.subjects import parse_subjects, read_subjects
from tools.ehr.warehouse import Warehouse


@pytest.fixture
def twenty(physionet):
    """Give a directory of patients 1 to 20 with two laboratory rows each, and a dictionary."""
    physionet.table("hosp.patients", *({"subject_id": n} for n in range(1, 21)))
    physionet.table(
        "hosp.labevents",
        *(
            {"labevent_id": 100 * n + k, "subject_id": n, "value": "a\nb"}
            for n in range(1, 21)
            for k in (1, 2)
        ),
    )
    physionet.table("hosp.d_labitems", {"itemid": 7}, {"itemid": 8})
    return physionet


def test_only_their_rows_are_kept_and_dictionaries_stay_whole(twenty, tmp_path: Path) -> None:
    tables = {info.name: info.rows for info in ingest(twenty.root, tmp_path / "e", subjects=[3, 20])}
    with Warehouse.open(tmp_path / "e") as warehouse:
        labs = warehouse.cursor().execute("SELECT labevent_id FROM hosp.labevents").fetchall()
        assert warehouse.subjects == (3, 20)
        assert warehouse.loaded("hosp.admissions")
    assert labs == [(301,), (302,), (2001,), (2002,)]
    assert tables["hosp.patients"] == tables["hosp.d_labitems"] == 2
    assert tables["hosp.admissions"] == 0


def test_of_the_demo_two_patients_are_kept_whole(
    mimic_demo: Path, demo_warehouse: Path, tmp_path: Path
) -> None:
    subjects = (10000032, 10001217)
    ingest(mimic_demo, tmp_path / "e", subjects=subjects)
    query = "SELECT * FROM hosp.emar WHERE subject_id IN (10000032, 10001217)"
    with Warehouse.open(tmp_path / "e") as some, Warehouse.open(demo_warehouse) as whole:
        kept = some.cursor().execute("SELECT * FROM hosp.emar").fetchall()
        assert kept == whole.cursor().execute(query).fetchall()
        assert len(kept) > 100


def test_the_fingerprint_says_who_was_chosen(twenty, tmp_path: Path) -> None:
    def fingerprint(name: str, subjects: list[int] | None) -> str:
        ingest(twenty.root, tmp_path / name, subjects=subjects)
        with Warehouse.open(tmp_path / name) as warehouse:
            return warehouse.fingerprint

    first = fingerprint("a", [3, 4])
    assert first == fingerprint("b", [4, 3, 4])
    assert (
        len({first, fingerprint("c", [3, 5]), fingerprint("d", None), fingerprint("e", [*range(1, 21)])}) == 4
    )


def test_patients_who_are_not_there_are_named(twenty, patient, tmp_path: Path) -> None:
    wanted = [1, *range(31, 38)]
    with pytest.raises(InputError, match=r"hosp\.patients: 31, 32, 33, 34, 35 and 2 more"):
        ingest(twenty.root, tmp_path / "e", subjects=wanted)
    patient(1)
    with pytest.raises(InputError, match=r"hosp\.patients: 2$|hosp\.patients: 2:"):
        ingest(tmp_path / "split", tmp_path / "e", subjects=[1, 2])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source", "split"]


def test_of_directories_by_patient_only_theirs_are_opened(patient, tmp_path: Path) -> None:
    patient(1).table("hosp.labevents", {"labevent_id": 5, "subject_id": 1})
    patient(2)
    broken = patient(3).table("hosp.omr", {"subject_id": 3})
    broken.write_bytes(b"not gzip")
    tables = {info.name: info for info in ingest(tmp_path / "split", tmp_path / "e", subjects=[2])}
    assert tables["hosp.patients"].rows == 1
    assert (tables["hosp.labevents"].rows, tables["hosp.labevents"].loaded) == (0, True)
    assert tables["hosp.omr"].loaded
    assert not tables["hosp.emar"].loaded


def test_damage_in_other_patients_rows_is_still_seen(twenty, tmp_path: Path) -> None:
    path = twenty.raw(
        "hosp/poe_detail.csv",
        "poe_id,poe_seq,subject_id,field_name,field_value\n1-1,1,1,a,b\n\n2-1,1,2,a,b\n",
    )
    with pytest.raises(InputError, match="has 3 records but 2 rows could be read"):
        ingest(twenty.root, tmp_path / "e", subjects=[1])
    path.write_text("poe_id,poe_seq,subject_id,field_name,field_value\n1-1,1,1,a,b\n2-1,x,2,a,b\n")
    with pytest.raises(InputError, match="line 3: the value of poe_seq"):
        ingest(twenty.root, tmp_path / "e", subjects=[1])


def test_an_ingest_of_others_is_not_gone_on_from(twenty, tmp_path: Path) -> None:
    class Interrupt(Watcher):
        def loading(self, source: Source) -> None:
            if source.table.name == "hosp.labevents":
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(twenty.root, tmp_path / "e", watcher=Interrupt(), subjects=[1, 2])
    ingest(twenty.root, tmp_path / "e", subjects=[3])
    with Warehouse.open(tmp_path / "e") as warehouse:
        assert warehouse.cursor().execute("SELECT subject_id FROM hosp.patients").fetchall() == [(3,)]


@pytest.mark.parametrize(
    "text",
    ["1\n22\n", "\ufeffsubject_id\r\n1\r\n\r\n22\r\n", 'name,SUBJECT_ID\n"a,b",1\nc, 22 \n', "22\n1\n1"],
)
def test_a_file_of_patients_is_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "ids").write_text(text)
    assert read_subjects(tmp_path / "ids") == {1, 22}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "names no patient"),
        ("subject_id\n", "names no patient"),
        ("1\nx\n", r"line 2: 'x' is not a subject_id"),
        ("1\n-4\n", r"line 2: '-4' is not"),
        ("99999999999\n", "is not a subject_id"),
        ("subject_id,name\n1,a\n,b\n", r"line 3: '' is not"),
        ("patient,name\n1,a\n", "has no column subject_id"),
    ],
)
def test_a_file_that_names_no_patients_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "ids").write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_subjects(tmp_path / "ids")


def test_subjects_on_the_command_line_are_read() -> None:
    assert parse_subjects("10000032, 10000980,") == {10000032, 10000980}
    with pytest.raises(InputError, match="'1e5' is not a subject_id"):
        parse_subjects("1e5")
    for empty in ("", " , "):
        with pytest.raises(InputError, match="names no patient"):
            parse_subjects(empty)


def test_a_file_of_patients_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere cannot be read"):
        read_subjects(tmp_path / "nowhere")
    (tmp_path / "binary").write_bytes(b"\xff\xfe1")
    with pytest.raises(InputError, match=r"binary is not text in UTF-8"):
        read_subjects(tmp_path / "binary")
