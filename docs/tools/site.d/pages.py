"""Pages: documents converted to HTML by cmark-gfm, with navigation, colored code, movies and charts."""

import html
import json
import os
import re
import shutil
import subprocess
import sys

import charts
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LEXERS = {"json5": "js", "sh": "bash", "console": "console", "swift": "swift", "c": "c", "json": "json", "yaml": "yaml", "csv": "text", "text": "text"}
SUFFIXES = {".swift": "swift", ".json5": "js", ".json": "json", ".c": "c", ".h": "c", ".rs": "rust", ".py": "python", ".sh": "bash", ".md": "markdown"}
# Documents outside of docs/ that pages link to.
OTHERS = {"README.md": "index.html", "CONTRIBUTING.md": "guides/contributing.html", "CHANGELOG.md": "guides/changelog.html", "SECURITY.md": "guides/security.html"}
TOP = [("index.html", "Home"), ("guides/recipes.html", "Recipes"), ("gallery.html", "Gallery"), ("guides/performance.html", "Performance"),
       ("guides/index.html", "Guides"), ("api.html", "API")]


class Site:
    def __init__(self, root, work, api):
        self.root, self.work, self.api = root, work, api
        self.output = os.path.join(work, "html")
        self.media = os.path.join(work, "media")
        self.sources = set()
        self.count = 0
        os.makedirs(self.output)
        self.groups = self.navigation()

    def text(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    # -- Where things are.

    def target(self, path):
        """Where a file of the repository is on the site; None for one that is not there."""
        if path in OTHERS:
            return OTHERS[path]
        if path.startswith("docs/") and path.endswith(".md"):
            name = os.path.basename(path)[:-3].lower()
            return "guides/index.html" if name == "readme" else f"guides/{name}.html"
        if path.startswith("docs/images/"):
            return "guides/" + path[len("docs/"):]
        full = os.path.join(self.root, path)
        if not os.path.exists(full):
            return None
        self.sources.add(path)
        return f"source/{path}/index.html" if os.path.isdir(full) else f"source/{path}.html"

    def link(self, link, page, place):
        """A link of a document at `page` in the repository, as it is from `place` on the site."""
        if re.match(r"[a-z]+:|#|mailto:", link):
            return link
        path, _, fragment = link.partition("#")
        target = self.target(os.path.normpath(os.path.join(os.path.dirname(page), path)))
        if target is None:
            sys.exit(f"site: {page} links to {link}, which is not there")
        return relative(target, place) + ("#" + fragment if fragment else "")

    # -- Documents to HTML.

    def body(self, page, place, text=None):
        text = self.text(page) if text is None else text
        done = subprocess.run(
            ["cmark-gfm", "--unsafe", "--extension", "table", "--extension", "autolink", "--extension", "strikethrough"], input=text,
            capture_output=True, text=True, check=True)
        body = re.sub(r"<!--.*?-->", "", done.stdout, flags=re.S)
        body = re.sub(r'(href|src)="([^"]+)"', lambda match: f'{match[1]}="{html.escape(self.link(html.unescape(match[2]), page, place))}"', body)
        body = re.sub(r'<pre><code(?: class="language-([^"]*)")?>(.*?)</code></pre>', lambda match: colored(html.unescape(match[2]), match[1]), body, flags=re.S)
        body = re.sub(r"<table>.*?</table>", lambda match: f'<div class="table" tabindex="0">{match[0]}</div>', body, flags=re.S)
        return headings(body)

    def write(self, place, title, body, group=None):
        up = lambda target: relative(target, place)  # noqa: E731
        top = "".join(f'<a href="{up(target)}"{current(target == place)}>{name}</a>' for target, name in TOP)
        pages = "".join(
            f"<h2>{html.escape(name)}</h2><ul>" + "".join(f'<li><a href="{up(target)}"{current(target == place)}>{html.escape(label)}</a></li>' for target, label in entries)
            + "</ul>" for name, entries in self.groups)
        document = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} – swift-compositor</title>
