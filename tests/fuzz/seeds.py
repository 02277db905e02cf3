"""Fills corpora with the files of our own pages: seeds.py TO [LARGEST]; a folder for each target."""

import hashlib
import json
import pathlib
import re
import sys
import textwrap

CASES = pathlib.Path(__file__).parent.parent / "cases"
FENCE = re.compile(r"^(`{3,})([^\n]*)\n(.*?)^\1$", re.M | re.S)


def blocks(page):
    """Every fenced block: its words and its text."""
    for _, words, text in FENCE.findall(page.read_text()):
        yield dict(re.findall(r"(\w+)=(\S+)", words)), text


def pages():
    """Every page: its files by path, its outputs."""
    for page in sorted(CASES.rglob("*.md")):
        files, outputs = {}, []
        for words, text in blocks(page):
            if words.get("as", "crlf") == "crlf" and "file" in words:
                files[words["file"]] = text.replace("\n", "\r\n") if "as" in words else text
            elif words.get("expect") == "output":
                outputs.append(text)
        yield files, outputs


# Four bytes each: which edit, which field, which entry, how far.
ACTS = ["\0\0\0\0", "\1\1\0\4", "\2\1\0\0", "\3\1\0\1", "\0\2\1\0", "\1\0\1\2", "\4\0\0\2", "\0\1\0\0", "\3\2\0\3"]


def is_main(path):
    return path.rsplit("/", 1)[-1] in ("kustomization.yaml", "kustomization.yml", "Kustomization")


def seeds():
    """Every seed with its target."""
    for files, outputs in pages():
        resources = "---\n".join(text for path, text in files.items() if not is_main(path) and "kind:" in text)
        for path, text in files.items():
            yield "parse", text
            if path == "composition.yaml":
                yield "compositions", text + "".join(f"=== {p}\n{t}" for p, t in files.items() if p != path)
            if "kind: Catalog" in text:
                yield "catalogs", text
            if not is_main(path):
                yield "printer", text
                if re.search(r"op\"?: ", text) and resources:
                    for other, target in files.items():
                        if other != path and "kind:" in target and not is_main(other):
                            yield "json_patch", target.split("\n---\n")[0] + "\n---\n" + text
                elif "kind:" in text:
                    for other, target in files.items():
                        if other != path and not is_main(other) and "kind:" in target:
                            yield "strategic_merge", target + "---\n" + text
                if re.search(r"^-? ?(source|sourceValue):", text, re.M) and resources:
                    yield "replacements", text + "\n---\n" + resources
                continue
            others = "".join(f"=== {p}\n{t}" for p, t in files.items() if p != path)
            if "/" not in path:
                for target in ("kustomization", "source_maps", "faces"):
                    yield target, text + others
                yield "edits", text + "=== edits\n" + "".join(ACTS[len(text) % 7:])
            part = re.search(r"^replacements:\n((?:[- ].*\n|\n)+)", text, re.M)
            if part and resources:
                yield "replacements", part[1] + "\n---\n" + resources
            for patch in re.findall(r"^( *)(?:- |  )?patch: \|-?\n((?:\1  .*\n|\n)+)", text, re.M):
                body = textwrap.dedent(patch[1])
                target = "json_patch" if re.search(r"op\"?: ", body) else "strategic_merge"
                line = "\n---\n" if target == "json_patch" else "---\n"
                for other, text_of in files.items():
                    if not is_main(other) and "kind:" in text_of:
                        yield target, text_of.split("\n---\n")[0] + line + body
        for text in outputs:
            yield "printer", text
            yield "parse", text


def main():
    to = pathlib.Path(sys.argv[1])
    largest = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
    counts = {}
    for target, text in seeds():
        data = text.encode()
        if len(data) <= largest:
            name = hashlib.sha1(data).hexdigest()[:16]
            (to / target).mkdir(parents=True, exist_ok=True)
            (to / target / name).write_bytes(data)
            counts[target] = counts.get(target, 0) + 1
    print(json.dumps(counts))


main()
