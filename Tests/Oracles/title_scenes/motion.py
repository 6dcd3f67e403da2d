"""Animations at a moment, as animations of CSS that are stopped there."""
from .describe import Scene

RED, BLUE = "#d02040", "#2060d0"


def moving(name, what, at, easing=None, what_moves="transform.translation.x", values=(0, 150), css=None, **keys):
    each = {"property": what_moves, "duration": 1} | keys
    if easing:
        each["easing"] = easing
    each |= {"values": values} if "keyTimes" in keys else {"from": values[0], "to": values[1]}
    check = "boxes" if what_moves.startswith(("transform.translation", "transform.scale")) else "picture"
    return Scene(f"motion-{name}", what, [{"name": "box", "at": (20, 60, 50, 40), "backgroundColor": RED, "animations": [each]}],
                 check=check, at=at, replaced={"box": css or {}})


EASINGS = ["linear", "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.3, -0.4, 0.7, 1.4)", "cubic-bezier(0.9, 0, 0.1, 1)",
           "steps(4, jump-end)", "steps(4, jump-start)", "steps(4, jump-none)", "steps(3, jump-both)", "step-end",
           "linear(0, 0.25 25% 75%, 1)", "linear(0, 1.2 60%, 0.9 80%, 1)", "linear(0, 0.5, 1 50%, 0)"]
