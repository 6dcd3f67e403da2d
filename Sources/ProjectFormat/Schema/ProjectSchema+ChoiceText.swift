import CompositorAPI
import CompositorMediaWriting
import CompositorPlugins
import CompositorTimeline

/// Explanations of enumerated values, which editors show for completion.
enum ChoiceText {
  /// The explanation of a value of a key; `nil` if the value is self-explanatory.
  static func of(_ word: JSON5Node, key: String) -> String? {
    guard case .string(let word) = word.value else { return nil }
    switch key {
    case "preset": return ExportPreset(rawValue: word)?.definition.summary
    case "type": return transition(word)
    case "property": return "Animates \(word)."
    default: return table[key]?[word] ?? common[word]
    }
  }

  private static func transition(_ name: String) -> String? {
    guard let kind = TransitionName.kind(name) else { return nil }
    return switch kind.layers {
    case .dissolve?: "The old video fades into the new."
    case .push(let direction, _)?: "The new video pushes the old one out, moving \(direction.rawValue)."
    case nil: CompositorRegistry.builtIn[kind.compositor]?.descriptor.summary
    }
  }

  /// Values that have the same meaning for all keys.
  private static let common = [
    "auto": "Directly after the previous one.", "forever": "Endless.", "none": "None.",
    "natural": "Determined by the text's first letter.",
    "left-to-right": "From left to right.", "right-to-left": "From right to left.", "top": "At the top.",
    "middle": "In the middle.",
    "bottom": "At the bottom.", "left": "On the left.", "right": "On the right.", "center": "In the center.",
    "top-left": "At the top left.", "top-right": "At the top right.", "bottom-left": "At the bottom left.",
    "bottom-right": "At the bottom right.", "limited": "Black and white at 16 and 235 of 8 bits.",
    "full": "Black and white at 0 and 255 of 8 bits.", "linear": "At a constant rate.", "standard": "The default.",
    "clip": "Values outside are clipped.", "nearest": "The nearest one.",
  ]

