"""Boxes: corners, borders, gradients, shadows, filters, masks, blending and depth."""
from . import gaussian
from .describe import Scene

RED, BLUE, GREEN, GOLD = "#d02040", "#2060d0", "#208040", "#e0a020"
TURN = {"kind": "axial", "startPoint": [0, 0.5], "endPoint": [1, 0.5]}
BLENDS = ["multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light", "difference",
          "exclusion", "hue", "saturation", "color", "luminosity", "plus-lighter"]


def box(x=60, y=40, width=120, height=80, **keys):
    return {"at": (x, y, width, height), "backgroundColor": RED} | keys


def plain(**keys):
    made = box(**keys)
    del made["backgroundColor"]
    return made


def stripes():
    """Something to see through: four bars and a diagonal one."""
    bars = [box(20 + 50 * index, 10, 25, 140, backgroundColor=color) for index, color in enumerate([RED, BLUE, GREEN, GOLD])]
    return bars + [box(0, 70, 240, 20, backgroundColor="#303030")]


def gradient(**keys):
    return plain(gradient={"colors": ["#ff2000", "#0040ff"]} | keys)


BOXES = [
    Scene("fraction", "edges between pixels", [box(60.25, 40.5, 120.5, 80.25, name="box")], check="boxes"),
    Scene("radius", "equal corners", [box(cornerRadius=20)]),
    Scene("radius-each", "a radius for each corner", [box(cornerRadius=[40, 10, 0, 30])]),
    Scene("radius-large", "radii that are too large together", [box(cornerRadius=[100, 60, 100, 20])],),
    Scene("radius-pill", "a radius beyond half the height", [box(cornerRadius=70)]),
    Scene("border", "a border inside the edge", [box(borderWidth=6, borderColor=BLUE)]),
    Scene("border-round", "a border with round corners", [box(borderWidth=10, borderColor=BLUE, cornerRadius=24)]),
    Scene("border-thick", "a border wider than the radius", [box(borderWidth=20, borderColor=BLUE, cornerRadius=12)]),
    Scene("border-translucent", "a border of half opacity over its background", [
        box(borderWidth=14, borderColor="#2060d080", cornerRadius=8)]),
    Scene("opacity", "a group of half opacity", [box(opacity=0.5, sublayers=[box(20, 20, 60, 90, backgroundColor=BLUE)])]),
    Scene("border-each", "a border around unequal corners", [box(borderWidth=12, borderColor=BLUE, cornerRadius=[40, 0, 20, 6])]),
    Scene("blend-in-group", "a blend mode in a group of its own", [*stripes(), plain(opacity=0.99, sublayers=[
        box(-20, 0, 80, 60, backgroundColor=GOLD), box(20, 20, 80, 60, backgroundColor="#8080ff", blendMode="multiply")])]),
    Scene("clip-rotated", "sublayers cut at a rotated box", [plain(masksToBounds=True, transform={"rotationZ": 20}, sublayers=[
        box(-30, 20, 180, 40), box(40, -40, 40, 160, backgroundColor=BLUE)])]),
    Scene("opacity-nested", "half of a half, blended as a group", [box(opacity=0.5, sublayers=[
        box(20, 20, 80, 40, backgroundColor=BLUE, opacity=0.5), box(60, 40, 90, 60, backgroundColor=GOLD, blendMode="multiply")])]),
    Scene("order", "zPosition against the order of the list", [box(zPosition=2), box(100, 60, backgroundColor=BLUE, zPosition=1),
                                                               box(20, 70, backgroundColor=GOLD)]),
    Scene("hidden", "a hidden box", [box(), box(90, 60, backgroundColor=BLUE, isHidden=True)]),
    Scene("clip", "sublayers cut at round corners", [box(cornerRadius=30, masksToBounds=True, sublayers=[
        box(50, -20, 100, 70, backgroundColor=BLUE)])],
        design="browsers blend the box and its sublayer one after the other at a round edge, which leaves a fringe of the box's color"),
    Scene("gradient-across", "from left to right", [gradient(startPoint=[0, 0.5], endPoint=[1, 0.5])]),
    Scene("gradient-diagonal", "between two points inside", [gradient(startPoint=[0.2, 0.1], endPoint=[0.7, 0.9])]),
    Scene("gradient-stops", "five colors at places of their own", [gradient(
        colors=[RED, GOLD, GREEN, BLUE, "#000000"], locations=[0.1, 0.3, 0.35, 0.8, 0.9], **TURN)]),
    Scene("gradient-hard", "a color that ends where the next begins", [
        gradient(colors=[RED, RED, BLUE, BLUE], locations=[0, 0.4, 0.4, 1], **TURN)]),
    Scene("gradient-clear", "from a color to nothing, premultiplied", [gradient(colors=["#ff2000", "#0040ff00"], **TURN)]),
    Scene("gradient-radial", "an ellipse", [gradient(kind="radial", startPoint=[0.5, 0.5], endPoint=[1, 1])]),
    Scene("gradient-radial-off", "an ellipse about another point", [gradient(kind="radial", startPoint=[0.3, 0.7], endPoint=[0.9, 0.2])]),
    Scene("gradient-conic", "around the center from the top", [gradient(
        kind="conic", colors=[RED, GOLD, GREEN, RED], startPoint=[0.5, 0.5], endPoint=[0.5, 0])]),
    Scene("gradient-conic-turned", "around another point from the right", [gradient(
        kind="conic", colors=[RED, BLUE], startPoint=[0.4, 0.6], endPoint=[0.9, 0.6])]),
    Scene("gradient-round", "a gradient in round corners", [plain(gradient={"colors": ["#ff2000", "#0040ff"], **TURN}, cornerRadius=30,
                                                                  masksToBounds=True)]),
    *[Scene(f"blend-{mode}", f"blendMode: {mode}", [*stripes(), box(30, 30, 180, 100, backgroundColor="#c08840", blendMode=mode)])
      for mode in BLENDS],
]

