import CompositorAPI

extension ValueShape {
  /// What expressions at the location are; `nil` if its strings are taken as they are.
  var expressionKind: ProjectExpression.Kind? {
    switch self {
    case .time, .signedTime: .time
    case .number, .factor, .integer, .angle, .ratio, .frameRate: .number
    case .length, .layoutLength, .frameLength: .length
    case .fraction, .percent, .part: .fraction
    default: nil
    }
  }

  /// Whether a string at the location may be an expression.
  var takesExpressions: Bool { alternatives.contains { $0.expressionKind != nil } && !takes(.string("")) }
}
