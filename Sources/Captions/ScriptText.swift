import CompositorAPI

/// The text of an ASS event with its override tags, as spans.
struct ScriptText {
  private(set) var spans: [CaptionSpan] = []
  private(set) var placement: CaptionPlacement?
  /// Whether a tag animates the text.
  private(set) var isAnimated = false

  private var look: CaptionSpan
  private let style: ScriptStyle
  private let canvas: Size
  /// Whether braces without tags are a comment, as in a script.
  private let hasComments: Bool
  /// Whether drawing commands replace text.
  private var isDrawing = false

  /// - Parameters:
  ///   - style: The style that the event names.
  ///   - canvas: The script's own canvas, to which positions refer.
  ///   - hasComments: Whether braces without tags are a comment; otherwise they are text, as in events that libavcodec made of other formats.
  init(_ text: Substring, style: ScriptStyle, canvas: Size, hasComments: Bool = true) {
    self.hasComments = hasComments
    self.style = style
    self.canvas = canvas
    look = style.look
    placement = style.placement
    read(text)
    while spans.last?.text.isEmpty == true { spans.removeLast() }
  }

  private mutating func read(_ text: Substring) {
    var rest = text
    while let character = rest.first {
      if character == "{", hasComments || rest.dropFirst().first == "\\", let end = rest.firstIndex(of: "}") {
        tags(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
      } else if character == "\\" {
        rest = escaped(rest.dropFirst())
      } else {
        let end = rest.dropFirst().firstIndex { $0 == "{" || $0 == "\\" } ?? rest.endIndex
        add(String(rest[..<end]))
        rest = rest[end...]
      }
    }
  }

  /// Parses the character after a backslash outside of tags. Returns the rest of the text.
  private mutating func escaped(_ rest: Substring) -> Substring {
    switch rest.first {
    case "N": add("\n")
    case "n": add(" ")
    case "h": add("\u{a0}")
    case "{", "}": add(String(rest.prefix(1)))
    default:
      add("\\")
      // A word joiner keeps a literal backslash from starting a tag.
      return rest.unicodeScalars.first?.value == 0x2060 ? Substring(rest.unicodeScalars.dropFirst()) : rest
    }
    return rest.dropFirst()
  }

  private mutating func add(_ text: String) {
    guard !isDrawing, !text.isEmpty else { return }
    var span = look
    if let last = spans.last {
      span.text = last.text
      if span == last {
        spans[spans.count - 1].text += text
        return
      }
    }
    span.text = text
    spans.append(span)
  }

  private mutating func tags(_ block: Substring) {
    var depth = 0
    var tag = ""
    var all: [String] = []
    for character in block {
      if character == "\\", depth == 0 {
        all.append(tag)
        tag = ""
      } else {
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        tag.append(character)
      }
    }
    for tag in (all + [tag]).dropFirst() { apply(Substring(tag)) }
  }

  private mutating func apply(_ tag: Substring) {
    let name = ScriptText.names.first { tag.hasPrefix($0) } ?? ""
    let value = tag.dropFirst(name.count)
    switch name {
    case "b": look.isBold = Int(value).map { $0 == 1 || $0 >= 600 } ?? style.look.isBold
    case "i": look.isItalic = Int(value).map { $0 != 0 } ?? style.look.isItalic
    case "u": look.isUnderlined = Int(value).map { $0 != 0 } ?? style.look.isUnderlined
    case "c", "1c": look.color = Color(scriptColor: value) ?? style.look.color
    case "r": look = style.look
    case "an": place(ScriptStyle.placement(ofNumpad: Int(value)))
    case "a": place(ScriptStyle.placement(ofLegacy: Int(value)))
    case "pos": move(to: value)
    case "p": isDrawing = (Int(value) ?? 0) > 0
    case "t", "move", "fad", "fade", "k", "K", "kf", "ko", "kt": isAnimated = true
    default: break
    }
  }

  /// The names of tags. If one is a prefix of another, the longer one comes first.
  private static let names = [
    "alpha", "move", "fade", "fad", "pos", "pbo", "org", "iclip", "clip", "bord", "blur", "be", "shad", "fscx", "fscy", "fsp",
    "fs", "fn", "fe", "frx", "fry", "frz", "fr", "fax", "fay", "xbord", "ybord", "xshad", "yshad", "an", "1c", "2c", "3c", "4c",
    "1a", "2a", "3a", "4a", "kf", "ko", "kt", "b", "i", "u", "s", "c", "r", "a", "p", "q", "t", "k", "K",
  ]

  private mutating func place(_ new: CaptionPlacement?) {
    guard var new else { return }
    (new.x, new.y) = (placement?.x, placement?.y)
    placement = new
  }

  private mutating func move(to value: Substring) {
    let numbers = value.dropFirst().dropLast().split(separator: ",").compactMap { Double($0.drop { $0 == " " }) }
    guard numbers.count == 2, canvas.width > 0, canvas.height > 0 else { return }
    var moved = placement ?? CaptionPlacement()
    let (x, y) = (numbers[0] / canvas.width, numbers[1] / canvas.height)
    guard [x, y].allSatisfy(CaptionPlacement.positions.contains) else { return }
    (moved.x, moved.y) = (x, y)
    placement = moved
  }
}

/// A script's style, as far as captions need it.
struct ScriptStyle {
  var look = CaptionSpan("")
  var placement: CaptionPlacement?

