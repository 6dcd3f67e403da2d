"""Animations of CSS that mean the same as those of layers."""

# How the value of an animated property is written in CSS.
ANIMATED = {
    "opacity": ("opacity", "{}"), "backgroundColor": ("background-color", "{}"), "cornerRadius": ("border-radius", "{}px"),
    "borderWidth": ("border-width", "{}px"), "transform.rotation": ("rotate", "{}deg"), "transform.scale": ("scale", "{}"),
    "transform.translation": ("translate", "{0[0]}px {0[1]}px"), "transform.translation.x": ("translate", "{}px"),
    "transform.translation.y": ("translate", "0 {}px"), "filters.blurRadius": ("filter", "blur({}px)"),
    "filters.brightness": ("filter", "brightness({})"), "filters.hueRotation": ("filter", "hue-rotate({}deg)"),
    "text.tracking": ("letter-spacing", "{}px"),
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
        steps.append(f"{time * 100}%{{{key}:{write.format(value)}{easing}}}")
    return f"@keyframes {name}{{{''.join(steps)}}}"


def run(name, each, at):
    """Stopped at the scene's time."""
    count = each.get("repeatCount", 1)
    count = "infinite" if count == "forever" else count * (2 if each.get("autoreverses") else 1)
    fill = {"removed": "none"}.get(each.get("fillMode", "removed"), each.get("fillMode", "removed"))
    easing = each.get("easing", "linear") if "offset" in each else "linear"
    direction = "alternate" if each.get("autoreverses") else "normal"
    return f"{name} {each['duration']}s {easing} {each.get('beginTime', 0) - at}s {count} {direction} {fill} paused"