  private static let table: [String: [String: String]] = [
    "codec": codecs, "color": colors, "blendMode": blendModes,
    "missing": [
      "error": "The sequence is refused.", "skip": "The next image that exists, a frame later.", "hold": "The image before.",
    ],
    "channels": [
      "all": "All channels, in their own places.", "left": "The left channel, or the first one.",
      "right": "The right channel, or the second one.", "swap": "Left and right exchanged.", "mono": "All mixed down to one.",
    ],
    "channel": ["luma": "Black is 0, white is 1.", "alpha": "Transparent is 0, opaque is 1."],
    "ends": [
      "longest": "From the first beginning to the last end.", "shortest": "From the last beginning to the first end.",
      "video": "As long as the video.", "audio": "As long as the audio.",
    ],
    "hdrMetadata": [
      "propagate": "That of the sources.", "drop": "None is written.", "generate": "Measured in the rendered frames.",
    ],
    "peak": ["stated": "That of the metadata.", "measure": "Measured in a first pass."],
    "peakLuminance": ["measure": "Measured in a first pass."],
    "blending": ["encoded": "On code values, as broadcast mixers do.", "linear": "In linear light."],
    "sampling": [
      "fast": "Box filter for reduction, then bilinear interpolation.",
      "good": "Bicubic for enlargement, Lanczos for reduction, unless rotated.",
      "best": "Lanczos, also for layers that scale or rotate.",
    ],
    "encoder": [
      "software": "The processor.", "vaapi": "A VA-API device (Intel, AMD).", "nvenc": "An NVIDIA device.",
    ],
    "encoderSpeed": Dictionary(
      uniqueKeysWithValues: VideoEncodingSettings.Speed.allCases.map { ($0.rawValue, "Faster makes larger files.") }),
    "profile": [
      "proxy": "ProRes 422 Proxy.", "lt": "ProRes 422 LT.", "standard": "ProRes 422.",
      "hq": "ProRes 422 HQ, or DNxHR HQ: 8 bits.",
      "4444": "ProRes 4444, with alpha.", "4444xq": "ProRes 4444 XQ, with alpha.", "lb": "DNxHR LB: low bandwidth.",
      "sq": "DNxHR SQ: standard quality.", "hqx": "DNxHR HQX: 10 or 12 bits.", "444": "DNxHR 444.",
    ],
    "palette": ["shared": "One for all frames: smaller, and colors do not flicker.", "per-frame": "One for each frame."],
    "dithering": [
      "none": "Rounding to the nearest.", "ordered": "A fixed pattern.", "bayer": "A fixed pattern: small files.",
      "floyd-steinberg": "Error diffusion.", "sierra2": "Error diffusion, wide.", "sierra2-4a": "Error diffusion, quick.",
    ],
    "downmix": ["standard": "At full level.", "normalized": "Lowered so that nothing can clip."],
    "toneMapping": [
      "bt2390": "The curve of ITU-R BT.2390.", "reinhard": "Reinhard's curve.", "hable": "Hable's curve.",
      "clip": "Light above the peak is clipped.",
    ],
    "gamutMapping": [
      "automatic": "clip for SDR, preserve-hue for HDR.", "preserve-hue": "Saturation is reduced, hue is preserved.",
      "clip": "Each component is clipped.",
    ],
    "sdrCurve": ["display": "Light as a display shows it.", "camera": "Light as a camera records it."],
    "srgb": ["graphics": "The same as SDR video.", "colorimetric": "IEC 61966-2-1."],
    "deinterlace": [
      "off": "Frames as they are.", "same": "One frame from two fields.", "double": "One frame from each field.",
    ],
    "alpha": [
      "straight": "Color is not multiplied by alpha.", "premultiplied": "Color is multiplied by alpha.",
      "ignore": "Alpha is ignored: opaque.",
    ],
    "generate": [
      "color": "One color.", "bars": "Color bars.", "gradient": "A gradient from one color to another.",
      "clock": "A running clock with frame numbers.",
    ],
    "duration": ["fill": "Until everything else has ended.", "forever": "Endless."],
    "pitch": [
      "keep": "The pitch is kept.", "follow": "The pitch follows the speed.", "spectral": "The pitch is kept: best quality.",
      "time-domain": "The pitch is kept: for speech.", "varispeed": "The pitch follows the speed.",
    ],
    "frames": [
      "nearest": "The frame at that time, unchanged.", "blend": "A blend of the two frames.",
      "motion": "An intermediate frame by motion estimation.",
    ],
    "fit": [
      "fit": "Scaled to fit, with bars.", "fill": "Scaled to cover, cropped at the sides.", "none": "Unscaled.",
      "shrink": "Smaller until it fits.",
    ],
    "kind": kinds,
    "as": ["burned-in": "Drawn over the frames.", "track": "A track of the output.", "both": "Drawn and written as a track."],
    "easing": ["equal-power": "A quarter of a sine, which preserves power."],
    "audio": ["equal-power": "Preserves power.", "linear": "At a constant rate.", "none": "Both at full level."],
    "while": ["sounding": "While its audio exceeds the threshold.", "clips": "While it has a clip."],
    "fillMode": [
      "removed": "Nothing outside its time.", "forwards": "Its end is held after it.",
      "backwards": "Its start is shown before it.",
      "both": "Its start before it, its end after it.",
    ],
    "mode": [
      "linear": "Linear interpolation.", "discrete": "No interpolation.", "paced": "At constant speed.",
      "cubic": "A smooth curve through all.", "cubic-paced": "A smooth curve at constant speed.",
    ],
    "rotation": [
      "none": "No rotation.", "auto": "Rotates with the path.", "auto-reverse": "Rotates with the path, facing backward.",
    ],
    "truncation": ["none": "Nothing.", "start": "The start.", "middle": "The middle.", "end": "The end."],
    "writingMode": [
      "horizontal": "Lines from top to bottom.", "vertical-rl": "Columns from right to left.",
      "vertical-lr": "Columns from left to right.",
    ],
    "figures": [
      "normal": "That of the font.", "tabular": "All equally wide.", "proportional": "As wide as each needs.",
      "oldstyle": "With ascenders and descenders.", "lining": "As high as uppercase letters.",
    ],
    "underline": lines, "strikethrough": lines, "style": lines.merging(numberStyles) { line, _ in line },
    "dateStyle": dateStyles, "timeStyle": dateStyles,
    "baselineShift": ["superscript": "Higher and smaller.", "subscript": "Lower and smaller."],
    "transform": [
      "none": "As written.", "uppercase": "Uppercase.", "lowercase": "Lowercase.",
      "capitalize": "The first letter of each word is uppercase.",
    ],
    "maskMode": [
      "alpha": "Where the mask is.", "inverted-alpha": "Where the mask is not.", "luminance": "Where the mask is light.",
      "inverted-luminance": "Where the mask is dark, or is not.",
    ],
    "relativeTo": ["start": "From the beginning.", "end": "From the end, so that times before it are negative."],
    "spacing": [
      "fixed": "In the places of the settled characters.", "natural": "As wide as each is, so that the line changes.",
    ],
    "backfaceVisibility": ["visible": "The back is shown, mirrored.", "hidden": "The back is not shown."],
    "per": ["line": "Each line.", "word": "Each word."],
    "by": [
      "character": "Grapheme clusters.", "character-and-blank": "Grapheme clusters, and the blanks between them.",
      "word": "Words.", "line": "Lines.",
    ],
    "shape": [
      "square": "Evenly over the range.", "ramp-up": "From 0 to 1, and 1 after it.",
      "ramp-down": "From 1 to 0, and 1 before it.",
      "triangle": "From 0 to 1 in the middle and back.", "round": "Half a circle.", "smooth": "A bell.",
    ],
    "order": [
      "forward": "In reading order.", "backward": "In reverse reading order.", "from-center": "From the middle outward.",
      "to-center": "From both ends inward.", "random": "In a random order that depends on seed.",
    ],
    "rounding": ["nearest": "To the nearest.", "floor": "Down.", "ceiling": "Up."],
    "direction": [
      "row": "From left to right.", "row-reverse": "From right to left.", "column": "From top to bottom.",
      "column-reverse": "From bottom to top.",
    ],
    "alignItems": flexAlignments, "alignSelf": flexAlignments, "justifyContent": distributions, "alignContent": distributions,
    "alignment": ["natural": "At the side where the text begins.", "justified": "Justified at both edges."],
    "fillRule": ["non-zero": "Points with a nonzero winding number.", "even-odd": "Points with an odd winding number."],
    "lineCap": ["butt": "Cut at the end.", "round": "Half a circle beyond.", "square": "Half a square beyond."],
    "lineJoin": ["miter": "Pointed.", "round": "Round.", "bevel": "Cut."],
    "gravity": [
      "resize": "Stretched to the bounds.", "resize-aspect": "Scaled to fit, keeping its aspect ratio.",
      "resize-aspect-fill": "Scaled to cover, keeping its aspect ratio.",
    ],
  ]