<meta name="description" content="{html.escape(summary(body))}">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='1' y='3' width='9' height='7' rx='1' fill='%237a3ea8'/%3E%3Crect x='6' y='6' width='9' height='7' rx='1' fill='%23d98032' fill-opacity='.85'/%3E%3C/svg%3E">
<link rel="stylesheet" href="{up('style.css')}">
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="top"><a class="name" href="{up('index.html')}">swift-compositor</a>{top}<a class="narrow" href="#pages">All pages</a></header>
<main id="content">
{body}
</main>
<nav class="pages" id="pages" aria-label="All pages">{pages}</nav>
<footer>swift-compositor, Apache-2.0. Pictures and movies on these pages are made by the tool itself; the footage is NASA's, in the public domain.</footer>
</body>
</html>
"""
        path = os.path.join(self.output, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(document)
        self.count += 1

    # -- Navigation: the tables of docs/README.md.

    def navigation(self):
        groups, name = [], None
        for line in self.text("docs/README.md").split("\n"):
            if line.startswith("## "):
                name = line[3:]
                groups.append((name, []))
            if name and line.startswith("| ["):
                for label, link in re.findall(r"\[([^\]]+)\]\(([^)]+)\)", line.split("|")[1]):
                    groups[-1][1].append((self.target(os.path.normpath(os.path.join("docs", link))), label))
        groups.append(("Project", [("guides/contributing.html", "Contributing"), ("guides/changelog.html", "Change log"), ("guides/security.html", "Security")]))
        return [(name, entries) for name, entries in groups if entries]

    def title(self, page):
        return re.search(r"^# (.+)$", self.text(page), re.M)[1].replace("`", "")

    # -- Pages of a kind of their own.

    def movie(self, name, place, label, options="controls loop muted playsinline preload=none"):
        """A movie with its poster; the poster alone if there is no movie."""
        file = os.path.join(self.media, name + ".mp4")
        if not os.path.exists(file):
            return ""
        up = lambda target: relative(target, place)  # noqa: E731
        return f'<video {options} poster="{up(f"media/{name}.jpg")}" src="{up(f"media/{name}.mp4")}" aria-label="{html.escape(label)}"></video>'

    def home(self):
        place = "index.html"
        body = self.body("README.md", place)
        movie = self.movie("demo", place, "The demo", "class=hero controls playsinline preload=metadata")
        body = re.sub(r"<p><img[^>]*></p>", lambda match: movie or match[0], body, count=1)
        self.write(place, "Frame compositing for Swift on Linux", body)

    def guides(self):
        pages = sorted(name for name in os.listdir(os.path.join(self.root, "docs")) if name.endswith(".md"))
        for name in pages:
            page = "docs/" + name
            place = self.target(page)
            body = self.body(page, place)
            if name == "performance.md":
                for heading, drawn in charts.charts(self.text(page)).items():
                    body = before_table(body, heading, drawn)
            if name == "effects.md":
                body = body.replace("</h1>", "</h1>" + self.movie("transitions", place, "A movie through all kinds of transitions"), 1)
            if name == "titles-cookbook.md":
                # A movie instead of the image.
                body = re.sub(r'<p><img src="images/titles/([\w-]+)\.jpg" alt="([^"]*)"[^>]*></p>',
                              lambda match: self.movie("cookbook-" + match[1], place, html.unescape(match[2])) or match[0], body)
            self.write(place, self.title(page), body)
        for page, place in OTHERS.items():
            if page != "README.md":
                self.write(place, self.title(page), self.body(page, place))
        shutil.copytree(os.path.join(self.root, "docs/images"), os.path.join(self.output, "guides/images"))

    def gallery(self):
        place, page = "gallery.html", self.text("docs/gallery.md")
        cards = []
        for title, rest in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", page, re.S | re.M):
            picture = re.search(r"images/gallery/([\w-]+)\.png", rest)
            if not picture:
                continue
            name = picture[1]
            text = re.search(r"\]\([^)]+\): (.+?)\. Variables", " ".join(rest.split()))[1]
            shown = self.movie("gallery-" + name, place, title) or f'<img src="guides/images/gallery/{name}.png" alt="{html.escape(title)}">'
            cards.append(f'<figure>{shown}<figcaption><a href="guides/gallery.html#{slug(title)}">{html.escape(title)}</a>: {code(text)}.</figcaption></figure>')
        cookbook = []
        for title, name, alt in re.findall(r"^## \d+\. ([^\n]+)\n.*?<!-- picture: (\S+) at \S+ -->\n!\[([^\]]*)\]", self.text("docs/titles-cookbook.md"), re.S | re.M):
            number = len(cookbook) + 1
            shown = self.movie("cookbook-" + name, place, alt) or f'<img src="guides/images/titles/{name}.jpg" alt="{html.escape(alt)}">'
            cookbook.append(f'<figure>{shown}<figcaption><a href="guides/titles-cookbook.html#{slug(f"{number}. {title}")}">{html.escape(title)}</a></figcaption></figure>')
        transitions = self.movie("transitions", place, "A movie through all kinds of transitions")
        body = f"""<h1>Gallery</h1>
