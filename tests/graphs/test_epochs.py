"""Sessions run several times: each epoch on its own, kept apart, resumed and replayed."""

import asyncio
from collections import Counter

from bad_openai import says, serve
from wards import OpenWard, Run

from graphs.close_run import close_run
from graphs.replay import replayed
from graphs.run_folder import read_manifest
from graphs.run_sessions import run_sessions


def test_each_epoch_is_a_run_of_its_own(open_ward: OpenWard, run: Run) -> None:
    ward = open_ward("offline/baseline", limit=2, epochs=3)
    folder = run(ward)
    places = Counter((result.session_id, result.epoch) for result in folder.results())
    assert len(places) == 6
    assert {epoch for _, epoch in places} == {0, 1, 2}
    assert {(record.session_id, record.epoch) for record in folder.records()} == set(places)
    metrics = close_run(ward, folder, read_manifest(folder.path))
    assert metrics.overall.mrs is not None
    assert (metrics.overall.mrs.planned, metrics.overall.mrs.scored) == (6, 6)
    assert len(metrics.reliability) == 2 * 3
    assert metrics.conduct is not None
    assert metrics.conduct.figures["grounding"].planned == sum(6 / 2 * len(s.turns) for s in ward.planned)


def test_a_resumed_run_makes_only_the_epochs_that_are_missing(open_ward: OpenWard, run: Run) -> None:
    ward = open_ward("offline/baseline", limit=2, epochs=2)
    folder = run(ward)
    whole = folder.results()
    lines = (folder.path / "results.jsonl").read_text().splitlines(keepends=True)
    (folder.path / "results.jsonl").write_text("".join(lines[:-2]))
    assert asyncio.run(run_sessions(ward, folder, concurrency=2)) is None
    assert len((folder.path / "results.jsonl").read_text().splitlines()) == 4
    assert sorted(folder.results(), key=lambda r: (r.session_id, r.epoch)) == sorted(
        whole, key=lambda r: (r.session_id, r.epoch)
    )


def test_a_model_is_asked_anew_in_each_epoch_and_the_journal_keeps_them_apart(
    open_ward: OpenWard, run: Run
) -> None:
    with serve(lambda _: says("I cannot tell.")) as server:
        ward = open_ward("openai-compatible/scripted", limit=1, epochs=2, base_url=server.url)
        folder = run(ward)
    turns = len(ward.planned[0].turns)
    assert len(server.requests) == 2 * turns
    places = [entry.place for entry in folder.journal().entries()]
    assert Counter(place.epoch for place in places) == {0: turns, 1: turns}


def test_a_replay_walks_the_epoch_it_is_asked_for(open_ward: OpenWard, run: Run) -> None:
    said = iter(range(100))
    with serve(lambda _: says(f"answer {next(said)}")) as server:
        ward = open_ward("openai-compatible/scripted", limit=1, epochs=2, base_url=server.url)
        folder = run(ward)
    for result, record in zip(folder.results(), folder.records(), strict=True):
        assert replayed(ward, folder, ward.planned[0], result.epoch) == (result, record)
    first, second = folder.records()
    assert first.turns[0].answer != second.turns[0].answer