SHADOW, SECOND = "#00000099", "#2060d0cc"
SHAPE = {"path": "M 0 80 L 60 0 L 120 80 Z", "fillColor": GREEN}
SHADOWS = [
    Scene("shadow", "a soft shadow", [box(shadows=[(4, 8, 6, SHADOW, False)])],
          reference=gaussian.shadow([box()], [(4, 8, 6, SHADOW)])),
    Scene("shadow-wide", "a shadow of 16 pixels", [box(width=100, height=60, shadows=[(0, 6, 16, SHADOW, False)])],
          reference=gaussian.shadow([box(width=100, height=60)], [(0, 6, 16, SHADOW)])),
    Scene("shadow-sharp", "a shadow without a blur", [box(shadows=[(10, 10, 0, SHADOW, False)])]),
    Scene("shadows", "three shadows, the first in front", [box(shadows=[
        (8, 8, 2, SHADOW, False), (-12, 4, 5, SECOND, False), (0, 0, 10, "#e0a020", False)])],
          reference=gaussian.shadow([box()], [(8, 8, 2, SHADOW), (-12, 4, 5, SECOND), (0, 0, 10, "#e0a020")])),
    Scene("shadow-round", "the shadow of round corners", [box(cornerRadius=30, shadows=[(0, 6, 5, SHADOW, False)])],
          reference=gaussian.shadow([box(cornerRadius=30)], [(0, 6, 5, SHADOW)])),
    Scene("shadow-inner", "a shadow that falls into the box", [box(shadows=[(5, 5, 4, "#000000", True)])],
          reference=gaussian.inner([box()], 5, 5, 4, "#000000"),
          design="Chromium's corners are up to 9 codes from a Gaussian"),
    Scene("shadow-inner-round", "an inner light in round corners", [box(cornerRadius=24, shadows=[(0, 0, 8, "#ffffff", True)])],
          reference=gaussian.inner([box(cornerRadius=24)], 0, 0, 8, "#ffffff")),
    Scene("shadow-both", "inner and outer", [box(shadows=[(3, 3, 3, "#00000099", True), (0, 8, 6, SHADOW, False)])]),
    Scene("shadow-shape", "the shadow of a path", [plain(shape=SHAPE, shadows=[(5, 7, 4, SHADOW, False)])],
          reference=gaussian.shadow([plain(shape=SHAPE)], [(5, 7, 4, SHADOW)])),
    Scene("shadow-translucent", "the shadow of a translucent box", [
        box(backgroundColor="#d0204080", shadows=[(8, 8, 4, "#000000", False)])],
          reference=gaussian.shadow([box(backgroundColor="#d0204080")], [(8, 8, 4, "#000000")]),
          design="ours is that of what is visible, also below it, as drop-shadow() in CSS; "
                 "box-shadow is that of an opaque box, outside of it"),
    Scene("shadow-translucent-drop", "the same as drop-shadow()", [box(
        backgroundColor="#d0204080", name="box", shadows=[(8, 8, 4, "#000000", False)])],
          replaced={"box": {"box-shadow": "none", "filter": "drop-shadow(8px 8px 4px #000000)"}}),
]


