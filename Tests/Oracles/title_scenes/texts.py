"""Lines of text: widths, OpenType features, decorations, outlines and paragraphs."""
from . import gaussian
from .describe import Scene

SANS, GARAMOND, INTER = "DejaVu Sans", "EB Garamond", "Inter"
INK = "#102030"
TRAILING = "browsers add the space after the last letter of a line, too"
WHOLE = "browsers draw these lines on whole pixels, ours are where the font says"


def node(string, family=SANS, size=28, at=(10, 30), **keys):
    font = {"family": family, "size": size} | keys.pop("font", {})
    written = {} if "runs" in keys else {"string": string}
    return {"at": at, "text": written | {"font": font, "color": INK} | keys}


def line(name, what, string, family=SANS, size=28, **keys):
    """Two lines of the same: letters, and a box in their color whose width is measured."""
    bar = node(string, family, size, (10, 90), **keys) | {"name": "bar", "backgroundColor": INK}
    design = TRAILING if "tracking" in keys else ""
    return Scene(name, what, [node(string, family, size, **keys), bar], check="text", design=design,
                 shaped=[(family, keys.get("font", {}), size, string, dict(keys.get("features", {})), keys.get("tracking", 0))])


LINES = [
    line("text", "kerning and ligatures", "AVATAR office"),
    line("text-kern-off", "without kerning", "AVATAR To", features={"kern": 0}),
    line("text-liga-off", "without ligatures", "office fluff", features={"liga": 0}),
    line("text-bold", "bold", "Bold Title", font={"weight": 700}),
    line("text-italic", "oblique", "Oblique", font={"isItalic": True}),
    line("text-small", "13 pixels high", "Small letters in a line", size=13),
    line("text-large", "a size of 52.5 pixels", "Large", size=52.5),
    line("text-greek", "Greek", "Αθήνα ως"),
    line("text-arabic", "Arabic", "السلام عليكم"),
    line("text-tracking", "spaced letters", "SPACED", tracking=6),
    line("text-tracking-less", "narrow letters", "Narrow", tracking=-1.5),
    line("text-tracking-liga", "spaced letters have no ligatures", "office", tracking=2),
    line("feature-liga", "ligatures of EB Garamond", "fifty officials", GARAMOND),
    line("feature-dlig", "discretionary ligatures", "actions strict", GARAMOND, features={"dlig": 1}),
    line("feature-smcp", "small capitals", "Small Capitals", GARAMOND, features={"smcp": 1}),
    line("feature-c2sc", "small capitals of capitals", "ABC Title", GARAMOND, features={"c2sc": 1, "smcp": 1}),
    line("feature-onum", "oldstyle figures", "0123456789", GARAMOND, features={"onum": 1}),
    line("feature-lnum", "lining figures", "0123456789", GARAMOND, features={"lnum": 1}),
    line("feature-frac", "fractions", "1/2 23/64", GARAMOND, features={"frac": 1}),
    line("feature-tnum", "tabular figures", "1111.00", INTER, features={"tnum": 1}),
    line("feature-tnum-off", "proportional figures", "1111.00", INTER),
    line("feature-zero", "slashed zero", "A0O0", INTER, features={"zero": 1}),
    line("feature-case", "forms for capitals", "(A-B)", INTER, features={"case": 1}),
    line("feature-ss01", "a stylistic set", "1234 ag", INTER, features={"ss01": 1}),
    line("feature-sups", "superior figures", "x123", INTER, features={"sups": 1}),
]
for key, tag in (("tabular", "tnum"), ("oldstyle", "onum"), ("lining", "lnum"), ("proportional", "pnum")):
    made = line(f"figures-{key}", f"figures: {key}", "0171 2024", GARAMOND, figures=key)
    made.shaped = [(GARAMOND, {}, 28, "0171 2024", {tag: 1}, 0)]
    LINES.append(made)


def marked(name, what, design="", **keys):
    return Scene(f"text-{name}", what, [node("Hxgp Title", size=32, **keys)], check="ink", design=design)


PARAGRAPH = "The quick brown fox jumps over the lazy dog"


