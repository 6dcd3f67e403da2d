import CompositorAPI

/// Keys of layers in titles that change nothing where they are written: those of flexible layouts, which depend on the layer around, and
/// those of each layer itself.
struct IdleFlexKeys {
  private let document: JSON5Node

  init(_ document: JSON5Node) { self.document = document }

  /// A warning for the first idle key of each layout, and for the idle keys of each layer.
  func diagnostics() -> [ValidationDiagnostic] {
    document.titleLayers.flatMap { found(in: $0.layer, path: $0.path, isArranged: false) }
  }

  /// - Parameter isArranged: Whether the layer's parent arranges it.
  private func found(in layer: JSON5Node, path: String, isArranged: Bool) -> [ValidationDiagnostic] {
    let arranges = layer.member("flex") != nil
    var result = [item(of: layer, path: path, isArranged: isArranged), lines(of: layer, path: path)].compactMap(\.self)
    result += IdleLayerKeys(layer: layer, path: path).diagnostics()
    for (index, sublayer) in (layer.member("sublayers")?.elements ?? []).enumerated() {
      result += found(in: sublayer, path: "\(path).sublayers[\(index)]", isArranged: arranges)
    }
    for key in ["mask", "transitionSource"] {
      if let other = layer.member(key) { result += found(in: other, path: "\(path).\(key)", isArranged: false) }
    }
    return result
  }

  private static let itemKeys = ["grow", "shrink", "basis", "alignSelf"]
  private static let placeKeys = ["left", "right", "top", "bottom", "centerX", "centerY"]

  /// What a layer says to a parent that doesn't ask.
  private func item(of layer: JSON5Node, path: String, isArranged: Bool) -> ValidationDiagnostic? {
    guard let layout = layer.member("layout"), let key = layout.members.map(\.key).first(where: Self.itemKeys.contains)
    else { return nil }
    if !isArranged {
      return .idle(
        key, "the layer that it is in arranges no sublayers.", "Give that layer a flex, or remove \(key).",
        at: "\(path).layout")
    }
    let own = layer.member("position").map { _ in "position" }
    guard let place = layout.members.map(\.key).first(where: Self.placeKeys.contains) ?? own else { return nil }
    return .idle(
      key, "a layer with \(place) is placed by it, not by the flex of its parent.", "Remove \(place), or \(key).",
      at: "\(path).layout")
  }

  /// Settings of lines where there is but one.
  private func lines(of layer: JSON5Node, path: String) -> ValidationDiagnostic? {
    guard let flex = layer.member("flex") else { return nil }
    guard let key = flex.members.map(\.key).first(where: ["lineGap", "alignContent"].contains) else { return nil }
    if case .bool(true)? = flex.member("wraps")?.value { return nil }
    return .idle(
      key, "there is one row or column, as wraps is false.", "Write wraps: true, or remove \(key).", at: "\(path).flex")
  }
}
