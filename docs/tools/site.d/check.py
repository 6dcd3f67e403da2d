"""Finds broken references: links, images, movies and anchors of the site's own pages, and their links into DocC's."""

import html.parser
import os
import sys
import urllib.parse


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("href", "src", "poster"):
            if values.get(name):
                self.links.append(values[name])
        if values.get("id"):
            self.anchors.add(values["id"])


def parsed(path, known):
    if path not in known:
        known[path] = Links()
        with open(path, encoding="utf-8") as file:
            known[path].feed(file.read())
    return known[path]


def check(folder):
    if not os.path.exists(os.path.join(folder, "index.html")):
        print(f"site: {folder} has no index.html", file=sys.stderr)
        return 66
    known, wrong, count, outside = {}, [], 0, set()
    reached = set()
    for path, folders, files in os.walk(folder):
        # DocC checks its own links.
        if os.path.relpath(path, folder).split(os.sep)[0] == "api":
            folders[:] = []
            continue
        for name in files:
            if not name.endswith(".html"):
                continue
            page = os.path.join(path, name)
            for link in parsed(page, known).links:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme in ("http", "https", "mailto"):
                    outside.add(link)
                    continue
                count += 1
                if parts.scheme == "data":
                    continue
                if link.startswith("/"):
                    wrong.append(f"{os.path.relpath(page, folder)}: {link} begins with /, so it does not work from the disk")
                    continue
                target = os.path.normpath(os.path.join(path, urllib.parse.unquote(parts.path))) if parts.path else page
                if os.path.isdir(target):
                    target = os.path.join(target, "index.html")
                if not target.startswith(folder):
                    wrong.append(f"{os.path.relpath(page, folder)}: {link} leaves the site")
                elif not os.path.exists(target):
                    wrong.append(f"{os.path.relpath(page, folder)}: {link} leads nowhere")
                else:
                    reached.add(target)
                    if parts.fragment and target.endswith(".html") and "/api/" not in target:
                        if urllib.parse.unquote(parts.fragment) not in parsed(target, known).anchors:
                            wrong.append(f"{os.path.relpath(page, folder)}: {link} has no such anchor")
    for page in known:
        if page not in reached and os.path.relpath(page, folder) != "index.html":
            wrong.append(f"{os.path.relpath(page, folder)}: no page links to it")
    for message in wrong:
        print(f"site: {message}", file=sys.stderr)
    print(f"site: {len(known)} pages, {count} links inside, {len(wrong)} wrong; {len(outside)} addresses outside were not asked")
    return 1 if wrong else 0
