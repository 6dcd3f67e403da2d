"""The rules of CSS that mean the same as keys of a text."""
import html

DECORATION = {"underline": "underline", "strikethrough": "line-through"}
FIGURES = {"tabular": "tabular-nums", "proportional": "proportional-nums", "oldstyle": "oldstyle-nums", "lining": "lining-nums"}


def rules(keys):
    font = keys["font"]
    made = {"font-family": f'"{font["family"]}"', "font-size": f"{font['size']}px", "font-weight": font.get("weight", 400),
            "color": keys.get("color", "white"), "white-space": "normal" if keys.get("wraps") else "pre",
            "line-height": "normal", "text-decoration-skip-ink": "none"}
    if font.get("isItalic"):
        made["font-style"] = "italic"
    if "tracking" in keys:
        made["letter-spacing"] = f"{keys['tracking']}px"
    if "features" in keys:
        made["font-feature-settings"] = ", ".join(f'"{name}" {value}' for name, value in keys["features"].items())
    if "figures" in keys:
        made["font-variant-numeric"] = FIGURES[keys["figures"]]
    if "verticalAlignment" in keys:
        made["align-content"] = {"top": "start", "middle": "center", "bottom": "end"}[keys["verticalAlignment"]]
    if "truncation" in keys:
        made |= {"overflow": "hidden", "text-overflow": "ellipsis"}
    if "maximumWidth" in keys:
        made["max-width"] = f"{keys['maximumWidth']}px"
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


def letters(keys):
    """Strings, runs of other styles, and the background of lines, which is inline in CSS."""
    made = html.escape(keys.get("string", ""))
    for run in keys.get("runs", []):
        font = run.get("font", {})
        styles = {"font-size": f"{font['size']}px"} if "size" in font else {}
        styles |= {"font-weight": font["weight"]} if "weight" in font else {}
        styles |= {"color": run["color"]} if "color" in run else {}
        styles |= {"vertical-align": f"{run['baselineShift']}px", "line-height": 0} if "baselineShift" in run else {}
        made += f'<span style="{";".join(f"{key}:{value}" for key, value in styles.items())}">{html.escape(run["text"])}</span>'
    if "background" in keys:
        made = f'<span style="background:{keys["background"]["color"]}">{made}</span>'
    return made
