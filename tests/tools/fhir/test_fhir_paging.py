"""A long result comes in pages that together hold everything once."""

from hospital import Hospital, at


def test_pages_hold_every_result_once_and_say_how_to_go_on(hospital: Hospital) -> None:
    for minute in range(45):
        hospital.lab(50971, at(2, 6, minute), "4.1")
    tools = hospital.toolset(at(5, 12))
    pages = [
        tools.call("Observation.search", {"subject_id": 1, "code": "K", "page": page}) for page in (1, 2, 3)
    ]
    assert [len(page.refs) for page in pages] == [20, 20, 5]
    seen = [ref for page in pages for ref in page.refs]
    assert seen == [f"Observation/lab-{number}" for number in range(45, 0, -1)]
    assert all(page.resource["total"] == 45 for page in pages)
    assert pages[0].text.splitlines()[0] == (
        "45 known at 2150-01-05 12:00: results of potassium (serum), newest first by collection time; showing 1-20, "
        "page 1 of 3; for more, call again with page=2."
    )
    assert pages[2].text.splitlines()[0].endswith("showing 41-45, page 3 of 3; this is the last page.")
    links = [[link["relation"] for link in page.resource["link"]] for page in pages]
    assert links == [["self", "next"], ["self", "next"], ["self"]]
    assert pages[0].resource["link"][1]["url"].endswith("page=2&_sort=-date&code=K")


def test_a_page_holds_a_hundred_at_most(hospital: Hospital) -> None:
    for minute in range(60):
        hospital.lab(50971, at(2, 6, minute), "4.1")
        hospital.lab(50971, at(2, 7, minute), "4.1")
    tools = hospital.toolset(at(5, 12))
    assert len(tools.call("Observation.search", {"subject_id": 1, "_count": 100}).refs) == 100


def test_all_categories_come_in_one_order(hospital: Hospital) -> None:
    hospital.lab(50971, at(2, 6), "4.1")
    hospital.lab(50971, at(4, 6), "4.2")
    hospital.add("icu.chartevents", {"stay_id": 3, "charttime": at(3, 6), "itemid": 220045, "valuenum": 80.0})
    refs = hospital.toolset(at(5, 12)).call("Observation.search", {"subject_id": 1}).refs
    assert refs == ("Observation/lab-2", "Observation/vs-icu-3-21500103060000-220045", "Observation/lab-1")