  /// The position as on a numeric keypad: 1 is bottom left, 2 is bottom center, 9 is top right. `nil` for other numbers.
  static func placement(ofNumpad number: Int?) -> CaptionPlacement? {
    guard let number, (1...9).contains(number) else { return nil }
    let vertical: [CaptionPlacement.Vertical] = [.bottom, .middle, .top]
    let horizontal: [CaptionPlacement.Horizontal] = [.left, .center, .right]
    return CaptionPlacement(vertical[(number - 1) / 3], horizontal[(number - 1) % 3])
  }

  /// The position in SSA's numbers: 1 to 3 from left to right at the bottom; add 4 for the top, or 8 for the middle. `nil` for
  /// other numbers.
  static func placement(ofLegacy number: Int?) -> CaptionPlacement? {
    guard let number, (1...3).contains(number & 3) else { return nil }
    let vertical: CaptionPlacement.Vertical = number & 4 != 0 ? .top : number & 8 != 0 ? .middle : .bottom
    let horizontal: [CaptionPlacement.Horizontal] = [.left, .center, .right]
    return CaptionPlacement(vertical, horizontal[(number & 3) - 1])
  }
}

/// The header of a script: its styles and its canvas.
struct ScriptHeader {
  private(set) var styles: [Substring: ScriptStyle] = [:]
  private(set) var canvas = Size(width: 384, height: 288)

  init(_ header: String) {
    var (columns, isLegacy): ([Substring], Bool) = ([], false)
    var size = (width: 0.0, height: 0.0)
    for line in header.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
      switch parts[0] {
      case "[V4 Styles]": isLegacy = true
      case "PlayResX": size.width = Double(value) ?? 0
      case "PlayResY": size.height = Double(value) ?? 0
      case "Format": if columns.isEmpty { columns = fields(value) }
      case "Style": add(fields(value), columns, isLegacy)
      default: break
      }
    }
    if size.width > 0 || size.height > 0 {
      // Like libass, derive a missing width or height from an aspect ratio of 4:3.
      canvas = Size(
        width: size.width > 0 ? size.width : size.height * 4 / 3, height: size.height > 0 ? size.height : size.width * 3 / 4)
    }
  }

  private func fields(_ line: Substring) -> [Substring] {
    line.split(separator: ",", omittingEmptySubsequences: false).map { field in
      let start = field.drop { $0 == " " }
      return start[..<(start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.endIndex)]
    }
  }

  private mutating func add(_ values: [Substring], _ columns: [Substring], _ isLegacy: Bool) {
    let named = Dictionary(zip(columns, values)) { first, _ in first }
    var style = ScriptStyle()
    func isSet(_ key: Substring) -> Bool { named[key].flatMap { Int($0) }.map { $0 != 0 } ?? false }
    (style.look.isBold, style.look.isItalic) = (isSet("Bold"), isSet("Italic"))
    style.look.isUnderlined = isSet("Underline")
    // White is the default: the color of the caption style applies.
    let color = (named["PrimaryColour"] ?? named["PrimaryColor"]).flatMap(Color.init(scriptStyle:))
    style.look.color = color == Color.white ? nil : color
    let alignment = named["Alignment"].flatMap { Int($0) }
    let placement = isLegacy ? ScriptStyle.placement(ofLegacy: alignment) : ScriptStyle.placement(ofNumpad: alignment)
    // If a style has the default position, the position of the caption style applies.
    style.placement = placement == CaptionPlacement() ? nil : placement
    if let name = named["Name"] { styles[name] = style }
  }

  func style(_ name: Substring) -> ScriptStyle {
    styles[name] ?? styles[name.hasPrefix("*") ? name.dropFirst() : "Default"] ?? styles["Default"] ?? ScriptStyle()
  }
}

extension Color {
  /// `&HBBGGRR&`; `nil` for an empty string, which means the style's color.
  init?(scriptColor text: Substring) {
    let digits = text.filter { $0.isHexDigit }
    guard let value = UInt32(digits, radix: 16) else { return nil }
    func part(_ shift: UInt32) -> Double { Double(value >> shift & 255) / 255 }
    self.init(red: part(0), green: part(8), blue: part(16))
  }

  /// The color of a style: `&HAABBGGRR`, or the same number in decimal. Its alpha is ignored.
  init?(scriptStyle text: Substring) {
    if text.hasPrefix("&H") || text.hasPrefix("&h") {
      self.init(scriptColor: text)
    } else {
      guard let value = Int64(text) else { return nil }
      self.init(scriptColor: Substring(String(UInt32(truncatingIfNeeded: value), radix: 16)))
    }
  }

  /// Red, green and blue from 0 to 255.
  var bytes: (red: Int, green: Int, blue: Int) {
    func byte(_ part: Double) -> Int { Int((min(max(part, 0), 1) * 255).rounded()) }
    return (byte(red), byte(green), byte(blue))
  }
}
