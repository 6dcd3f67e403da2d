"""Rows and columns: boxes within half a pixel of those of the browser."""
from .describe import Scene, walk

COLORS = ["#d02040", "#2060d0", "#208040", "#e0a020", "#8030a0", "#10a0a0", "#604020", "#e060a0"]

def line(size):
    """The height of a line of DejaVu Sans. Browsers round ascent and descent to whole pixels if it isn't given."""
    return {"line-height": f"{(1901 + 483) / 2048 * size}px"}


SIZES = [(40, 30), (60, 20), (25, 50), (35, 40)]


def boxes(items=None, count=3, **changes):
    """Items of different sizes; each may change keys."""
    made = []
    for index in range(count):
        width, height = SIZES[index % len(SIZES)]
        keys = {"width": width, "height": height} | (items[index] if items and index < len(items) else {})
        keys = {key: value for key, value in keys.items() if value is not None}
        made.append({"name": f"box{index}", "item": keys, "backgroundColor": COLORS[index]} | changes)
    return made


def row(name, what, items=None, count=3, size=(220, 120), sublayers=None, **flex):
    keys = {"width": size[0], "height": size[1]}
    items = sublayers or boxes(items, count)
    design = flex.pop("design", "")
    # Items may cover the edges of a frame, which is measured if it is as large as they are.
    hugs = not size[0] and flex.get("padding")
    frame = {"name": "frame" if hugs else "", "at": (10, 20), "item": {key: value for key, value in keys.items() if value}, "flex": flex,
             "backgroundColor": "#d8dce0", "sublayers": items}
    exact = {} if design else {node["name"]: line(node["text"]["font"]["size"]) for node in walk(items) if "text" in node}
    return Scene(name, what, [frame], check="boxes", design=design, replaced=exact)


def nested():
    inner = {"name": "inner", "flex": {"direction": "column", "gap": 5, "padding": 6}, "backgroundColor": "#b0b8c8",
             "item": {"grow": 1}, "sublayers": boxes(count=2)}
    last = {"name": "last", "item": {"width": 30, "alignSelf": "end", "height": 30}, "backgroundColor": COLORS[4]}
    return [inner, last]


def text(string, name, color, size=20, **keys):
    """A text as a box: its letters have the color of its background."""
    item = keys.pop("item", {})
    return {"name": name, "item": item, "backgroundColor": color,
            "text": {"string": string, "font": {"family": "DejaVu Sans", "size": size}, "color": color} | keys}


# Browsers put baselines on whole pixels. At these sizes, those of DejaVu Sans are a quarter of a pixel below them.
SMALL, MEDIUM, LARGE = 20.75, 25, 38


def standing(name, what, *items, **flex):
    return row(f"baseline-{name}", what, sublayers=list(items), **({"alignItems": "baseline", "gap": 6} | flex))


def picture(name, color, width=30, height=44, **item):
    return {"name": name, "item": {"width": width, "height": height} | item, "backgroundColor": color}


def group(name, color, *items, direction="column", item=None, **flex):
    return {"name": name, "flex": {"direction": direction, "gap": 3, "padding": 4} | flex, "item": item or {}, "backgroundColor": color,
            "sublayers": list(items)}