  private static let flexAlignments = [
    "stretch": "As high as the row, or as wide as the column.", "start": "At the top or left.", "center": "In the middle.",
    "end": "At the bottom or right.",
    "baseline": "With the first lines of texts, or lower edges of what has no text, on one line; in a column, as start.",
  ]

  private static let distributions = [
    "start": "Space at the end.", "center": "Space at both ends.", "end": "Space at the beginning.",
    "space-between": "Space between them.", "space-around": "Space around each, half as much at the ends.",
    "space-evenly": "Equal space between them and at the ends.",
  ]

  private static let numberStyles = [
    "decimal": "A number.", "percent": "A fraction in percent: 0.5 is 50 %.", "currency": "An amount of currency.",
    "compact": "In thousands, millions and so on, such as 1.2M.",
  ]

  private static let dateStyles = [
    "full": "With the day of the week; a time with its zone.", "long": "With the month's name; a time with its zone.",
    "medium": "Abbreviated; a time with seconds.", "short": "In numbers; a time without seconds.",
  ]

  private static let lines = ["none": "No line.", "single": "One line.", "double": "Two lines."]

  private static let kinds = [
    "title": "In the middle.", "lower-third": "A name and a role at the lower left.", "credits": "Lines that scroll.",
    "caption": "At the bottom.", "fade": "The new layer fades in.", "move-in": "The new layer moves over the old.",
    "push": "The new layer pushes the old out.", "reveal": "The old layer moves away.", "axial": "Along a line.",
    "radial": "From a center outward.", "conic": "Around a center.",
  ]

  private static let codecs = [
    "h264": "H.264, 8 bits: plays everywhere.", "hevc": "HEVC: 10 bits and HDR.", "av1": "AV1: small files, slow to encode.",
    "prores": "Apple ProRes: for editing.", "ffv1": "FFV1: lossless.", "vp9": "VP9: for the web, with alpha.",
    "dnxhr": "Avid DNxHR: for editing.", "gif": "GIF: 256 colors.", "webp": "Animated WebP.", "raw": "The frames as they are.",
    "aac": "AAC: plays everywhere.", "alac": "Apple Lossless.", "flac": "FLAC: lossless.",
    "opus": "Opus: best at low bit rates.",
    "mp3": "MP3.", "pcm-s16": "PCM, 16 bits.", "pcm-s24": "PCM, 24 bits.", "pcm-f32": "PCM, 32-bit float.",
  ]

  private static let colors = [
    "sdr": "The same as bt709.", "bt709": "ITU-R BT.709: HD video.", "bt601-525": "ITU-R BT.601 of NTSC.",
    "bt601-625": "ITU-R BT.601 of PAL.", "bt2020": "ITU-R BT.2020: wide gamut, SDR.", "display-p3": "Display P3.",
    "hlg": "ITU-R BT.2100 HLG: HDR.", "pq": "ITU-R BT.2100 PQ: HDR.", "srgb": "sRGB: IEC 61966-2-1.",
    "adobe-rgb": "Adobe RGB (1998).",
    "prophoto-rgb": "ProPhoto RGB (ROMM).", "apple-log": "Apple Log.", "s-log3": "Sony S-Log3, S-Gamut3.",
    "s-log3-cine": "Sony S-Log3, S-Gamut3.Cine.", "v-log": "Panasonic V-Log, V-Gamut.", "logc3": "ARRI LogC3.",
    "logc4": "ARRI LogC4.", "c-log2": "Canon Log 2.", "c-log3": "Canon Log 3.", "f-log2": "Fujifilm F-Log2.",
  ]

  private static let blendModes = [
    "normal": "Covers what is beneath.", "multiply": "The product: darker.", "screen": "The inverse product: lighter.",
    "overlay": "multiply or screen, by what is beneath.", "darken": "The darker of both.", "lighten": "The lighter of both.",
    "color-dodge": "What is beneath gets brighter.", "color-burn": "What is beneath gets darker.",
    "hard-light": "multiply or screen, by the layer.", "soft-light": "A softer hard-light.", "difference": "The difference.",
    "exclusion": "A softer difference.", "hue": "The layer's hue.", "saturation": "The layer's saturation.",
    "color": "The layer's hue and saturation.", "luminosity": "The layer's luminosity.", "plus-lighter": "The sum.",
  ]
}
