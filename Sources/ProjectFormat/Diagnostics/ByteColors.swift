import CompositorAPI

/// Colors of titles whose numbers look like codes of 8 bits, although 1 is white.
///
/// Numbers above 1 are legal, because they are brighter than white in HDR; `[255, 128, 0]` is hardly meant so.
struct ByteColors {
  private let document: JSON5Node

  init(_ document: JSON5Node) { self.document = document }

  func diagnostics() -> [ValidationDiagnostic] {
    document.titleLayers.flatMap { found(in: $0.layer, path: $0.path, isColor: false) }.map { color in
      let digits = color.codes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }
      // Nothing is more opaque than opaque, so that such a color isn't drawn.
      return ValidationDiagnostic(
        .colorClipped, severity: color.isDrawn ? .warning : .error,
        "The numbers of the color look like codes of 0 to 255, but white is 1: it is \(color.isDrawn ? "clipped" : "refused").",
        path: color.path
      ).advising(.write(.string("#" + digits.joined())))
    }
  }

  /// The colors in a part of a title, with their codes.
  ///
  /// - Parameter isColor: Whether the part is a color or a list of colors.
  private func found(in node: JSON5Node, path: String, isColor: Bool) -> [(path: String, codes: [Int], isDrawn: Bool)] {
    if isColor, let codes = node.byteCodes { return [(path, codes, !node.hasByteAlpha)] }
    let isAnimated = node.member("property")?.isColorName == true
    return node.elements.enumerated().flatMap { found(in: $1, path: "\(path)[\($0)]", isColor: isColor) }
      + node.members.flatMap { member in
        let isValue = isAnimated && ["from", "to", "values"].contains(member.key)
        return found(in: member.value, path: "\(path).\(member.key)", isColor: isValue || member.key.isColorName)
      }
  }
}

extension String {
  /// Whether it is the name of a color or of several: `borderColor`, `text.color`, `colors`.
  fileprivate var isColorName: Bool { ["color", "Color", "colors"].contains(where: hasSuffix) }
}

extension JSON5Node {
  /// Whether its fourth number is no alpha.
  fileprivate var hasByteAlpha: Bool {
    guard elements.count == 4, case .number(let digits) = elements[3].value else { return false }
    return (Double(digits) ?? 0) > 1
  }

  fileprivate var isColorName: Bool { if case .string(let name) = value { name.isColorName } else { false } }

  /// The codes of a color with numbers of 0 to 255, an alpha of 1 or less as 255 times that; `nil` for other values.
  fileprivate var byteCodes: [Int]? {
    let numbers = elements.compactMap { element in
      if case .number(let digits) = element.value { Double(digits) } else { nil }
    }
    guard numbers.count == elements.count, numbers.count == 3 || numbers.count == 4 else { return nil }
    let color = numbers.prefix(3)
    guard hasByteAlpha || color.contains(where: { $0 > 1 }),
      color.allSatisfy({ $0 == 0 || (2...255).contains($0) && $0 == $0.rounded() })
    else { return nil }
    guard let alpha = numbers.dropFirst(3).first else { return color.map { Int($0) } }
    guard (0...255).contains(alpha) else { return nil }
    return color.map { Int($0) } + [Int((alpha <= 1 ? alpha * 255 : alpha).rounded())]
  }
}