def baselines():
    large, small = text("Ag", "large", COLORS[0], LARGE), text("of", "small", COLORS[1], SMALL)
    medium, box = text("xy", "medium", COLORS[2], MEDIUM), picture("box", COLORS[3])
    two = text("two\nlines", "two", COLORS[4], SMALL)
    inner = [text("Ada", "first", COLORS[5], SMALL), text("King", "second", COLORS[6], MEDIUM)]
    return [
        standing("sizes", "texts of three sizes on one line", small, large, medium),
        standing("hug", "a row as high as what is above and below the line", two, picture("box", COLORS[3], height=70), large,
                 size=(None, None), padding=7),
        standing("padding", "texts with padding", small | {"text": small["text"] | {"padding": 12}}, large, padding=5),
        standing("picture", "a picture beside texts", box, large, small),
        standing("column", "a column in a row, on the line of its first text", large, group("group", COLORS[7], *inner)),
        standing("column-picture", "a column that begins with a picture", large,
                 group("group", COLORS[7], picture("head", COLORS[5], 40, 20), inner[1])),
        standing("column-reverse", "a column from bottom to top", large,
                 group("group", COLORS[7], *inner, direction="column-reverse", gap=2)),
        standing("row", "a row in a row, on the line of its items", large,
                 group("group", COLORS[7], *inner, direction="row", alignItems="baseline")),
        standing("row-center", "a row of centered items, on the line of its first one", large,
                 group("group", COLORS[7], inner[0], picture("head", COLORS[1], 30, 50), direction="row", alignItems="center")),
        standing("group-of-boxes", "a row of boxes, on the lower edge of the first", large,
                 group("group", COLORS[7], picture("head", COLORS[5], 20, 15), picture("tail", COLORS[6], 20, 40), direction="row")),
        standing("lines", "texts of two lines", large, two, box),
        standing("wrap", "rows that wrap, each on a line of its own", small, large, box, medium, size=(130, 130), wraps=True,
                 lineGap=5, alignContent="start"),
        standing("wrap-shared", "rows that wrap and share the height", small, large, box, medium, size=(130, 130), wraps=True),
        standing("text-wrap", "a text that wraps as it shrinks", large,
                 text("four words are here", "words", COLORS[1], SMALL, wraps=True, item={"shrink": 1}),
                 picture("box", COLORS[3], shrink=0)),
        standing("self", "alignSelf: baseline of two among others", small | {"item": {"alignSelf": "baseline"}},
                 large | {"item": {"alignSelf": "baseline"}}, box, alignItems="end"),
        standing("self-other", "alignSelf: center among items on a line", small, large, picture("box", COLORS[3], alignSelf="center")),
        standing("reverse", "from right to left", small, large, box, direction="row-reverse"),
        standing("right-to-left", "Hebrew from right to left", text("שלום", "small", COLORS[1], SMALL, direction="right-to-left"),
                 text("עולם", "large", COLORS[0], LARGE, direction="right-to-left"), box, direction="row-reverse"),
        standing("height", "lines in boxes of a height of their own", large,
                 small | {"item": {"height": 50}, "text": small["text"] | {"verticalAlignment": "bottom"}},
                 medium | {"item": {"height": 60}, "text": medium["text"] | {"verticalAlignment": "middle"}}),
        standing("in-column", "in a column, as start", small, large, direction="column", gap=4),
        shrinking(),
    ]


def shrinking():
    """A text that is made to fit a box: in CSS, the size of its letters is written."""
    size = SMALL
    made = standing("fit", "a text that shrinks to its box", text("Ag", "large", COLORS[0], LARGE),
                    text("Ag", "fit", COLORS[1], 2 * size, fit="shrink", item={"width": 60, "height": (1901 + 483) / 2048 * size}))
    made.replaced["fit"] = {"font-size": f"{size}px"} | line(size)
    return made


