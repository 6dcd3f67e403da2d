import CompositorAPI

/// Writes a recording as SVG 1.1 with one element per line.
struct SVGWriter {
  private let recording: DiagramRecording
  private let theme: DiagramSettings.Theme
  /// Whether instructions and marks of diagnostics link to the lists of an HTML page.
  var isLinked = false
  private var lines: [String] = []

  init(_ recording: DiagramRecording, theme: DiagramSettings.Theme) {
    self.recording = recording
    self.theme = theme
  }

  /// The SVG document.
  var document: String {
    var writer = self
    writer.write()
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private static let fonts = "DejaVu Sans, Verdana, sans-serif"

  private mutating func write() {
    let (scale, size) = (recording.scale, (number(recording.width), number(recording.height)))
    lines.append(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.0)\" height=\"\(size.1)\" viewBox=\"0 0 \(size.0) \(size.1)\" "
        + "role=\"\(isLinked ? "group" : "img")\" aria-labelledby=\"diagram-title diagram-description\" font-family=\"\(Self.fonts)\" "
        + "data-start=\"\(seconds(scale.start))\" data-duration=\"\(seconds(scale.duration))\" "
        + "data-x0=\"\(number(scale.x0))\" data-x1=\"\(number(scale.x1))\">")
    lines.append("<title id=\"diagram-title\">\(Self.escaped(DiagramText.clean(recording.context.settings.title)))</title>")
    lines.append("<desc id=\"diagram-description\">\(Self.escaped(recording.summary))</desc>")
    writeStyle()
    writePatterns()
    lines.append("<rect class=\"background\"\(paint(.background)) width=\"\(size.0)\" height=\"\(size.1)\"/>")
    // An HTML page has its own heading.
    if !isLinked { for mark in recording.heading { write(mark) } }
    writeBands()
    for row in recording.rows { write(row) }
    writePlayhead()
    if !recording.legend.isEmpty {
      lines.append("<g class=\"legend\">")
      for mark in recording.legend { write(mark) }
      lines.append("</g>")
    }
    lines.append("</svg>")
  }

  // MARK: Rows

  /// Writes a band behind every second row, and the time grid.
  private mutating func writeBands() {
    for (index, row) in recording.rows.enumerated() where index % 2 == 1 {
      lines.append(
        "<rect class=\"band\"\(paint(.band)) x=\"0.00\" y=\"\(number(row.top))\" width=\"\(number(recording.width))\" "
          + "height=\"\(number(row.height))\"/>")
    }
    for x in recording.gridLines {
      lines.append(
        "<line class=\"grid\"\(paint(nil, .grid)) x1=\"\(number(x))\" y1=\"\(number(recording.rowsTop + 24))\" "
          + "x2=\"\(number(x))\" y2=\"\(number(recording.rowsBottom))\"/>")
    }
  }

  private mutating func write(_ row: DiagramRecording.Row) {
    lines.append(
      "<g class=\"row\" data-row=\"\(Self.escaped(row.identifier))\" transform=\"translate(0 \(number(row.top)))\">")
    for mark in row.drawn { write(mark) }
    lines.append("</g>")
  }