<p>Everything here is rendered by the tool itself, from projects that you can copy.</p>
<h2 id="templates">Templates</h2>
<p>Twenty-four titles with variables, for frames of any shape.</p>
<div class="cards">{''.join(cards)}</div>
<h2 id="cookbook">Cookbook</h2>
<p>Short projects, simple ones first.</p>
<div class="cards">{''.join(cookbook)}</div>
<h2 id="transitions">Transitions</h2>
<p>One of each kind; most have directions, softness and easing too (<a href="guides/effects.html">all of them</a>).</p>
{transitions or '<img src="guides/images/transitions.png" alt="A frame of every transition">'}
"""
        self.write(place, "Gallery", body)

    def interface(self):
        """A page of every target with its types, made of DocC's archive; it needs no server, as DocC's own pages do."""
        place = "api.html"
        if not self.api:
            self.write(place, "API", "<h1>API</h1>\n<p class=note>This copy of the site was made without the API. <code>make site</code> makes all of it.</p>")
            return
        out = ["<h1>API</h1>", '<p class="note">The pages of symbols are made by DocC and load their text with JavaScript, which browsers allow from a server only. From the disk, read this overview, or '
               "run <code>python3 -m http.server</code> in the folder of the site.</p>",
               '<p>A tutorial leads from a first movie to a compositor of your own and its benchmark: <a href="api/tutorials/tutorials/index.html">Compositing with Swift</a>.</p>']
        data = os.path.join(self.api, "data/documentation")
        for name in targets(self.root):
            with open(os.path.join(data, name.lower() + ".json"), encoding="utf-8") as file:
                page = json.load(file)
            out.append(f'<h2 id="{slug(name)}"><a href="api/documentation/{name.lower()}/index.html">{name}</a></h2>\n<p>{inline(page.get("abstract", []), page)}</p>')
            items = []
            for section in page.get("topicSections", []):
                for identifier in section["identifiers"]:
                    symbol = page["references"].get(identifier, {})
                    if symbol.get("type") != "topic" or not symbol.get("url", "").startswith(f"/documentation/{name.lower()}/"):
                        continue
                    title = html.escape(symbol["title"])
                    if symbol.get("kind") == "symbol":
                        title = f"<code>{title}</code>"
                    items.append(f'<li><a href="api{html.escape(symbol["url"])}/index.html">{title}</a><small>{inline(symbol.get("abstract", []), page)}</small></li>')
            out.append(f'<ul class="symbols">{"".join(items)}</ul>')
        self.write(place, "API", "\n".join(out))

    def source_pages(self):
        """Pages of the files and folders that documents link to, and of what is in these folders."""
        done = set()
        while self.sources - done:
            path = sorted(self.sources - done)[0]
            done.add(path)
            full, place = os.path.join(self.root, path), self.target(path)
            if os.path.isdir(full):
                names = sorted(name for name in os.listdir(full) if not name.startswith(".") and name not in ("demo.mp4", "__pycache__"))
                names = [name for name in names if os.path.isdir(os.path.join(full, name)) or not name.endswith((".mp4", ".so"))]
                items = "".join(f'<li><a href="{relative(self.target(os.path.join(path, name)), place)}">{html.escape(name)}</a></li>' for name in names)
                self.write(place, path, f"<h1><code>{html.escape(path)}</code></h1>\n<ul>{items}</ul>")
                continue
            with open(full, "rb") as file:
                data = file.read()
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                self.write(place, path, f"<h1><code>{html.escape(path)}</code></h1>\n<p>{len(data)} bytes that are no text.</p>")
                continue
            language = SUFFIXES.get(os.path.splitext(path)[1]) or ("bash" if text.startswith("#!/usr/bin/env bash") else "python" if text.startswith("#!/usr/bin/env python3") else "make" if path.endswith("Makefile") else "text")
            self.write(place, path, f"<h1><code>{html.escape(path)}</code></h1>\n{colored(text, None, language)}")

    def style(self):
        css = open(os.path.join(os.path.dirname(__file__), "style.css"), encoding="utf-8").read()
        css += HtmlFormatter(style="friendly").get_style_defs(".code").replace("background: #f0f0f0", "")
        css += "@media (prefers-color-scheme: dark) {\n" + HtmlFormatter(style="native").get_style_defs(".code") + "\n}\n"
        # The panel's own background in both.
        css += ".code { background: none !important; }\n.code pre { margin: 1rem 0; } .code .err { border: 0 !important; background: none !important; color: inherit !important; }\n"
        with open(os.path.join(self.output, "style.css"), "w", encoding="utf-8") as file:
            file.write(css)


def relative(target, place):
    return os.path.relpath(target, os.path.dirname(place) or ".")


def current(isHere):
    return ' aria-current="page"' if isHere else ""


def slug(text):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]+>", "", html.unescape(text)).lower()).replace(" ", "-")


def headings(body):
    seen = {}

    def anchored(match):
        name = slug(match[2])
        seen[name] = seen.get(name, -1) + 1
        name += f"-{seen[name]}" if seen[name] else ""
        mark = "" if match[1] == "1" else f'<a class="anchor" href="#{name}" aria-label="Link to this section">#</a>'
        return f'<h{match[1]} id="{name}">{match[2]}{mark}</h{match[1]}>'

    return re.sub(r"<h([1-4])>(.*?)</h\1>", anchored, body, flags=re.S)


def colored(text, kind, language=None):
    name = language or LEXERS.get((kind or "text").split()[0], "text")
    try:
        lexer = get_lexer_by_name(name, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    return highlight(text, lexer, HtmlFormatter(cssclass="code"))


def before_table(body, heading, drawn):
    """Charts before the tables of a section, in their order."""
    start = body.find(f'<h2 id="{slug(heading)}"')
    if start < 0:
        sys.exit(f"site: there is no section {heading} to put a chart into")
    for chart in drawn:
        place = body.find('<div class="table"', start)
        body = body[:place] + chart + body[place:]
        start = body.find("</div>", place)
    return body


def code(text):
    """A line of Markdown that has nothing but code in it."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def summary(body):
    match = re.search(r"<p>(.*?)</p>", body, re.S)
    text = html.unescape(re.sub(r"<[^>]+>", "", match[1])) if match else ""
    return " ".join(text.split())[:180]


def targets(root):
    """The public targets, in the order of docs/tools/docs, what programs import first."""
    text = open(os.path.join(root, "docs/tools/docs"), encoding="utf-8").read()
    names = re.findall(r"(\w+):\w+", re.search(r"^all=\(\n(.*?)^\)", text, re.S | re.M)[1])
    return [names[-1], *names[:-1]]


def inline(parts, page):
    """An abstract of DocC's render JSON as HTML."""
    out = []
    for part in parts:
        if part["type"] == "text":
            out.append(html.escape(part["text"]))
        elif part["type"] == "codeVoice":
            out.append(f"<code>{html.escape(part['code'])}</code>")
        elif part["type"] == "reference":
            reference = page["references"].get(part["identifier"], {})
            out.append(f"<code>{html.escape(reference.get('title', part['identifier'].rsplit('/', 1)[-1]))}</code>")
        elif part["type"] in ("emphasis", "strong"):
            out.append(f"<em>{inline(part['inlineContent'], page)}</em>")
    return "".join(out)


def make(root, work, api):
    site = Site(root, work, api)
    site.home()
    site.guides()
    site.gallery()
    site.interface()
    site.source_pages()
    site.style()
    return site.count
