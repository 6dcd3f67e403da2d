import CompositorAPI

// Values of other programs, and the corresponding ones here.

extension FalseFriend {
  /// Values of other programs, by the value that projects use.
  private static let values: [(value: String, written: Set<String>)] = [
    ("hevc", ["h265", "h.265", "x265", "libx265", "hvc1", "hev1"]), ("h264", ["h.264", "avc", "x264", "libx264", "avc1"]),
    (
      "dissolve",
      ["crossfade", "cross-fade", "crossdissolve", "cross-dissolve", "xfade", "fade", "mix", "fade-in", "fade-out"]
    ),
    ("dip-to-black", ["fade-to-black", "fadeblack", "fadetoblack", "black"]), ("push", ["slide"]),
    ("fill", ["cover", "crop-to-fill"]), ("fit", ["contain", "letterbox"]), ("opacity", ["alpha", "fade", "transparency"]),
    ("transform.rotation", ["rotate", "rotation", "angle"]), ("transform.scale", ["scale", "zoom"]),
    ("position.x", ["x", "left", "posx"]), ("position.y", ["y", "top", "posy"]),
    ("zPosition", ["position.z", "z", "z-index", "zindex"]),
    ("pq", ["bt2020-pq", "bt2020pq", "bt2100-pq", "rec2100-pq", "rec2020-pq", "hdr10", "hdr10+", "smpte2084", "st2084"]),
    ("hlg", ["bt2020-hlg", "bt2020hlg", "bt2100-hlg", "rec2100-hlg", "rec2020-hlg", "arib-std-b67"]),
    ("hevc-pq", ["hevc-hdr10", "h265-pq", "hdr10"]), ("hevc-hlg", ["h265-hlg"]),
    ("straight", ["unpremultiplied", "un-premultiplied", "non-premultiplied", "unassociated"]),
    ("plus-lighter", ["lighter", "plus", "add", "additive", "linear-dodge"]),
    ("transform.translation.x", ["translatex", "movex"]), ("transform.translation.y", ["translatey", "movey"]),
    ("transform.scale.x", ["scalex", "scale.x"]), ("transform.scale.y", ["scaley", "scale.y"]),
    ("transform.skew.x", ["skewx"]), ("transform.skew.y", ["skewy"]),
    ("bounds.size", ["width", "height"]), ("cornerRadius", ["radius", "border-radius", "borderradius"]),
    ("backgroundColor", ["background", "background-color", "bgcolor"]), ("fillColor", ["fill"]), ("strokeColor", ["stroke"]),
    ("lineWidth", ["strokewidth", "stroke-width"]), ("strokeStart", ["trimstart"]),
    ("strokeEnd", ["trim", "trimend", "progress"]),
    ("lineDashPhase", ["dash", "dashoffset", "strokedashoffset", "stroke-dashoffset"]), ("shadowOpacity", ["shadow"]),
    ("filters.blurRadius", ["blur", "filter.blur", "filters.blur"]), ("filters.glowRadius", ["glow", "filters.glow"]),
    ("filters.hueRotation", ["hue", "hue-rotate", "filters.hue"]), ("filters.saturation", ["saturate"]),
    ("text.color", ["textcolor", "fontcolor"]), ("text.tracking", ["letterspacing", "letter-spacing", "kerning"]),
    ("text.lineHeight", ["line-height", "leading"]), ("text.reveal", ["typewriter"]), ("text.value", ["counter", "number"]),
    ("emitter.birthRate", ["emitter.rate"]), ("emitter.velocity", ["emitter.speed"]),
    ("start", ["flex-start"]), ("end", ["flex-end"]),
    ("veryslow", ["slowest"]), ("ultrafast", ["fastest"]),
    ("bt709", ["rec709", "rec.709", "bt.709"]), ("bt2020", ["rec2020", "rec.2020", "bt.2020"]),
  ]

  /// Names of other programs with several values here.
  private static let ambiguous: [(values: [String], written: Set<String>)] = [
    (["hevc-pq", "hevc-hlg"], ["hevc-hdr", "h265-hdr", "hevc-10-hdr"]),
    (["pq", "hlg"], ["hdr", "bt2020-hdr", "bt2100", "rec2100"]),
  ]

  /// The values for a name used by other programs; empty if nothing is known about it. Of several, the author has to choose.
  package static func values(_ written: String, among words: [String]) -> [String] {
    if let value = value(written, among: words) { return [value] }
    let word = written.lowercased()
    if let known = ambiguous.first(where: { $0.written.contains(word) && $0.values.allSatisfy(words.contains) }) {
      return known.values
    }
    // In other programs the rotation in the plane is that about the third axis.
    let plane = [".rotation.z", ".rotationz"].first { word.hasSuffix($0) }
    return plane.flatMap { turned in
      let name = written.dropLast(turned.count) + ".rotation"
      return words.contains(String(name)) ? [String(name)] : nil
    } ?? []
  }

  /// The value for a name used by other programs; `nil` if nothing is known about it, or the value isn't among `words`.
  ///
  /// It takes precedence over the most similar value: `h265` differs from `h264` by one letter, but is another codec.
  package static func value(_ written: String, among words: [String]) -> String? {
    values.first { words.contains($0.value) && $0.written.contains(written.lowercased()) }?.value
  }
}
