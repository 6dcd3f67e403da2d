"""Rows and columns: boxes within half a pixel of those of the browser."""
from .describe import Scene

COLORS = ["#d02040", "#2060d0", "#208040", "#e0a020", "#8030a0", "#10a0a0", "#604020", "#e060a0"]
# The height of a line of DejaVu Sans at 20 pixels. Browsers round ascent and descent to whole pixels if it isn't given.
LINE = {"line-height": f"{(1901 + 483) / 2048 * 20}px"}
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
    exact = {} if design else {node["name"]: LINE for node in items if "text" in node}
    return Scene(name, what, [frame], check="boxes", design=design, replaced=exact)


def nested():
    inner = {"name": "inner", "flex": {"direction": "column", "gap": 5, "padding": 6}, "backgroundColor": "#b0b8c8",
             "item": {"grow": 1}, "sublayers": boxes(count=2)}
    last = {"name": "last", "item": {"width": 30, "alignSelf": "end", "height": 30}, "backgroundColor": COLORS[4]}
    return [inner, last]


def text(string, name, color, **keys):
    """A text as a box: its letters have the color of its background."""
    item = keys.pop("item", {})
    return {"name": name, "item": item, "backgroundColor": color,
            "text": {"string": string, "font": {"family": "DejaVu Sans", "size": 20}, "color": color} | keys}


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
]
