"""The rules of CSS that mean the same as keys of a node."""
import math

from . import css_text

ALIGN = {"start": "flex-start", "end": "flex-end"}


def length(value):
    return value if isinstance(value, str) else f"{value}px"


def rules(node):
    made = {}
    place = node.get("at")
    if place:
        made |= {"position": "absolute", "left": f"{place[0]}px", "top": f"{place[1]}px"}
        if len(place) == 4:
            made |= {"width": f"{place[2]}px", "height": f"{place[3]}px"}
        else:
            made["width"] = "max-content"
    made |= item(node.get("item", {}))
    if "flex" in node:
        made |= flex(node["flex"])
    if "backgroundColor" in node:
        made["background-color"] = node["backgroundColor"]
    if "gradient" in node:
        made["background-image"] = gradient(node["gradient"], *place[2:])
    radius = node.get("cornerRadius")
    if radius is not None:
        made["border-radius"] = " ".join(length(each) for each in (radius if isinstance(radius, list) else [radius]))
    if "borderWidth" in node:
        made["border"] = f"{length(node['borderWidth'])} solid {node['borderColor']}"
    for key, name in (("opacity", "opacity"), ("blendMode", "mix-blend-mode"), ("backfaceVisibility", "backface-visibility")):
        if key in node:
            made[name] = node[key]
    if "zPosition" in node:
        made["z-index"] = node["zPosition"]
    if node.get("isHidden"):
        made["visibility"] = "hidden"
    if "perspective" in node:
        # Our siblings cover each other by depth.
        made |= {"perspective": length(node["perspective"]), "transform-style": "preserve-3d"}
    if "anchorPoint" in node:
        made["transform-origin"] = made["perspective-origin"] = " ".join(f"{each * 100}%" for each in node["anchorPoint"])
    if "transform" in node:
        made["transform"] = transform(node["transform"])
    if "filters" in node:
        made["filter"] = filters(node["filters"])
    if "backdropFilters" in node:
        made["backdrop-filter"] = filters(node["backdropFilters"])
    if "shadows" in node:
        made |= shadows(node)
    if node.get("masksToBounds"):
        made["overflow"] = "clip"
    if "mask" in node:
        made |= mask(node)
    if "text" in node:
        made |= css_text.rules(node["text"])
    return made


def item(keys):
    made = {}
    names = {"minimumWidth": "min-width", "maximumWidth": "max-width", "minimumHeight": "min-height", "maximumHeight": "max-height"}
    for key, value in keys.items():
        if key in ("grow", "shrink"):
            made[f"flex-{key}"] = value
        elif key == "basis":
            made["flex-basis"] = length(value)
        elif key == "alignSelf":
            made["align-self"] = ALIGN.get(value, value)
        elif key == "aspectRatio":
            made["aspect-ratio"] = value
        else:
            made[names.get(key, key)] = length(value)
    return made


def flex(keys):
    direction = keys.get("direction", "row")
    gap, lines = keys.get("gap", 0), keys.get("lineGap", keys.get("gap", 0))
    across, down = (gap, lines) if direction.startswith("row") else (lines, gap)
    padding = keys.get("padding", 0)
    sides = [padding.get(side, 0) for side in ("top", "right", "bottom", "left")] if isinstance(padding, dict) else [padding]
    made = {"display": "flex", "flex-direction": direction, "column-gap": f"{across}px", "row-gap": f"{down}px",
            "padding": " ".join(f"{each}px" for each in sides)}
    for key, name in (("alignItems", "align-items"), ("justifyContent", "justify-content"), ("alignContent", "align-content")):
        if key in keys:
            made[name] = ALIGN.get(keys[key], keys[key])
    if keys.get("wraps"):
        made["flex-wrap"] = "wrap"
    return made


def transform(keys):
    def get(key, default=0):
        return keys.get(key, default)
    return (f"translate3d({get('translationX')}px,{get('translationY')}px,{get('translationZ')}px) rotateX({get('rotationX')}deg) "
            f"rotateY({get('rotationY')}deg) rotateZ({get('rotationZ')}deg) skew({get('skewX')}deg,{get('skewY')}deg) "
            f"scale({get('scaleX', 1)},{get('scaleY', 1)})")


