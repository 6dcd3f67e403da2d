extension TextRangeSelector {
  /// Checks that the selector is valid.
  ///
  /// - Throws: `.invalidValue`, with the key path from the selector.
  package func requireUsable() throws(CompositorError) {
    for (key, value) in [("start", start), ("end", end), ("smoothness", smoothness)] { try require(key, value, 0...1) }
    for (key, value) in [("offset", offset), ("easeHigh", easeHigh), ("easeLow", easeLow), ("amount", amount)] {
      try require(key, value, -1...1)
    }
    for (index, animation) in animations.enumerated() {
      do throws(CompositorError) {
        try requireUsable(animation)
      } catch {
        throw error.within("animations[\(index)]")
      }
    }
  }

  private func require(_ key: String, _ value: Double, _ range: ClosedRange<Double>) throws(CompositorError) {
    guard !range.contains(value) else { return }
    throw CompositorError(
      .invalidValue, "The \(key) of a range selector is outside \(Int(range.lowerBound)) to \(Int(range.upperBound)).",
      recoverySuggestion: "Give a fraction, of which 1 is 100 %, such as 0.25.", at: ErrorLocation(path: key))
  }

  private func requireUsable(_ animation: Animation) throws(CompositorError) {
    try animation.requireUsable()
    for leaf in animation.leaves {
      guard let property = leaf.property, TextRangeSelector.properties.contains(property) else {
        let names = TextRangeSelector.properties.map(\.rawValue).sorted().joined(separator: ", ")
        throw CompositorError(
          .invalidValue, "\(leaf.property?.rawValue ?? "A transition") cannot be animated for a range selector.",
          recoverySuggestion: "Use one of \(names), or put the animation beside the selector.")
      }
    }
  }

  /// Throws if its places are smaller than the units that it weighs.
  func requireUsable(for unit: TextAnimator.Unit) throws(CompositorError) {
    let isUsable =
      switch (basis, unit) {
      case (nil, _), (.line, _), (.word, .character), (.word, .word): true
      case (.character, .character), (.characterAndBlank, .character): true
      default: false
      }
    guard !isUsable, let basis else { return }
    throw CompositorError(
      .invalidValue, "A range selector by \(basis.rawValue) cannot weigh \(unit.rawValue)s, which are larger.",
      recoverySuggestion: "Leave the selector's \"by\" out, or animate by \(basis == .word ? "word" : "character").",
      at: ErrorLocation(path: "by"))
  }
}
