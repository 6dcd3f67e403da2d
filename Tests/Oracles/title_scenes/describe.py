"""One description of a picture, written as layers of a project and as HTML.

A node is a dictionary. Its place is `at`, (x, y, width, height) or, for a text, (x, y), in pixels of its parent, or it is an item
of its parent's `flex`. All other keys are named as in title trees; what needs a size of its own in CSS takes it from `at`.
"""
from dataclasses import dataclass, field
from typing import Callable, Optional

from . import css, css_motion

WIDTH, HEIGHT = 240, 160
GROUND = "#f4f4f0"


@dataclass
class Scene:
    """A picture with what is compared of it."""
    name: str
    what: str
    nodes: list
    # What is compared with the browser: boxes, picture, text or ink; see measured() in browser_titles.py.
    check: str = "picture"
    at: float = 0
    # What a text's width is compared with: font, size, string, features, tracking.
    shaped: list = field(default_factory=list)
    # Makes the picture in double precision from a function that renders nodes over nothing.
    reference: Optional[Callable] = None
    # Why it differs from the browser, if that is by design.
    design: str = ""
    # Rules of CSS that replace those that the description gives, by the name of a node.
    replaced: dict = field(default_factory=dict)

    @property
    def fonts(self):
        return {node["text"]["font"]["family"] for node in walk(self.nodes) if "text" in node}


def walk(nodes):
    for node in nodes:
        yield node
        yield from walk(node.get("sublayers", []))


LAYOUT = {"basis": "basis", "grow": "grow", "shrink": "shrink", "alignSelf": "alignSelf", "width": "width", "height": "height",
          "minimumWidth": "minimumWidth", "maximumWidth": "maximumWidth", "minimumHeight": "minimumHeight",
          "maximumHeight": "maximumHeight", "aspectRatio": "aspectRatio"}
SAME = ["flex", "opacity", "backgroundColor", "borderWidth", "borderColor", "blendMode", "filters", "backdropFilters", "masksToBounds",
        "maskMode", "perspective", "backfaceVisibility", "zPosition", "transform", "isHidden"]


def layer(node):
    """The layer of a title tree."""
    made = {key: node[key] for key in SAME if key in node}
    if node.get("name"):
        made["name"] = node["name"]
    place = node.get("at")
    anchor = node.get("anchorPoint", (0.5, 0.5))
    if place and len(place) == 4:
        x, y, width, height = place
        made |= {"bounds": [width, height], "anchorPoint": list(anchor),
                 "position": [x + width * anchor[0], y + height * anchor[1]]}
    elif place:
        made["layout"] = {"left": place[0], "top": place[1]} | node.get("item", {})
    elif "item" in node:
        made["layout"] = {LAYOUT[key]: value for key, value in node["item"].items()}
    radius = node.get("cornerRadius")
    if radius is not None:
        made["cornerRadii" if isinstance(radius, list) else "cornerRadius"] = radius
    if "shadows" in node:
        made["shadows"] = [{"offset": [x, y], "radius": sigma, "color": color, "isInner": inner}
                           for x, y, sigma, color, inner in node["shadows"]]
    for key in ("text", "shape", "gradient"):
        if key in node:
            made["content"] = {key: node[key]}
    if "mask" in node:
        _, _, width, height = place
        made["mask"] = {"bounds": [width, height], "position": [width / 2, height / 2], "content": {"gradient": node["mask"]}}
    if "animations" in node:
        made["animations"] = [animation(each) for each in node["animations"]]
    if "sublayers" in node:
        made["sublayers"] = [layer(each) for each in node["sublayers"]]
    return made


def animation(each):
    made = dict(each)
    for key in ("duration", "beginTime", "repeatDuration"):
        if key in made:
            made[key] = f"{made[key]}s"
    if "offset" in made:
        made["path"] = made.pop("offset")
    return made


def project(scene, fonts, nodes=None, ground=GROUND):
    """A project whose frame at the scene's time is the picture; over nothing without a ground."""
    root = {"bounds": [WIDTH, HEIGHT], "position": [WIDTH / 2, HEIGHT / 2], "sublayers": [layer(node) for node in nodes or scene.nodes]}
    if ground:
        root["backgroundColor"] = ground
    return {
        "version": 1, "output": {"size": f"{WIDTH}x{HEIGHT}", "frameRate": 100, "alpha": True, "background": "clear",
                   "format": "yuva444p12"},
        "assets": {"nothing": {"generate": "color", "color": "clear", "size": f"{WIDTH}x{HEIGHT}", "duration": "5s"}},
        "tracks": [{"clips": [{"asset": "nothing"}]}], "fonts": fonts, "titles": [{"layer": root}],
    }


def section(scene, index, x=0, y=0):
    """The picture as HTML, and the key frames that it needs."""
    frames = []
    body = "".join(element(scene, node, frames, f"s{index}") for node in scene.nodes)
    place = f"left:{x}px;top:{y}px;width:{WIDTH}px;height:{HEIGHT}px;background:{GROUND};overflow:hidden;isolation:isolate"
    return f'<section data-scene="{scene.name}" style="{place}">{body}</section>', "".join(frames)


def element(scene, node, frames, prefix):
    rules = css.rules(node)
    for each in node.get("animations", []):
        name = f"{prefix}a{len(frames)}"
        frames.append(css_motion.keyframes(name, each))
        rules.setdefault("animation", []).append(css_motion.run(name, each, scene.at))
    if "animation" in rules:
        rules["animation"] = ", ".join(rules["animation"])
    rules |= scene.replaced.get(node.get("name"), {})
    inside = css.content(node) + "".join(element(scene, each, frames, prefix) for each in node.get("sublayers", []))
    style = ";".join(f"{key}:{value}" for key, value in rules.items())
    mark = f' data-box="{node["name"]}"' if node.get("name") else ""
    return f"<div{mark} style='{style}'>{inside}</div>"


def page(sections, frames, fonts):
    faces = "".join(
        f"@font-face{{font-family:'{family}';src:url('file://{path}');font-weight:{weight};font-style:{style}}}"
        for family, weight, style, path in fonts)
    return ("<!doctype html><meta charset=utf-8><style>*{box-sizing:border-box;margin:0;padding:0}"
            "section{position:absolute}div{text-rendering:geometricPrecision;position:relative}"
            f"{faces}{''.join(frames)}</style><body>{''.join(sections)}</body>")