def filters(keys):
    names = {"brightness": "brightness", "contrast": "contrast", "saturation": "saturate"}
    made = [f"blur({keys['blurRadius']}px)"] if "blurRadius" in keys else []
    made += [f"{name}({keys[key]})" for key, name in names.items() if key in keys]
    return " ".join(made + ([f"hue-rotate({keys['hueRotation']}deg)"] if "hueRotation" in keys else []))


def shadows(node):
    """A blur radius of CSS is twice the standard deviation; that of drop-shadow() is the deviation itself."""
    parts = node["shadows"]
    if "text" in node and "backgroundColor" not in node:
        return {"text-shadow": ", ".join(f"{x}px {y}px {2 * sigma}px {color}" for x, y, sigma, color, _ in parts)}
    if "shape" in node or "gradient" in node:
        return {"filter": " ".join(f"drop-shadow({x}px {y}px {sigma}px {color})" for x, y, sigma, color, _ in parts)}
    return {"box-shadow": ", ".join(f"{'inset ' if inner else ''}{x}px {y}px {2 * sigma}px {color}" for x, y, sigma, color, inner in parts)}


def mask(node):
    mode = node.get("maskMode", "alpha")
    image = gradient(node["mask"], *node["at"][2:])
    kind = "luminance" if "luminance" in mode else "alpha"
    if not mode.startswith("inverted"):
        return {"mask-image": image, "mask-mode": kind}
    return {"mask-image": f"linear-gradient(#fff,#fff), {image}", "mask-mode": f"alpha, {kind}", "mask-composite": "exclude"}


def gradient(keys, width, height):
    kind, colors = keys.get("kind", "axial"), keys["colors"]
    places = keys.get("locations") or [index / (len(colors) - 1) for index in range(len(colors))]
    start, end = keys.get("startPoint", [0.5, 0]), keys.get("endPoint", [0.5, 1])
    x, y = start[0] * width, start[1] * height
    dx, dy = end[0] * width - x, end[1] * height - y
    if kind == "radial":
        stops = ", ".join(f"{color} {place * 100}%" for color, place in zip(colors, places))
        return f"radial-gradient({abs(dx)}px {abs(dy)}px at {x}px {y}px, {stops})"
    angle = math.degrees(math.atan2(dx, -dy))
    if kind == "conic":
        stops = ", ".join(f"{color} {place * 100}%" for color, place in zip(colors, places))
        return f"conic-gradient(from {angle}deg at {x}px {y}px, {stops})"
    size = math.hypot(dx, dy)
    ux, uy = dx / size, dy / size
    line = abs(width * ux) + abs(height * uy)
    first = (x - width / 2) * ux + (y - height / 2) * uy + line / 2
    stops = ", ".join(f"{color} {first + place * size}px" for color, place in zip(colors, places))
    return f"linear-gradient({angle}deg, {stops})"


def content(node):
    if "text" in node:
        return css_text.letters(node["text"])
    if "shape" not in node:
        return ""
    keys = node["shape"]
    width, height = node["at"][2:]
    rule = {"non-zero": "nonzero", "even-odd": "evenodd"}[keys.get("fillRule", "non-zero")]
    dashes = " ".join(map(str, keys.get("lineDashPattern", []))) or "none"
    pairs = {"fill": keys.get("fillColor", "black") or "none", "fill-rule": rule, "stroke": keys.get("strokeColor") or "none",
             "stroke-width": keys.get("lineWidth", 1), "stroke-linecap": keys.get("lineCap", "butt"),
             "stroke-linejoin": keys.get("lineJoin", "miter"), "stroke-miterlimit": keys.get("miterLimit", 10),
             "stroke-dasharray": dashes, "stroke-dashoffset": keys.get("lineDashPhase", 0)}
    if "strokeEnd" in keys:
        start, end = keys.get("strokeStart", 0), keys["strokeEnd"]
        pairs |= {"pathLength": 1, "stroke-dasharray": f"{end - start} 2", "stroke-dashoffset": -start}
    written = " ".join(f'{key}="{value}"' for key, value in pairs.items())
    return (f'<svg style="position:absolute;left:0;top:0;overflow:visible" width="{width}" height="{height}">'
            f'<path d="{keys["path"]}" {written}/></svg>')
