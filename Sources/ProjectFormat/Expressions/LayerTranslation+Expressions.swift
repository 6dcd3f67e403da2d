import CompositorAPI

extension LayerTranslation {
  /// An expression where it must be a number, a time that may be negative, or a length in the parent's box; `nil` for others, and
  /// for values that aren't expressions.
  func evaluated(_ value: ProjectValue, _ shape: ValueShape) throws(CompositorError) -> JSON5Node? {
    guard case .string(let text) = value.node.value, ProjectExpression.isWritten(in: text) else { return nil }
    switch shape {
    case .number(let range): return value.number(try value.number(range))
    case .factor(let range): return value.number(try value.factor(range))
    case .integer(let range): return value.holding(.number("\(try value.integer(range))")).node
    case .angle: return value.number(try value.number(-1e9...1e9) * .pi / 180)
    case .signedTime: return try value.signedSeconds(atFrameRate: frameRate).map { value.number($0.value) }
    case .layoutLength(let side): return try lengthInParent(value, side)
    case .percent:
      guard let number = try value.expression(.fraction)?.number, number.numerator != 0 else { return nil }
      throw value.error(
        "\(number.plain) has no unit.", recoverySuggestion: "Write percent of the layer's own bounds, such as \"50%\".")
    default: return nil
    }
  }

  /// A length with a percentage of the parent's box, which only the tree knows, as the sum that ``LayoutLength`` keeps; `nil` for
  /// lengths without one.
  private func lengthInParent(_ value: ProjectValue, _ side: CanvasSide) throws(CompositorError) -> JSON5Node? {
    guard let length = try value.canvasLength(), length.parts.contains(where: { $0.unit == .percent }) else { return nil }
    value.notes?.measuresCanvas = true
    let (pixels, fraction) = length.apart(side, of: canvas)
    let sum = [JSON5Member("pixels", value.number(pixels)), JSON5Member("fraction", value.number(fraction))]
    return value.holding(.object(sum)).node
  }
}