MOTION = [
    *[moving(f"easing-{index + 1}", easing, 0.37, easing) for index, easing in enumerate(EASINGS)],
    moving("delay", "before its delay ends", 0.2, "ease", beginTime=0.5),
    moving("delay-backwards", "before it begins, filled backwards", 0.2, beginTime=0.5, fillMode="backwards", values=(100, 0)),
    moving("after", "after its end", 1.2),
    moving("after-forwards", "after its end, filled forwards", 1.2, fillMode="forwards"),
    moving("after-both", "after its end, filled both ways", 1.7, beginTime=0.5, fillMode="both"),
    moving("begun", "begun before the start", 0.2, beginTime=-0.35),
    moving("repeat", "in its third pass", 2.3, repeatCount="forever"),
    moving("repeat-part", "after two and a half passes", 2.8, repeatCount=2.5, fillMode="forwards"),
    moving("reverse", "on its way back", 1.3, "ease-in", repeatCount="forever", autoreverses=True),
    moving("values", "through four values at times of their own", 0.55, values=[0, 150, 40, 120], keyTimes=[0, 0.3, 0.6, 1],
           easings=["ease-out", "ease-in-out", "linear"]),
    moving("boundary", "at the moment of a step", 0.5, "steps(2, jump-end)"),
    moving("boundary-start", "a step at its beginning", 0, "steps(4, jump-start)"),
    moving("backwards-start", "a step at its beginning, filled backwards", 0.2, "steps(4, jump-start)", beginTime=0.5, fillMode="both"),
    moving("end-of-steps", "steps that have ended", 1.4, "steps(4, jump-none)", fillMode="forwards"),
    moving("reverse-steps", "steps on their way back", 1.4, "steps(4, jump-end)", repeatCount="forever", autoreverses=True),
    moving("reverse-ended", "after two passes, back at the beginning", 2.5, "ease-out", repeatCount=1, autoreverses=True,
           fillMode="forwards"),
    moving("overshoot-opacity", "an opacity that would exceed 1", 0.7, "cubic-bezier(0.3, 0, 0.4, 3)", "opacity", (0.2, 0.8)),
    moving("overshoot-color", "a color that would exceed its range", 0.7, "cubic-bezier(0.3, 0, 0.4, 2)", "backgroundColor", (RED, BLUE)),
    moving("overshoot-radius", "a radius that would be negative", 0.2, "cubic-bezier(0.3, -2, 0.4, 1)", "cornerRadius", (4, 18)),
    moving("overshoot-blur", "a blur that would be negative", 0.2, "cubic-bezier(0.3, -2, 0.4, 1)", "filters.blurRadius", (2, 6)),
    moving("overshoot-brightness", "a brightness that would be negative", 0.2, "cubic-bezier(0.3, -4, 0.4, 1)", "filters.brightness", (0.4, 1)),
    moving("linear-beyond", "a line that leaves 0 to 1", 0.9, "linear(0, 1.4 50%, 0.7)"),
    moving("turns", "more than a turn", 0.55, "ease-in-out", "transform.rotation", (0, 760)),
    moving("middle-value", "three values, evenly spaced, each eased", 0.6, values=[0, 150, 50], keyTimes=[0, 0.5, 1],
           easings=["ease-in", "ease-in"]),
    moving("rotation", "a rotation", 0.4, "ease", "transform.rotation", (0, 90)),
    moving("scale", "a scale", 0.4, "ease-out", "transform.scale", (1, 2)),
    moving("translation", "a translation down and right", 0.7, "ease-in", "transform.translation", ([0, 0], [100, 40])),
    moving("opacity", "opacity", 0.4, "ease-in", "opacity", (1, 0)),
    moving("color", "a color", 0.5, "linear", "backgroundColor", (RED, BLUE)),
    moving("color-clear", "a color that fades", 0.5, "linear", "backgroundColor", (RED, "#2060d000")),
    moving("radius", "a corner radius", 0.5, "ease", "cornerRadius", (0, 20)),
    moving("brightness", "a filter", 0.5, "ease", "filters.brightness", (1, 0.2)),
    moving("hue", "a rotation of hues", 0.3, "linear", "filters.hueRotation", (0, 180)),
    moving("back", "a negative scale", 0.5, "linear", "transform.scale", (1, -2)),
    moving("blur", "a blur that grows", 0.5, "ease-out", "filters.blurRadius", (0, 6)),
    moving("border", "a width of a border", 0.5, "linear", "borderWidth", (0, 12), css={"border": "0 solid #000"}),
    Scene("motion-additive", "added to a translation of its own", [{
        "name": "box", "at": (20, 60, 50, 40), "backgroundColor": RED, "transform": {"translationX": 30}, "animations": [
            {"property": "transform.translation.x", "from": 0, "to": 80, "duration": 1, "easing": "ease-in", "additive": True}]}],
        check="boxes", at=0.6),
    Scene("motion-several", "four properties at once", [{
        "name": "box", "at": (20, 60, 50, 40), "backgroundColor": RED, "animations": [
            {"property": "transform.translation", "from": [0, 0], "to": [120, 20], "duration": 1, "easing": "ease-out"},
            {"property": "opacity", "from": 1, "to": 0.2, "duration": 0.8, "beginTime": 0.2, "fillMode": "both"},
            {"property": "transform.rotation", "from": 0, "to": 120, "duration": 2, "easing": "ease-in"},
            {"property": "cornerRadius", "from": 0, "to": 20, "duration": 0.5, "fillMode": "forwards"}]}], at=0.7),
    Scene("motion-nested", "moved in a parent that moves", [{
        "at": (20, 40, 80, 60),
        "animations": [{"property": "transform.translation.x", "from": 0, "to": 100, "duration": 1, "easing": "ease"}],
        "sublayers": [{"name": "box", "at": (10, 10, 40, 30), "backgroundColor": BLUE, "animations": [
            {"property": "transform.translation.y", "from": 0, "to": 60, "duration": 1, "easing": "steps(5, jump-end)"}]}]}],
        check="boxes", at=0.45),
    Scene("motion-tracking", "letters that move apart", [{
        "name": "letters", "at": (20, 60), "text": {"string": "APART", "font": {"family": "DejaVu Sans", "size": 28}, "color": "#102030"},
        "animations": [{"property": "text.tracking", "from": 0, "to": 12, "duration": 1}]}], check="ink", at=0.5),
    Scene("motion-path", "along a path", [{
        "name": "box", "at": (-15, -10, 30, 20), "backgroundColor": RED,
        "animations": [{"property": "position", "offset": "M 40 120 C 60 0 180 0 200 120", "duration": 1, "easing": "ease-in-out"}]}],
        at=0.3, replaced={"box": {
            "offset-path": 'path("M 40 120 C 60 0 180 0 200 120")', "offset-rotate": "0deg", "left": "0", "top": "0"}}),
    Scene("motion-path-turned", "along a path, turning with it", [{
        "name": "box", "at": (-15, -10, 30, 20), "backgroundColor": RED,
        "animations": [{"property": "position", "offset": "M 40 120 C 60 0 180 0 200 120", "duration": 1, "rotation": "auto"}]}],
        at=0.3, replaced={"box": {
            "offset-path": 'path("M 40 120 C 60 0 180 0 200 120")', "offset-rotate": "auto", "left": "0", "top": "0"}}),
]