  private mutating func writePlayhead() {
    let time = recording.context.settings.time
    let seconds = time?.seconds ?? .nan
    let isShown = seconds >= recording.scale.start && seconds <= recording.scale.end
    let x = isShown ? recording.scale.x(seconds: seconds) : recording.scale.x0
    lines.append(
      "<g class=\"playhead\" transform=\"translate(\(number(x)) 0)\"\(isShown ? " data-time=\"\(self.seconds(seconds))\"" : "")"
        + " visibility=\"\(isShown ? "visible" : "hidden")\">")
    for mark in recording.playhead(at: x) { write(mark) }
    lines.append("</g>")
  }

  // MARK: Marks

  private mutating func write(_ mark: DiagramMark) {
    switch mark.shape {
    case .rectangle(let rect, let radius):
      let corner = radius > 0 ? " rx=\"\(number(radius))\"" : ""
      let box =
        "x=\"\(number(rect.minX))\" y=\"\(number(rect.minY))\" width=\"\(number(rect.size.width))\" "
        + "height=\"\(number(rect.size.height))\"\(corner)"
      // A pattern over a fill is a second rectangle.
      if mark.pattern != nil, let fill = mark.fill {
        lines.append("<rect class=\"\(Self.escaped(mark.className)) fill\"\(paint(fill)) \(box)/>")
      }
      put("rect", mark, box)
    case .line(let points):
      put("polyline", mark, "points=\"\(list(points))\"")
    case .polygon(let points):
      put("polygon", mark, "points=\"\(list(points))\"")
    case .text(let text, let point, let size, let anchor, let isBold):
      let place = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
      let weight = isBold ? " font-weight=\"bold\"" : ""
      lines.append(
        "<text class=\"\(Self.escaped(mark.className))\"\(paint(mark.fill ?? .text)) x=\"\(number(point.x))\" y=\"\(number(point.y))\" "
          + "font-size=\"\(number(size))\"\(place)\(weight)>\(Self.escaped(text))</text>")
    case .picture(let picture, let rect):
      put(
        "image", mark,
        "x=\"\(number(rect.minX))\" y=\"\(number(rect.minY))\" width=\"\(number(rect.size.width))\" "
          + "height=\"\(number(rect.size.height))\" preserveAspectRatio=\"none\" "
          + "href=\"data:\(Self.escaped(picture.mediaType));base64,\(Base64.text(picture.bytes))\"")
    }
  }

  private mutating func put(_ element: String, _ mark: DiagramMark, _ geometry: String) {
    var text = "<\(element) class=\"\(Self.escaped(mark.className))\""
    if element != "image" {
      text += mark.pattern.map { patternPaint($0, mark) } ?? paint(mark.fill, mark.stroke)
      if mark.stroke != nil, mark.lineWidth != 1 { text += " stroke-width=\"\(number(mark.lineWidth))\"" }
      if mark.isDashed { text += " stroke-dasharray=\"4 3\"" }
    }
    text += " \(geometry)"
    if let index = mark.index { text += " data-index=\"\(index)\"" }
    if let range = mark.timeRange, range.start.isNumeric {
      text += " data-time=\"\(seconds(range.start.seconds))\""
      if range.end.isNumeric { text += " data-end=\"\(seconds(range.end.seconds))\"" }
    }
    if mark.count > 1 { text += " data-count=\"\(mark.count)\"" }
    if let diagnostic = mark.diagnostic { text += " data-diagnostic=\"\(diagnostic)\"" }
    if let tooltip = mark.tooltip, !tooltip.isEmpty {
      text += "><title>\(Self.escaped(tooltip).replacing("\n", with: "&#10;"))</title></\(element)>"
    } else {
      text += "/>"
    }
    lines.append(link(mark).map { "<a href=\"#\($0)\" aria-label=\"\($0.replacing("-", with: " "))\">\(text)</a>" } ?? text)
  }

  /// The fragment of a page's lists that a mark links to.
  private func link(_ mark: DiagramMark) -> String? {
    guard isLinked else { return nil }
    if let diagnostic = mark.diagnostic { return "diagnostic-\(diagnostic)" }
    return mark.kind == .instruction && !mark.isMerged ? mark.index.map { "instruction-\($0)" } : nil
  }

  private func number(_ value: Double) -> String { DiagramText.fixed(value) }
  private func seconds(_ value: Double) -> String { DiagramText.fixed(value, 6) }
  private func list(_ points: [Point]) -> String { points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ") }

  /// Escapes a string for XML; characters that are invalid in XML are removed.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      default:
        if scalar.value < 0x20 || scalar.value & 0xfffe == 0xfffe { continue }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  // MARK: Colors

  private func paint(_ fill: DiagramColor?, _ stroke: DiagramColor? = nil) -> String {
    let isDark = theme == .dark
    var text = " fill=\"\(fill?.notation(dark: isDark) ?? "none")\""
    if let stroke { text += " stroke=\"\(stroke.notation(dark: isDark))\"" }
    guard theme == .auto else { return text }
    let style = [fill.map { "fill:var(--c-\($0.className))" }, stroke.map { "stroke:var(--c-\($0.className))" }]
    return text + " style=\"\(style.compactMap { $0 }.joined(separator: ";"))\""
  }

  private func patternPaint(_ pattern: DiagramPattern, _ mark: DiagramMark) -> String {
    let color = mark.stroke ?? mark.fill ?? .gap
    var text = " fill=\"url(#\(Self.name(pattern, color)))\""
    guard let stroke = mark.stroke else { return text }
    text += " stroke=\"\(stroke.notation(dark: theme == .dark))\""
    return theme == .auto ? text + " style=\"stroke:var(--c-\(stroke.className))\"" : text
  }

  private static func name(_ pattern: DiagramPattern, _ color: DiagramColor) -> String {
    "pattern-\(pattern.rawValue)-\(color.className)"
  }

  /// Writes the colors of both themes, if the viewer chooses.
  private mutating func writeStyle() {
    guard theme == .auto else { return }
    let colors = Set(recording.allMarks.flatMap { [$0.fill, $0.stroke].compactMap { $0 } } + [.background, .band, .grid])
      .sorted { ($0.light, $0.dark) < ($1.light, $1.dark) }
    func list(dark: Bool) -> String {
      colors.map { "--c-\($0.className):\($0.notation(dark: dark))" }.joined(separator: ";")
    }
    lines.append("<style>:root{\(list(dark: false))}")
    lines.append("@media (prefers-color-scheme: dark){:root{\(list(dark: true))}}</style>")
  }

  private mutating func writePatterns() {
    var found: [String: (pattern: DiagramPattern, color: DiagramColor)] = [:]
    for mark in recording.allMarks {
      guard let pattern = mark.pattern else { continue }
      let color = mark.stroke ?? mark.fill ?? .gap
      found[Self.name(pattern, color)] = (pattern, color)
    }
    guard !found.isEmpty else { return }
    lines.append("<defs>")
    for (name, use) in found.sorted(by: { $0.key < $1.key }) {
      let step = DiagramPatternLines.step(use.pattern)
      let path: String
      switch use.pattern {
      case .rising:
        path =
          "M-1,1 L1,-1 M0,\(number(step)) L\(number(step)),0 M\(number(step - 1)),\(number(step + 1)) L\(number(step + 1)),\(number(step - 1))"
      case .falling:
        path =
          "M-1,\(number(step - 1)) L1,\(number(step + 1)) M0,0 L\(number(step)),\(number(step)) M\(number(step - 1)),-1 L\(number(step + 1)),1"
      case .upright: path = "M\(number(step / 2)),0 V\(number(step))"
      }
      lines.append(
        "<pattern id=\"\(name)\" patternUnits=\"userSpaceOnUse\" width=\"\(number(step))\" height=\"\(number(step))\">"
          + "<path\(paint(nil, use.color)) stroke-width=\"\(number(DiagramPatternLines.width))\" d=\"\(path)\"/></pattern>")
    }
    lines.append("</defs>")
  }
}

/// Base64 encoding (RFC 4648).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var word = 0
      for offset in 0..<3 { word = word << 8 | (offset < count ? Int(bytes[start + offset]) : 0) }
      for digit in 0..<4 {
        result.append(digit <= count ? alphabet[word >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
