/// The style of template titles. Sizes are fractions of the frame's height, so that one style suits every frame.
public struct TitleStyle: Hashable, Sendable {
  /// The font family; empty for the provider's default.
  public var family = ""
  /// The weight, 100 … 1000; `nil` for the template's default.
  public var weight: Int?
  /// Height of the em, as a fraction of the frame's height; `nil` for the template's default, which depends on the frame's
  /// shorter side.
  public var size: Double?
  /// Fill color.
  public var color = Color.white
  /// Color of the outline around characters.
  public var outlineColor = Color.black
  /// Width of the outline, as a fraction of the frame's height.
  public var outlineWidth = 0.0
  /// Color of the box behind lower thirds and captions; `nil` for the template's default.
  public var boxColor: Color?
  /// Position of the title's center, in fractions of the frame; `nil` for the template's default.
  public var position: Point?
  /// Duration of the fade-in and the fade-out, in seconds.
  public var fade = 0.5
  /// The direction of text. Lower thirds of names that run from right to left are mirrored. By default the name's first letter
  /// decides.
  public var direction = TextDirection.natural
  /// Whether a missing font may be substituted.
  public var allowsFontSubstitution = false

  /// The weights that projects may give: those of captions.
  package static let weights = CaptionStyle.weights
  /// Heights of the em that projects may give, as fractions of the frame's height.
  package static let sizes = 0.001...1
  /// Widths of the outline that projects may give, as fractions of the frame's height.
  package static let outlineWidths = 0...0.1
  /// Positions of the center that projects may give, as fractions of the frame's width or height.
  package static let positions = -10.0...10

  /// Creates the default style.
  public init() {}
}

/// Predefined titles, laid out for a frame. Text stays within the graphics-safe area: 5 % from each edge (EBU R 95).
public enum TitleTemplate: Hashable, Sendable {
  /// A word or a few lines in the middle of the frame.
  case title(String)
  /// A name and a role, over a bar at the lower left that slides in; mirrored for names in Arabic or Hebrew.
  case lowerThird(String, role: String)
  /// Lines that scroll through the frame from bottom to top over the title's duration.
  case creditsRoll(String)
  /// One or two lines of speech at the bottom, on a box.
  case caption(String)

  /// The fraction of the frame's width and height that is kept free at each edge.
  public static let safeMargin = 0.05

  /// The title as a layer of a canvas. `Timeline` creates it without a given canvas: see its `overlay`.
  ///
  /// - Parameters:
  ///   - canvas: The composition's render size, in pixels.
  ///   - start: The time at which it begins to show, in the parent's time.
  ///   - duration: How long it is shown; `.positiveInfinity` for as long as its parent, without fades.
  public func layer(
    canvas: PixelSize, style: TitleStyle = TitleStyle(), start: MediaTime, duration: MediaTime
  ) -> Layer {
    layer(canvas: canvas, style: style, beginTime: start.seconds, duration: duration.seconds)
  }

  /// The same with times in seconds.
  package func layer(canvas: PixelSize, style: TitleStyle, beginTime: Double, duration: Double) -> Layer {
    let layout = TitleLayout(width: Double(canvas.width), height: Double(canvas.height), style: style, duration: duration)
    var group = Layer(canvas: canvas) {
      switch self {
      case .title(let text): layout.title(text)
      case .lowerThird(let name, let role): layout.lowerThird(name, role)
      case .creditsRoll(let text): layout.credits(text)
      case .caption(let text): layout.caption(text)
      }
    }
    group.timing = LayerTiming(beginTime: beginTime, duration: duration)
    return group
  }
}

/// The layout of template titles.
private struct TitleLayout {
  let width, height: Double
  let style: TitleStyle
  let duration: Double

  private var margin: Point { Point(x: width * TitleTemplate.safeMargin, y: height * TitleTemplate.safeMargin) }
  /// Height of the em, in pixels. The default depends on the shorter side, so that text fits a portrait frame too.
  private func em(_ usual: Double) -> Double { style.size.map { $0 * height } ?? usual * min(width, height) }
  private var fade: Double { min(max(style.fade, 0), duration / 2) }

  private func text(_ string: String, em: Double, weight: Int, _ change: (inout TextContent) -> Void) -> LayerContent {
    let font = TextFont(family: style.family, size: em, weight: weight)
    var content = TextContent(string, font: font, color: style.color)
    content.outlineColor = style.outlineColor
    content.outlineWidth = style.outlineWidth * height
    content.direction = style.direction
    content.allowsFontSubstitution = style.allowsFontSubstitution
    change(&content)
    return .text(content)
  }

  private func faded(_ layer: Layer) -> Layer {
    guard fade > 0, duration.isFinite else { return layer }
    return layer.fadingIn(beginTime: 0, duration: fade).fadingOut(beginTime: duration - fade, duration: fade)
  }

  private func placed(_ layer: Layer, x: Double, y: Double) -> Layer {
    layer.changed {
      $0.position = Point(x: (style.position?.x ?? x) * width, y: (style.position?.y ?? y) * height)
    }
  }

  func title(_ string: String) -> Layer {
    var layer = Layer(frame: Rect(x: 0, y: 0, width: width - 2 * margin.x, height: height - 2 * margin.y))
    layer.content = text(string, em: self.em(0.12), weight: style.weight ?? 700) {
      ($0.alignment, $0.verticalAlignment, $0.wraps) = (.center, .middle, true)
    }
    return faded(placed(layer, x: 0.5, y: 0.5).shadowed(opacity: 0.6, radius: height / 300, y: height / 300))
  }

