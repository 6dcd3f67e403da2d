import CompositorAPI

/// The first baseline of a layer in a row: section 8.5 of CSS Flexible Box Layout Level 1.
extension LayerSizing {
  struct BaselineQuestion: Hashable {
    let size: Size
    let isHeightDefinite: Bool
  }

  /// The first baseline of its contents in a box.
  ///
  /// - Parameter isHeightDefinite: Whether the height of the box doesn't follow from the contents.
  /// - Returns: The distance from the top of the box, in pixels; `nil` if it has none: neither a text in straight, horizontal lines
  ///   nor a flexible layout.
  func firstBaseline(in size: Size, isHeightDefinite: Bool) throws(CompositorError) -> Double? {
    let question = BaselineQuestion(size: size, isHeightDefinite: isHeightDefinite)
    if let answer = knownBaselines[question] { return answer }
    let answer: Double?
    if let inner = layer.layout?.viewBox {
      let scale = min(size.width / inner.width, size.height / inner.height)
      let top = (size.height - scale * inner.height) / 2
      answer = try contentBaseline(in: inner, isHeightDefinite: isHeightDefinite).map { top + scale * $0 }
    } else {
      answer = try contentBaseline(in: size, isHeightDefinite: isHeightDefinite)
    }
    knownBaselines[question] = .some(answer)
    return answer
  }

  private func contentBaseline(in size: Size, isHeightDefinite: Bool) throws(CompositorError) -> Double? {
    guard layer.hasFlex else { return try textBaseline(in: size) }
    let arrangement = try FlexArrangement(of: self, width: size.width, height: size.height, isDefinite: isHeightDefinite)
    return try arrangement.firstBaseline(of: self)
  }

  /// The baseline of the first line of its text where it is drawn in a box; `nil` too if the places of letters aren't known.
  private func textBaseline(in size: Size) throws(CompositorError) -> Double? {
    guard let layOut = measurer.layOut, var text = try layer.text(at: time), !text.isVertical, text.linePath == nil
    else { return nil }
    if wrapsText { text.wraps = true }
    if text.fit == .shrink { try text.shrink(into: size, measure: measurer.size) }
    let extents = try layOut(text.whole, size).extents
    return text.origin(in: Rect(origin: .zero, size: size), extents).y + extents.baseline
  }
}

extension FlexArrangement {
  /// The baseline that items of the first row share, or that of its first item, from the top of the bounds; `nil` without items.
  fileprivate func firstBaseline(of container: LayerSizing) throws(CompositorError) -> Double? {
    if let sharedBaseline { return sharedBaseline }
    guard let firstItem else { return nil }
    let (item, frame) = (container.items[firstItem].sizing, frames[firstItem])
    let own = try item.firstBaseline(in: frame.size, isHeightDefinite: hasDefiniteHeight[firstItem])
    return frame.minY + (own ?? frame.size.height)
  }
}

extension FlexLayout {
  /// Whether some of its sublayers are aligned by their baselines.
  func alignsBaselines(of sublayers: [Layer]) -> Bool {
    guard direction.isRow else { return false }
    return sublayers.contains { ($0.layout?.flexItem.alignSelf ?? alignItems) == .baseline }
  }
}
