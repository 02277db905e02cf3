"""A preprocessor of mdBook: links to files of the repository that are not in the book lead to the repository, or are plain
text if its address is not known."""
import json
import posixpath
import re
import sys

LINK = re.compile(r"\[([^\]]*)\]\((\.\./[^)]*)\)")


def rewrite(text, repository):
    def link(found):
        words, path = found.groups()
        path = posixpath.normpath(posixpath.join("assets/book", path))
        return f"[{words}]({repository}/blob/HEAD/{path})" if repository else words

    return LINK.sub(link, text)


def rewrite_items(items, repository):
    for item in items:
        if chapter := isinstance(item, dict) and item.get("Chapter"):
            chapter["content"] = rewrite(chapter["content"], repository)
            rewrite_items(chapter["sub_items"], repository)


if sys.argv[1:2] == ["supports"]:
    sys.exit(0)
context, book = json.load(sys.stdin)
address = context["config"].get("output", {}).get("html", {}).get("git-repository-url", "")
rewrite_items(book["items"], address.rstrip("/"))
json.dump(book, sys.stdout)
