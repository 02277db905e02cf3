"""The law of the writers counts what hover leaves out by its limits, and no more.

    python3 -m pytest tests/clients/test_same_writers.py
"""
from same_writers import Comparison

LONG = "spec." + "a" * 300
OTHER = "**Service/web** `metadata.name`  \nfinal value `web`  \nin dev"
OVERRIDDEN = "**Service/web** `spec.a`  \noverridden by dev/other.yaml:1: final value `2`  \nin prod"


def result(tmp_path, hover, path="spec.a", standing="wins"):
    """The counts of one writer whose line has this hover."""
    file = tmp_path / "web.yaml"
    file.write_text("a: b\n")
    own = Comparison("kzui", str(tmp_path))
    own.lens = lambda *_: None
    writer = {"value": "1", "standing": standing, "at": {"file": "web.yaml", "line": 1}, "place": str(file)}
    first = {**writer, "at": {"file": "web.yaml", "line": 9}}
    server = type("Server", (), {"at": lambda *_: {"contents": {"value": hover}}})()
    number = 0 if standing == "wins" else 1
    own.writer(server, ("dev", "Service/web", "/a"), "Service/web", {"writers": [first, writer]}, path, number, writer)
    return dict(own.counts)


def test_a_shortened_path_is_the_field(tmp_path):
    hover = f"**Service/web** `{LONG[:200]}…`  \nfinal value `1`  \nin dev"
    assert result(tmp_path, hover, LONG) == {"writers": 1}


def test_what_hover_leaves_out_is_a_limit(tmp_path):
    for hover in [OTHER + "\n\nand 3 more", "987 fields of this file are above the limit"]:
        assert result(tmp_path, hover) == {"writers": 1, "beyond the limit of hover": 1}
    hover = OVERRIDDEN + "\n\nand 3 more"
    assert result(tmp_path, hover, standing="overruled") == {"writers": 1, "beyond the limit of hover": 1}


def test_another_answer_is_a_disagreement(tmp_path):
    assert result(tmp_path, "\n\n".join([OTHER] * 12)) == {"writers": 1, "hover wins": 1}
    assert result(tmp_path, OVERRIDDEN, standing="overruled") == {"writers": 1, "hover overridden by": 1}