NO_HEIGHT = [{"height": None}] * 4
LAYOUTS = [
    row("row", "items in a row", gap=10),
    row("row-reverse", "from right to left", direction="row-reverse", gap=10),
    row("column", "items in a column", count=2, direction="column", gap=8),
    row("column-reverse", "from bottom to top", count=2, direction="column-reverse", gap=8),
    *[row(f"row-align-{value}", f"alignItems: {value}", items=NO_HEIGHT if value == "stretch" else None, gap=6, alignItems=value)
      for value in ("stretch", "start", "center", "end")],
    *[row(f"row-justify-{value}", f"justifyContent: {value}", justifyContent=value, alignItems="start")
      for value in ("center", "end", "space-between", "space-around", "space-evenly")],
    row("column-justify", "a column with space around", count=2, direction="column", justifyContent="space-around", alignItems="center"),
    row("padding", "padding on four sides", gap=4, padding={"top": 5, "right": 10, "bottom": 15, "left": 20}, alignItems="stretch",
        items=NO_HEIGHT),
    row("grow", "grow 1, 2 and 0", items=[{"grow": 1}, {"grow": 2}], gap=5),
    row("grow-below-one", "grow 0.25 and 0.5: a part of the space is left", items=[{"grow": 0.25}, {"grow": 0.5}], gap=5),
    row("shrink", "shrink 1, 3 and 0", items=[{"width": 120}, {"width": 120, "shrink": 3}, {"width": 60, "shrink": 0}], gap=5),
    row("basis", "basis instead of a width", items=[{"width": None, "basis": 70}, {"width": None, "basis": 20, "grow": 1}], gap=5),
    row("basis-percent", "widths in percent", items=[{"width": "25%"}, {"width": "40%"}], gap=5),
    row("minimum", "minimumWidth stops shrinking", items=[{"width": 150, "minimumWidth": 130}, {"width": 150}, {"width": 60}]),
    row("maximum", "maximumWidth stops growing", items=[{"grow": 1, "maximumWidth": 55}, {"grow": 1}, {"grow": 1}]),
    row("minimum-height", "minimumHeight in a column", count=2, direction="column", items=[{"height": 10, "minimumHeight": 44}]),
    row("align-self", "alignSelf against alignItems", alignItems="center", gap=6,
        items=[{"alignSelf": "start"}, {"alignSelf": "end"}, {"alignSelf": "stretch", "height": None}]),
    row("wrap", "rows that wrap", count=4, wraps=True, gap=10, lineGap=4, size=(140, 130), alignItems="start", alignContent="start"),
    row("wrap-shared", "rows share the height", count=4, wraps=True, gap=10, size=(140, 130), alignItems="center"),
    row("wrap-between", "rows with space between them", count=4, wraps=True, gap=10, size=(140, 130), alignItems="end",
        alignContent="space-between"),
    row("wrap-grow", "each row shares its space", count=4, wraps=True, gap=10, size=(150, 130), items=[{"grow": 1}] * 4,
        alignContent="center"),
    row("hug", "as large as its items", size=(None, None), gap=7, padding=9),
    row("hug-column", "a column as wide as its widest item", size=(None, None), count=2, direction="column", gap=7, padding=9),
    row("aspect-ratio", "a width from the ratio", items=[{"width": None, "height": 40, "aspectRatio": 1.6}], gap=6, alignItems="start"),
    row("nested", "a column in a row", gap=8, padding=8, sublayers=nested()),
    row("layout-text-hug", "texts of their own size", gap=8, padding=6, alignItems="center",
        sublayers=[text("Ada", "one", COLORS[0]), text("Lovelace", "two", COLORS[1])]),
    row("layout-text-padding", "a badge: text with padding", size=(None, None),
        sublayers=[text("LIVE", "badge", COLORS[0], padding=12)]),
    row("layout-text-fill", "a text that grows", gap=8, alignItems="start",
        sublayers=[text("Name", "one", COLORS[2]), text("fills", "two", COLORS[3], item={"grow": 1})]),
    row("layout-text-lines", "the height of lines", size=(None, None), direction="column", gap=4, padding=10,
        design="browsers round the ascent and the descent of a font to whole pixels", sublayers=[
            text("Augusta Ada", "one", COLORS[0]), text("King", "two", COLORS[1])]),
    row("layout-text-empty", "an empty line between two", size=(None, None), direction="column", gap=8, padding=10,
        design="a text without a character takes no gap", sublayers=[
            text("Augusta Ada", "one", COLORS[0]), text("", "empty", COLORS[2]), text("King", "two", COLORS[1])]),
    row("layout-text-column", "texts below each other", size=(None, None), direction="column", gap=4, padding=10,
        sublayers=[text("Augusta Ada", "one", COLORS[0]), text("King", "two", COLORS[1])]),
    row("layout-text-wrap", "a text that wraps in a row", gap=8, alignItems="start", sublayers=[
        text("four words are here", "one", COLORS[0], wraps=True, item={"shrink": 1}),
        {"name": "two", "item": {"width": 90, "height": 30, "shrink": 0}, "backgroundColor": COLORS[1]}]),
    *baselines(),
]
