"""The rules of CSS that mean the same as keys of a node."""
import html
import math

ALIGN = {"start": "flex-start", "end": "flex-end"}
DECORATION = {"underline": "underline", "strikethrough": "line-through"}


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
        made |= text(node["text"])
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


def text(keys):
    font = keys["font"]
    made = {"font-family": f'"{font["family"]}"', "font-size": f"{font['size']}px", "font-weight": font.get("weight", 400),
            "color": keys.get("color", "white"), "white-space": "pre-wrap" if keys.get("wraps") else "pre",
            "line-height": "normal", "text-decoration-skip-ink": "none"}
    if font.get("isItalic"):
        made["font-style"] = "italic"
    if "tracking" in keys:
        made["letter-spacing"] = f"{keys['tracking']}px"
    if "features" in keys:
        made["font-feature-settings"] = ", ".join(f'"{name}" {value}' for name, value in keys["features"].items())
    figures = {"tabular": "tabular-nums", "proportional": "proportional-nums", "oldstyle": "oldstyle-nums", "lining": "lining-nums"}
    if "figures" in keys:
        made["font-variant-numeric"] = figures[keys["figures"]]
    if "padding" in keys:
        made["padding"] = f"{keys['padding']}px"
    if "alignment" in keys:
        made["text-align"] = keys["alignment"].replace("justified", "justify")
    if "transform" in keys:
        made["text-transform"] = keys["transform"]
    if "outlineWidth" in keys:
        # Ours lies outside of the letters; the browser's is centered on their edge, and hidden inside by the fill.
        made |= {"-webkit-text-stroke": f"{2 * keys['outlineWidth']}px {keys['outlineColor']}", "paint-order": "stroke fill",
                 "stroke-linejoin": "round"}
    if "writingMode" in keys:
        made["writing-mode"] = keys["writingMode"]
    if keys.get("direction") == "right-to-left":
        made["direction"] = "rtl"
    lines = [name for key, name in DECORATION.items() if keys.get(key)]
    if lines:
        value = next(keys[key] for key in DECORATION if keys.get(key))
        made |= {"text-decoration-line": " ".join(lines), "text-decoration-thickness": "from-font",
                 "text-underline-position": "from-font"}
        if value == "double" or isinstance(value, dict) and value.get("style") == "double":
            made["text-decoration-style"] = "double"
        if isinstance(value, dict):
            made |= {"text-decoration-color": value.get("color", "currentcolor")}
            made |= {"text-decoration-thickness": f"{value['thickness']}px"} if "thickness" in value else {}
    return made


def content(node):
    if "text" in node:
        return html.escape(node["text"]["string"])
    if "shape" not in node:
        return ""
    keys = node["shape"]
    width, height = node["at"][2:]
    pairs = {"fill": keys.get("fillColor", "black") or "none", "fill-rule": keys.get("fillRule", "non-zero").replace("non-zero", "nonzero").replace("even-odd", "evenodd"),
             "stroke": keys.get("strokeColor") or "none", "stroke-width": keys.get("lineWidth", 1), "stroke-linecap": keys.get("lineCap", "butt"),
             "stroke-linejoin": keys.get("lineJoin", "miter"), "stroke-miterlimit": keys.get("miterLimit", 10),
             "stroke-dasharray": " ".join(map(str, keys.get("lineDashPattern", []))) or "none", "stroke-dashoffset": keys.get("lineDashPhase", 0)}
    written = " ".join(f'{key}="{value}"' for key, value in pairs.items())
    return (f'<svg style="position:absolute;left:0;top:0;overflow:visible" width="{width}" height="{height}">'
            f'<path d="{keys["path"]}" {written}/></svg>')


# How the value of an animated property is written in CSS.
ANIMATED = {
    "opacity": ("opacity", str), "backgroundColor": ("background-color", str), "cornerRadius": ("border-radius", lambda v: f"{v}px"),
    "borderColor": ("border-color", str), "borderWidth": ("border-width", lambda v: f"{v}px"), "transform.rotation": ("rotate", lambda v: f"{v}deg"), "transform.scale": ("scale", str),
    "transform.translation.x": ("translate", lambda v: f"{v}px"), "transform.translation.y": ("translate", lambda v: f"0 {v}px"),
    "transform.translation": ("translate", lambda v: f"{v[0]}px {v[1]}px"), "filters.blurRadius": ("filter", lambda v: f"blur({v}px)"),
    "filters.brightness": ("filter", lambda v: f"brightness({v})"), "filters.saturation": ("filter", lambda v: f"saturate({v})"),
    "filters.hueRotation": ("filter", lambda v: f"hue-rotate({v}deg)"), "bounds.size": ("width", lambda v: f"{v[0]}px"), "text.tracking": ("letter-spacing", lambda v: f"{v}px"),
    "text.color": ("color", str), "path": ("offset-distance", lambda v: f"{v}%"),
}


def keyframes(name, each):
    if "offset" in each:
        return f"@keyframes {name}{{from{{offset-distance:0%}}to{{offset-distance:100%}}}}"
    key, write = ANIMATED[each["property"]]
    values = each.get("values") or [each["from"], each["to"]]
    times = each.get("keyTimes") or [index / (len(values) - 1) for index in range(len(values))]
    easings = each.get("easings") or [each.get("easing", "linear")] * (len(values) - 1)
    steps = []
    for index, (value, time) in enumerate(zip(values, times)):
        easing = f";animation-timing-function:{easings[index]}" if index < len(easings) else ""
        steps.append(f"{time * 100}%{{{key}:{write(value)}{easing}}}")
    return f"@keyframes {name}{{{''.join(steps)}}}"


def run(name, each, at):
    """Stopped at the scene's time."""
    count = each.get("repeatCount", 1)
    count = "infinite" if count == "forever" else count * (2 if each.get("autoreverses") else 1)
    fill = {"removed": "none"}.get(each.get("fillMode", "removed"), each.get("fillMode", "removed"))
    easing = each.get("easing", "linear") if "offset" in each else "linear"
    direction = "alternate" if each.get("autoreverses") else "normal"
    return f"{name} {each['duration']}s {easing} {each.get('beginTime', 0) - at}s {count} {direction} {fill} paused"