def paragraph(name, what, at=(20, 20, 200, 120), **keys):
    # Browsers round a font's ascent and descent to whole pixels; the height of lines is ours here.
    return Scene(f"text-{name}", what, [node(PARAGRAPH, size=20, at=at, wraps=True, **keys) | {"name": "letters"}], check="ink",
                 replaced={"letters": {"line-height": f"{keys.get('lineHeight', 1) * (1901 + 483) / 2048 * 20}px"}})


def glowing():
    sharp = node("Glow", size=56, at=(40, 40))
    shadow = [(0, 0, 5, "#d02040", False)]
    return Scene("text-shadow", "a soft shadow of letters", [sharp | {"shadows": shadow}], check="ink",
                 reference=gaussian.shadow([sharp], [(0, 0, 5, "#d02040")]))


OTHERS = [
    marked("underline", "an underline", underline=True, design=WHOLE),
    marked("strikethrough", "struck through", strikethrough=True, design=WHOLE),
    marked("underline-double", "a double underline", underline="double", design=WHOLE),
    marked("underline-color", "an underline of another color and thickness", underline={"color": "#d02040", "thickness": 4}),
    marked("outline", "an outline", outlineWidth=3, outlineColor="#d02040"),
    marked("uppercase", "uppercase", transform="uppercase", tracking=-4),
    marked("capitalize", "capitals at the beginnings of words", transform="capitalize"),
    glowing(),
    paragraph("wrap", "lines that wrap"),
    paragraph("wrap-center", "centered lines", alignment="center"),
    paragraph("wrap-right", "lines to the right", alignment="right"),
    paragraph("wrap-justified", "justified lines", alignment="justified"),
    paragraph("middle", "lines in the middle of their box", verticalAlignment="middle"),
    paragraph("bottom", "lines at the bottom", verticalAlignment="bottom", alignment="center"),
    paragraph("line-height", "lines half as far again apart", lineHeight=1.5),
    paragraph("maximum-width", "lines that break at a width of the text", (20, 20), maximumWidth=170),
    paragraph("background", "a background of each line", background={"color": "#c0d8f0"}),
    Scene("text-truncated", "an ellipsis where the text ends", [node(
        "A title that is too long", size=24, at=(10, 60, 180, 40), truncation="end")], check="ink"),
    Scene("text-runs", "runs of other sizes, weights and colors", [node("", size=28, at=(10, 50), runs=[
        {"text": "AV"}, {"text": "A", "color": "#d02040"}, {"text": " big", "font": {"family": SANS, "size": 42}},
        {"text": " it", "font": {"family": SANS, "size": 28, "weight": 700}}])], check="ink"),
    Scene("text-shifted", "letters above and below their baseline", [node("", size=32, at=(10, 50), runs=[
        {"text": "E = mc"}, {"text": "2", "font": {"family": SANS, "size": 18}, "baselineShift": 12}, {"text": " H"},
        {"text": "2", "font": {"family": SANS, "size": 18}, "baselineShift": -6}, {"text": "O"}])], check="ink"),
    Scene("text-gradient", "a gradient in letters", [node(
        "Gradient", size=44, at=(10, 40), gradient={"colors": ["#ff2000", "#0040ff"], "startPoint": [0, 0.5], "endPoint": [1, 0.5]})
        | {"name": "letters"}], check="ink", replaced={"letters": {
            "background-image": "linear-gradient(90deg, #ff2000, #0040ff)", "background-clip": "text", "color": "transparent"}}),
    Scene("text-rotated", "rotated letters", [node("Rotated", size=32, at=(40, 50)) | {"transform": {"rotationZ": 20}}], check="ink"),
    Scene("text-rtl", "Arabic lines, to the right", [node(
        "السلام عليكم ورحمة الله وبركاته", size=24, at=(20, 20, 200, 120), wraps=True) | {"name": "letters"}], check="ink",
        replaced={"letters": {"direction": "rtl"}}),
    Scene("text-vertical", "Japanese in columns", [node("縦書きの文字", "VL Gothic", 24, (100, 5, 60, 150),
                                                            writingMode="vertical-rl", wraps=True)], check="ink",
          design="the font has no vertical metrics: the origins of its letters are those of HarfBuzz, Chromium has others"),
]