  func lowerThird(_ name: String, _ role: String) -> Layer {
    let em = self.em(0.055)
    let inset = width * 0.02
    // Bold letters are wider by an eighth. A long name gets a longer box, up to the width of the frame.
    let longest = max(LineMeasure.width(of: Substring(name)) * 1.125, LineMeasure.width(of: Substring(role)) * 0.66) * em
    let boxWidth = min(max(max(width, height) * 0.42, longest + 1.5 * inset), width - 2 * margin.x)
    let boxHeight = em * (role.isEmpty ? 1.9 : 3)
    var box = Layer(frame: Rect(x: 0, y: 0, width: boxWidth, height: boxHeight))
    box.backgroundColor = style.boxColor ?? Color(red: 0.05, green: 0.08, blue: 0.14, alpha: 0.85)
    box.masksToBounds = true
    let isMirrored = style.direction.isRightToLeft(name + role)
    let edgeWidth = width * 0.006
    let edge = Layer(frame: Rect(x: isMirrored ? boxWidth - edgeWidth : 0, y: 0, width: edgeWidth, height: boxHeight)).changed {
      $0.backgroundColor = style.color
    }
    func line(_ string: String, _ top: Double, _ share: Double, _ weight: Int) -> Layer {
      let left = isMirrored ? inset / 2 : inset
      return Layer(frame: Rect(x: left, y: em * top, width: boxWidth - 1.5 * inset, height: em * 1.4)).changed {
        $0.content = text(string, em: em * share, weight: weight) {
          // A name of any length is readable: it is never cut.
          ($0.fit, $0.alignment) = (.shrink, isMirrored ? .right : .left)
        }
      }
    }
    box.sublayers = [edge, line(name, 0.3, 1, style.weight ?? 700)] + (role.isEmpty ? [] : [line(role, 1.65, 0.66, 400)])
    let (x, y) = ((margin.x + boxWidth / 2) / width, 1 - (margin.y * 1.6 + boxHeight / 2) / height)
    var layer = placed(box, x: isMirrored ? 1 - x : x, y: y)
    if fade > 0, duration.isFinite {
      let away = AnimationValue.number(isMirrored ? width - layer.position.x + boxWidth : -(layer.position.x + boxWidth))
      layer.animations = [
        .basic(.translationX, from: away, timing: LayerTiming(duration: fade, fillMode: .backwards), easing: .easeOut),
        .basic(
          .translationX, to: away, timing: LayerTiming(beginTime: duration - fade, duration: fade, fillMode: .forwards),
          easing: .easeIn),
      ]
    }
    return layer
  }

  /// A credits roll. Each line is a layer of its own, so that only those in the frame are drawn.
  func credits(_ string: String) -> Layer {
    let em = self.em(0.05)
    let spacing = em * 1.6
    let lines = string.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
      LineMeasure.broken($0, ems: (width - 2 * margin.x) / em)
    }
    let length = spacing * Double(lines.count)
    var roll = Layer(frame: Rect(x: 0, y: 0, width: width, height: length))
    roll.anchorPoint = Point(x: 0.5, y: 0)
    roll.position = Point(x: (style.position?.x ?? 0.5) * width, y: height)
    roll.sublayers = lines.enumerated().filter { !$0.element.isEmpty }.map { index, line in
      var layer = Layer()
      layer.content = text(line, em: em, weight: style.weight ?? 400) { _ in }
      layer.anchorPoint = Point(x: 0.5, y: 0)
      layer.position = Point(x: width / 2, y: Double(index) * spacing)
      return layer.shadowed(opacity: 0.6, radius: height / 400, y: height / 400)
    }
    // The roll ends when the last line has left the frame.
    return roll.animated(
      .basic(.positionY, from: .number(height), to: .number(-length), timing: LayerTiming(duration: duration, fillMode: .both)))
  }

  func caption(_ string: String) -> Layer {
    let em = self.em(0.05)
    var box = Layer()
    box.content = text(string, em: em, weight: style.weight ?? 400) {
      ($0.alignment, $0.verticalAlignment) = (.center, .middle)
      $0.padding = em * 0.35
      $0.maximumWidth = width - 4 * margin.x
    }
    box.backgroundColor = style.boxColor ?? Color(red: 0, green: 0, blue: 0, alpha: 0.6)
    box.cornerRadius = em * 0.25
    box.anchorPoint = Point(x: 0.5, y: style.position == nil ? 1 : 0.5)
    return faded(placed(box, x: 0.5, y: 1 - 1.4 * margin.y / height))
  }
}

/// Estimates the width of lines before the font is known, from the letter widths of a wide text face.
enum LineMeasure {
  /// Breaks a line between words if it is too long.
  ///
  /// - Parameter ems: The available width, in ems.
  static func broken(_ line: Substring, ems: Double) -> [String] {
    guard width(of: line) > ems else { return [String(line)] }
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ") {
      let longer = current.isEmpty ? String(word) : "\(current) \(word)"
      if !current.isEmpty, width(of: Substring(longer)) > ems {
        lines.append(current)
        current = String(word)
      } else {
        current = longer
      }
    }
    return lines + [current]
  }

  /// The estimated width, in ems.
  static func width(of text: Substring) -> Double {
    text.reduce(0) { sum, character in
      guard let scalar = character.unicodeScalars.first else { return sum }
      if scalar.value >= 0x1100 { return sum + 1 }
      if scalar == " " { return sum + 0.35 }
      return sum + (character.isUppercase ? 0.75 : 0.62)
    }
  }
}