def filtered(name, what, **keys):
    return Scene(f"filter-{name}", what, [plain(filters=keys, sublayers=[
        box(0, 0, 60, 80), box(60, 0, 60, 40, backgroundColor="#60a0e0"), box(60, 40, 60, 40, backgroundColor="#e0d090")])])


PARTS = [box(70, 50, 50, 60), box(120, 50, 50, 30, backgroundColor="#2060d080")]
FADE = {"colors": ["#ffffff", "#ffffff00"], **TURN}
GROUP = {"at": (60, 40, 120, 80), "sublayers": [box(10, 10, 50, 60), box(60, 10, 50, 30, backgroundColor="#2060d080")]}
FILTERS = [
    *[Scene(f"filter-blur-{sigma}", f"a blur of {sigma} pixels", [GROUP | {"filters": {"blurRadius": sigma}}],
            reference=gaussian.blur(PARTS, sigma)) for sigma in (1, 3, 8)],
    Scene("filter-glow", "a glow", [GROUP | {"filters": {"glowRadius": 6, "glowIntensity": 1}}], reference=gaussian.glow(PARTS, 6, 1),
          design="CSS has no glow: only the double-precision picture is compared"),
    filtered("brightness-up", "brightness 1.4", brightness=1.4), filtered("brightness-down", "brightness 0.5", brightness=0.5),
    filtered("contrast-up", "contrast 1.8", contrast=1.8), filtered("contrast-down", "contrast 0.4", contrast=0.4),
    filtered("saturate-none", "saturation 0", saturation=0), filtered("saturate-up", "saturation 2", saturation=2),
    filtered("hue-90", "hueRotation 90", hueRotation=90), filtered("hue-200", "hueRotation 200", hueRotation=200),
    filtered("chain", "all of them, one after another", brightness=1.2, contrast=1.3, saturation=0.6, hueRotation=40),
    Scene("filter-mask-opacity", "a filter, then a mask, then opacity", [plain(
        filters={"brightness": 0.6}, mask=FADE, opacity=0.7, sublayers=[box(0, 0, 60, 80), box(60, 0, 60, 80, backgroundColor=GOLD)])]),
    Scene("filter-rotated", "a blur of a rotated box", [box(filters={"blurRadius": 4}, transform={"rotationZ": 30})]),
    Scene("filter-nested", "a filter in a filter", [plain(filters={"brightness": 0.7}, sublayers=[
        box(10, 10, 60, 60, filters={"saturation": 0.3})])]),
    *[Scene(f"backdrop-blur-{sigma}", f"frosted glass of {sigma} pixels",
            [*stripes(), box(50, 30, 140, 100, backgroundColor="#ffffff40", backdropFilters={"blurRadius": sigma})],
            reference=gaussian.backdrop(stripes(), box(50, 30, 140, 100, backgroundColor="#ffffff40"), sigma),
            design="ours blurs what is around the box into it; Chromium mirrors what is inside at its edges")
      for sigma in (4, 10)],
    Scene("backdrop-colors", "saturation and brightness of what is below",
          [*stripes(), box(50, 30, 140, 100, backgroundColor="#ffffff20", backdropFilters={"saturation": 0.2, "brightness": 1.2})]),
    Scene("backdrop-round", "frosted glass with round corners", [*stripes(), box(
        50, 30, 140, 100, backgroundColor="#ffffff40", cornerRadius=30, backdropFilters={"brightness": 0.5})]),
]

LIGHT = {"colors": ["#ffffff", "#000000"], **TURN}
DISK = {"kind": "radial", "colors": ["#000000", "#000000", "#00000000"], "locations": [0, 0.7, 0.75],
        "startPoint": [0.5, 0.5], "endPoint": [1, 1]}
MASKS = [
    Scene("mask", "a mask that fades out", [box(mask=FADE)]),
    Scene("mask-inverted", "the same, inverted", [box(mask=FADE, maskMode="inverted-alpha")]),
    Scene("mask-luminance", "shown where the mask is light", [box(mask=LIGHT, maskMode="luminance")]),
    Scene("mask-luminance-inverted", "shown where it is dark", [box(mask=LIGHT, maskMode="inverted-luminance")]),
    Scene("mask-color", "the luminance of colors", [box(mask={"colors": ["#ff0000", "#00ff00", "#0000ff"], **TURN}, maskMode="luminance")]),
    Scene("mask-radial", "a disk cut out of a group", [box(mask=DISK, sublayers=[box(60, 0, 60, 80, backgroundColor=BLUE)])]),
]

