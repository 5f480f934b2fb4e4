import csv
import io
import json

import numpy as np
import pytest

from model_core.errors import ExportError
from viz_app.files import tables
from viz_app.files.tables import Axis, Table, defused, to_csv, to_json, to_npz

TOKENS = ("=1+1", "@x", "</s>", "我", '"a,b"')
TABLE = Table(
    "cross",
    (Axis.of("query", TOKENS[:2]), Axis.of("key", TOKENS)),
    {
        "weights_QK": np.linspace(0, 1, 10, dtype=np.float32).reshape(2, 5),
        "allowed_QK": np.arange(10).reshape(2, 5) % 2 == 0,
    },
)


def rows(content):
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_a_csv_has_one_row_a_number_and_reads_back_to_the_same_float32():
    found = rows(to_csv([TABLE]))
    assert len(found) == 10
    for row in found:
        q, k = int(row["query"]) - 1, int(row["key"]) - 1
        assert np.float32(float(row["weights"])) == TABLE.values["weights_QK"][q, k]
        assert row["allowed"] == str(int(TABLE.values["allowed_QK"][q, k]))
        assert row["key_token"] == defused(TOKENS[k])


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\uff1d1"])
def test_no_token_is_a_formula(text):
    assert defused(text) == f"'{text}"
    assert defused("cat") == "cat"


def test_several_tables_share_one_header():
    other = Table("other", (Axis("position", 2, start=0),), {"value_P": np.arange(2.0)})
    found = rows(to_csv([TABLE, other]))
    assert [row["table"] for row in found] == ["cross"] * 10 + ["other"] * 2
    assert found[-1]["position"] == "1" and found[-1]["weights"] == ""


def test_npz_holds_the_arrays_and_their_labels_without_pickle():
    with np.load(io.BytesIO(to_npz([TABLE], {"model": "tiny"})), allow_pickle=False) as stored:
        np.testing.assert_array_equal(stored["cross.weights_QK"], TABLE.values["weights_QK"])
        labels = json.loads(str(stored["labels"]))
    assert labels["model"] == "tiny"
    assert labels["axes"]["cross"][1]["tokens"] == list(TOKENS)


def test_json_reads_back_to_the_same_float32_and_has_no_infinity():
    table = Table("t", (Axis("x", 2),), {"score_X": np.array([np.float32(0.1), -np.inf])})
    found = json.loads(to_json([table], {}))["tables"]["t"]["values"]["score_X"]
    assert np.float32(found[0]) == np.float32(0.1) and found[1] is None


def test_a_table_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(tables, "MOST_ROWS", 9)
    with pytest.raises(ExportError, match="10 rows"):
        to_csv([TABLE])


def test_a_table_that_does_not_fit_its_axes_is_a_bug():
    with pytest.raises(ValueError, match="axes ask"):
        Table("t", (Axis("x", 3),), {"a_X": np.zeros(2)})
