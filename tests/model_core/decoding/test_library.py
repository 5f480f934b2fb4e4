import json
import threading

import numpy as np
import pytest
import torch

from model_core.decoding.library import Library
from model_core.decoding.queue import Queue
from model_core.decoding.tracer import Tracer
from model_core.errors import CheckpointMissing, RecipeError
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe
from tests.made_up import MadeUp
from tests.tiny import tiny_checkpoint


def test_a_library_opens_a_model_once_and_names_those_it_has(tmp_path, monkeypatch):
    tiny_checkpoint(tmp_path / "one")
    tiny_checkpoint(tmp_path / "two.v2", seed=1)
    library = Library(tmp_path)
    assert library.names() == ["one", "two.v2"]
    assert library.tracer("one").model is library.tracer("one").model
    recipe, decoding = library.extend(Recipe("two.v2", "The cat."), 2)
    assert len(recipe.target) == 2
    other = library.extend(Recipe("one", "The cat."), 2)[1]
    run = library.run(recipe)
    assert (run.recipe, run.text) == (recipe, library.tracer("two.v2").text(decoding))
    assert run.model is library.tracer("two.v2").model
    assert library.run(Recipe("two.v2", "The cat."), 2).recipe == recipe
    one, two = decoding.steps[0], other.steps[0]
    assert not np.array_equal(one.log_probabilities_V, two.log_probabilities_V)
    for name in ("three", "../one", "", "one/"):
        with pytest.raises(CheckpointMissing, match=r"there are: one, two\.v2"):
            library.tracer(name)


def test_a_model_that_cannot_be_read_is_not_among_those_that_there_are(tmp_path):
    tiny_checkpoint(tmp_path / "one")
    tiny_checkpoint(tmp_path / "odd")
    config = tmp_path / "odd" / "config.json"
    config.write_text(config.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    library = Library(tmp_path)
    library.add("added", lambda: None)
    with pytest.raises(CheckpointMissing, match="there are: one, added"):
        library.tracer("nope")


def test_a_library_lets_no_more_calls_run_than_it_should(tmp_path, monkeypatch):
    tiny_checkpoint(tmp_path / "one")
    library = Library(tmp_path, queue=Queue(at_once=2))
    running, most, lock = [0], [0], threading.Lock()
    inside = threading.Barrier(2)

    def slow(tracer, recipe, count, force):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        inside.wait(timeout=30)  # passes only if two are here at once
        with lock:
            running[0] -= 1
        return recipe, None

    monkeypatch.setattr(Tracer, "extend", slow)
    threads = [
        threading.Thread(target=library.extend, args=(Recipe("one", str(index)),))
        for index in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [2]


def test_a_library_sets_how_many_threads_torch_uses_only_where_it_is_told(tmp_path):
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        Library(tmp_path)
        assert torch.get_num_threads() == 2
        Library(tmp_path, threads=1)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_a_model_can_be_added_while_the_library_is_in_use(tmp_path):
    tiny_checkpoint(tmp_path / "models" / "one")
    library, opened = Library(tmp_path / "models"), []

    def opener():
        opened.append("made-up-decoder")
        return MadeUp("decoder")

    library.add("made-up-decoder", opener)
    assert library.names() == ["one", "made-up-decoder"] and opened == []
    recipe, decoding = library.extend(Recipe("made-up-decoder", "the cat"), 2)
    assert len(recipe.target) == 2 and decoding.prompt == 3
    assert library.tracer("made-up-decoder").anatomy.kind == "decoder"
    assert opened == ["made-up-decoder"]
    for taken in ("made-up-decoder", "one"):
        with pytest.raises(RecipeError, match=f"{taken}' already"):
            library.add(taken, opener)


def test_one_of_several_threads_adds_a_name_and_one_opens_it(tmp_path):
    library, opened, outcomes = Library(tmp_path), [], []
    together = threading.Barrier(8)

    def opener():
        opened.append(1)
        return MadeUp("encoder")

    def run():
        together.wait(timeout=30)
        try:
            library.add("new", opener)
            outcomes.append("added")
        except RecipeError:
            outcomes.append("taken")
        library.tracer("new")

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["added", *["taken"] * 7] and opened == [1]


def test_a_model_that_cannot_be_opened_can_be_asked_for_again(tmp_path):
    library, tries = Library(tmp_path), []

    def opener():
        tries.append(1)
        if len(tries) == 1:
            raise CheckpointMissing("It is not there yet.")
        return MadeUp("encoder")

    library.add("late", opener)
    with pytest.raises(CheckpointMissing, match="not there yet"):
        library.tracer("late")
    assert library.opening is None and not library.is_open("late")
    assert library.tracer("late").anatomy.kind == "encoder"


def test_models_share_what_may_be_kept_and_the_one_in_use_keeps_most(tmp_path, monkeypatch):
    for name in ("one", "two"):
        tiny_checkpoint(tmp_path / name)
    library, started = Library(tmp_path, cache_bytes=300_000), []
    for name in ("one", "two"):
        model = library.tracer(name).model
        start = model.start
        monkeypatch.setattr(
            model, "start", lambda *a, start=start: (started.append(a), start(*a))[1]
        )

    def use(name, edits=()):
        for number in range(30):
            library.extend(Recipe(name, f"cat {number}", edits=edits), 4)
            assert library.cache.nbytes <= 300_000
        return library.extend(Recipe(name, "cat 29", edits=edits), 4)[1]

    first = use("one")
    assert library.cache.nbytes > 200_000  # a model alone has all of it
    use("two", read_edits(["no-scale"]))
    use("two")
    assert library.cache.nbytes > 200_000 and len(started) == 60
    library.extend(Recipe("two", "cat 28"), 4)
    assert len(started) == 60  # what was used last is there
    again = library.extend(Recipe("one", "cat 29"), 4)[1]
    assert first.target.ids == again.target.ids and len(started) == 61


def test_the_models_to_compare_with_are_named_while_another_is_being_opened(tmp_path):
    tiny_checkpoint(tmp_path / "one")
    library, entered, leave, found = Library(tmp_path), threading.Event(), threading.Event(), []

    def opener():
        entered.set()
        assert leave.wait(timeout=30)
        return MadeUp("encoder")

    library.add("slow", opener)
    opening = threading.Thread(target=library.tracer, args=("slow",))
    asking = threading.Thread(target=lambda: found.append(library.comparable("one")))
    opening.start()
    assert entered.wait(timeout=30)
    asking.start()
    asking.join(timeout=60)
    waits = asking.is_alive()
    leave.set()
    opening.join()
    asking.join()
    assert not waits and found == [()]


def test_what_can_be_compared_follows_a_checkpoint_that_is_replaced(tmp_path):
    for name in ("one", "two", "zen"):
        tiny_checkpoint(tmp_path / name)
    library = Library(tmp_path)
    assert library.comparable("one") == ("two", "zen")
    config = tmp_path / "two" / "config.json"
    said = json.loads(config.read_text(encoding="utf-8"))
    said["training"]["group"] = "another"
    config.write_text(json.dumps(said), encoding="utf-8")
    assert library.comparable("one") == ("zen", "two")
    config.write_text("{", encoding="utf-8")
    assert library.comparable("one") == ("zen",)