DEPTH = [
    Scene("rotate", "by 30 degrees", [box(transform={"rotationZ": 30})]),
    Scene("rotate-corner", "about the top left corner", [box(transform={"rotationZ": 20}, anchorPoint=(0, 0))]),
    Scene("scale", "by different factors", [box(transform={"scaleX": 1.3, "scaleY": 0.55})]),
    Scene("mirror", "by a negative factor", [box(cornerRadius=[40, 0, 0, 0], transform={"scaleX": -1})]),
    Scene("skew", "along both axes", [box(transform={"skewX": 20, "skewY": -8})]),
    Scene("together", "scaled, skewed, rotated and moved", [box(
        transform={"scaleX": 0.8, "scaleY": 1.2, "skewX": 15, "rotationZ": -25, "translationX": 20, "translationY": -10},
        cornerRadius=12)]),
    *[Scene(f"perspective-{axis.lower()}-{angle}", f"about {axis} by {angle} degrees in perspective",
            [plain(perspective=300, sublayers=[box(0, 0, 120, 80, transform={f"rotation{axis}": angle})])])
      for axis, angle in (("Y", 45), ("X", 50), ("Y", -60))],
    Scene("perspective-all", "about three axes", [plain(perspective=400, sublayers=[
        box(0, 0, 120, 80, cornerRadius=16, transform={"rotationX": 30, "rotationY": 40, "rotationZ": 20})])]),
    Scene("perspective-near", "toward the viewer", [plain(perspective=300, sublayers=[
        box(30, 20, 60, 40, transform={"translationZ": 90}), box(0, 60, 40, 20, backgroundColor=BLUE, transform={"translationZ": -150})])]),
    Scene("perspective-origin", "seen from a corner", [plain(perspective=300, anchorPoint=(0, 0), sublayers=[
        box(0, 0, 120, 80, transform={"rotationY": 40})])]),
    Scene("backface", "a back that is hidden beside one that is shown", [plain(perspective=400, sublayers=[
        box(0, 0, 50, 80, transform={"rotationY": 150}, backfaceVisibility="hidden"),
        box(70, 0, 50, 80, backgroundColor=BLUE, transform={"rotationY": 150})])]),
    Scene("skew-corner", "skewed about the bottom left corner", [box(transform={"skewX": -25}, anchorPoint=(0, 1))]),
    Scene("nested-transforms", "a rotation in a scale in a skew", [plain(transform={"skewX": 15}, sublayers=[
        plain(x=0, y=0, transform={"scaleX": 0.8, "scaleY": 1.1}, sublayers=[box(10, 10, 100, 60, transform={"rotationZ": 12})])])]),
    Scene("flat", "without perspective a rotation narrows", [box(transform={"rotationY": 60})]),
]

STROKE = {"path": "M 10 70 L 40 10 L 70 70 L 110 20", "fillColor": None, "strokeColor": BLUE, "lineWidth": 10}
SHAPES = [
    Scene("shape-fill", "curves", [plain(shape={
        "path": "M 60 75 C 0 40 10 0 40 5 Q 52 8 60 22 Q 68 8 80 5 C 110 0 120 40 60 75 Z", "fillColor": RED})]),
    Scene("shape-even-odd", "a star with a hole", [plain(shape={
        "path": "M 60 0 L 85 78 L 18 30 L 102 30 L 35 78 Z", "fillColor": RED, "fillRule": "even-odd"})]),
    Scene("shape-arc", "arcs", [plain(shape={"path": "M 10 40 A 50 30 20 1 1 110 40 A 30 30 0 0 0 10 40 Z", "fillColor": GREEN})]),
    Scene("stroke-miter", "mitered corners", [plain(shape=STROKE)]),
    Scene("stroke-round", "round ends and corners", [plain(shape=STROKE | {"lineCap": "round", "lineJoin": "round"})]),
    Scene("stroke-bevel", "square ends, beveled corners", [plain(shape=STROKE | {"lineCap": "square", "lineJoin": "bevel"})]),
    Scene("stroke-limit", "miters beyond their limit", [plain(shape=STROKE | {"miterLimit": 1.5})]),
    Scene("stroke-part", "a part of a path", [plain(shape=STROKE | {"strokeStart": 0.2, "strokeEnd": 0.75})]),
    Scene("stroke-dash", "dashes with a phase", [
        plain(shape=STROKE | {"lineWidth": 6, "lineDashPattern": [18, 8, 4, 8], "lineDashPhase": 11})]),
]
