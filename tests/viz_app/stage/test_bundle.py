"""The stage as the files that a served page fetches."""

import gzip
import json
import re
import urllib.error
import urllib.request

import pytest

from tests.serving import serve
from tests.tiny import tiny_checkpoint
from viz_app.server.serving import Address
from viz_app.stage.bundle import bundle, bundle_map, later_bundle, whole_bundle, words_in
from viz_app.stage.stage import FOLDER, core_scripts, later_scripts, parts
from viz_app.text import WORDS


@pytest.fixture(scope="module", params=["", "/below"])
def served(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny")
    with serve(root, address=Address(root_path=request.param)) as (address, _):
        yield address, request.param


def fetch(address, accept="gzip"):
    """Headers in lower case and the body as it came."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": accept})
    with urllib.request.urlopen(request, timeout=60) as response:
        return {name.lower(): value for name, value in response.headers.items()}, response.read()


def test_the_script_is_compressed_and_kept_for_good(served):
    address, root = served
    headers, body = fetch(f"{address}{root}{bundle().path}")
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["content-type"].startswith("text/javascript")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == bundle().plain
    plain, text = fetch(f"{address}{root}{bundle().path}", accept="identity")
    assert "content-encoding" not in plain and text == bundle().plain


def test_the_source_map_is_there_and_kept_for_good(served):
    address, root = served
    headers, body = fetch(f"{address}{root}{bundle_map().path}")
    assert headers["content-type"].startswith("application/json")
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert gzip.decompress(body) == bundle_map().plain
    assert bundle().plain.endswith(f"\n//# sourceMappingURL={bundle_map().name}\n".encode())


def test_a_script_of_another_version_is_not_there_and_is_not_kept(served):
    address, root = served
    with pytest.raises(urllib.error.HTTPError) as refused:
        fetch(f"{address}{root}/stage/{'0' * 16}.js")
    assert refused.value.code == 404 and refused.value.headers["cache-control"] == "no-store"
    refused.value.close()


def test_the_words_of_a_language_are_a_file_of_their_own_and_kept_for_good(served):
    address, root = served
    for language, table in WORDS.items():
        headers, body = fetch(f"{address}{root}{words_in(language).path}")
        assert headers["cache-control"] == "public, max-age=31536000, immutable"
        assert json.loads(gzip.decompress(body)).items() <= table.items()
        assert words_in(language).name in bundle().plain.decode()


def test_the_script_holds_no_comments_and_the_words_of_no_language():
    text = bundle().plain.decode()
    assert "var mountStage = " in text and ".stage.stage" in text
    assert re.search(r"^export const start = ", text, re.MULTILINE)
    assert not re.search(r"^\s*(//(?!# source)|/\*)", text, re.MULTILINE)
    assert not any(table["needs_script"] in text for table in WORDS.values())


def said_by(part):
    """The words that a part brings, by language."""
    (line,) = re.findall(r"^say\((\{.*\})\);$", later_bundle(part).plain.decode(), re.MULTILINE)
    return json.loads(line)


@pytest.mark.parametrize("language", WORDS)
def test_every_word_comes_once_first_or_with_a_part(language):
    tables = [said_by(part)[language] for part in parts()]
    tables.append(json.loads(words_in(language).plain))
    assert sum(map(len, tables)) == len(WORDS[language])
    assert {key: text for table in tables for key, text in table.items()} == WORDS[language]


def test_no_script_outside_a_part_names_the_words_of_the_part():
    scripts = {"": core_scripts()} | later_scripts()
    texts = {
        name: "".join((FOLDER / one).read_text(encoding="utf-8") for one in names)
        for name, names in scripts.items()
    }
    for part in parts()[1:]:  # what is shared comes before any of them
        own = said_by(part)["en"].keys()
        for name in texts.keys() - {part.name}:
            named = set(re.findall(r"[\"']([a-z][\w-]*)[\"']", texts[name]))
            assert not own & named, (part.name, name)
            # A server's errors are told as they came until their words are there.
            made = tuple(set(re.findall(r"`(\w+_)\$\{", texts[name])) - {"error_"})
            assert not [key for key in own if key.startswith(made)], (part.name, name)


def test_where_nothing_can_be_fetched_the_script_holds_every_language():
    assert all(table["needs_script"] in whole_bundle() for table in WORDS.values())
