internal import CFacadeCairo
internal import Foundation

/// The ends of lines.
public enum CGLineCap: Int32, Sendable {
  /// Cut off at the end.
  case butt = 0
  /// A half circle beyond the end.
  case round = 1
  /// A half square beyond the end.
  case square = 2
}

/// The corners of lines.
public enum CGLineJoin: Int32, Sendable {
  /// Pointed, up to the miter limit.
  case miter = 0
  /// Round.
  case round = 1
  /// Cut off.
  case bevel = 2
}

/// How a path is drawn.
public enum CGPathDrawingMode: Int32, Sendable {
  /// Its inside.
  case fill = 0
  /// Its inside by the rule of odd numbers.
  case eoFill = 1
  /// Its line.
  case stroke = 2
  /// Its inside, then its line.
  case fillStroke = 3
  /// Its inside by the rule of odd numbers, then its line.
  case eoFillStroke = 4
}

/// How what is drawn and what is there become one.
public enum CGBlendMode: Int32, Sendable {
  /// What is drawn covers what is there.
  case normal = 0
  /// The product.
  case multiply = 1
  /// The product of the complements.
  case screen = 2
  /// Multiplies what is dark and screens what is light.
  case overlay = 3
  /// The darker one.
  case darken = 4
  /// The lighter one.
  case lighten = 5
  /// Lightens what is there.
  case colorDodge = 6
  /// Darkens what is there.
  case colorBurn = 7
  /// Darkens or lightens gently.
  case softLight = 8
  /// Multiplies or screens, as what is drawn is dark or light.
  case hardLight = 9
  /// The difference.
  case difference = 10
  /// A difference of less contrast.
  case exclusion = 11
  /// Nothing remains.
  case clear = 16
  /// What is drawn replaces what is there, with its alpha.
  case copy = 17
  /// What is drawn, only where something is there.
  case sourceAtop = 20
  /// What is there covers what is drawn.
  case destinationOver = 21
  /// What is there remains where nothing is drawn.
  case destinationOut = 23
  /// Each where the other one is not.
  case xor = 25
  /// The sum.
  case plusLighter = 27

  var cairoOperator: cairo_operator_t {
    switch self {
    case .normal: CAIRO_OPERATOR_OVER
    case .multiply: CAIRO_OPERATOR_MULTIPLY
    case .screen: CAIRO_OPERATOR_SCREEN
    case .overlay: CAIRO_OPERATOR_OVERLAY
    case .darken: CAIRO_OPERATOR_DARKEN
    case .lighten: CAIRO_OPERATOR_LIGHTEN
    case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
    case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
    case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
    case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
    case .difference: CAIRO_OPERATOR_DIFFERENCE
    case .exclusion: CAIRO_OPERATOR_EXCLUSION
    case .clear: CAIRO_OPERATOR_CLEAR
    case .copy: CAIRO_OPERATOR_SOURCE
    case .sourceAtop: CAIRO_OPERATOR_ATOP
    case .destinationOver: CAIRO_OPERATOR_DEST_OVER
    case .destinationOut: CAIRO_OPERATOR_DEST_OUT
    case .xor: CAIRO_OPERATOR_XOR
    case .plusLighter: CAIRO_OPERATOR_ADD
    }
  }
}

/// What a context saves beside the state that Cairo saves.
struct GraphicsState {
  var fillColor = CGColor.black
  var strokeColor = CGColor.black
  var alpha: CGFloat = 1
  var interpolationQuality = CGInterpolationQuality.default
  var blendMode = CGBlendMode.normal
  /// The transform from user space to the space whose origin is the lower left corner.
  var transform = CGAffineTransform.identity
}

extension CGColor {
  /// Red, green, blue and alpha, 0 … 1.
  package var rgba: (red: Double, green: Double, blue: Double, alpha: Double) {
    let parts = (components ?? [0, 1]).map(Double.init)
    return parts.count >= 4 ? (parts[0], parts[1], parts[2], parts[3]) : (parts[0], parts[0], parts[0], parts[parts.count - 1])
  }
}
