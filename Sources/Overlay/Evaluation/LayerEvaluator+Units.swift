import CompositorAPI

/// The units of text that animators change.
extension LayerEvaluator {
  /// The units of the layer's text at a given time, and scrambled letters beside them; removes its animators from the layer.
  func takeUnits(
    of layer: inout Layer, at time: Double
  ) throws(CompositorError) -> (units: [TextUnit], letters: PresentationNode?) {
    guard case .text(var text) = layer.content, let layOut = measurer.layOut,
      text.linePath != nil || animatesText && !text.animators.isEmpty
    else { return ([], nil) }
    do throws(CompositorError) {
      let settled = try layOut(text, layer.bounds.size)
      let (bounds, perspective) = (layer.bounds, layer.ownPerspective)
      var (units, letters): ([TextUnit], PresentationNode?) = ([], nil)
      if let scrambled = try scrambled(text, in: settled, at: time) {
        let shown = ScrambledUnits(
          scrambled: scrambled, settled: settled, own: try layOut(scrambled.text, bounds.size), bounds: bounds)
        units = try scrambled.text.units(in: shown.own, at: time, bounds: bounds, perspective: perspective, shown)
        if scrambled.keepsPlaces {
          letters = node(of: scrambled.text, units, in: bounds)
          units = try text.units(in: settled, at: time, bounds: bounds, perspective: perspective, shown.ofSettled)
        } else {
          text = scrambled.text
        }
      } else {
        units = try text.units(in: settled, at: time, bounds: bounds, perspective: perspective)
      }
      text.animators = []
      layer.content = .text(text)
      return (units, letters)
    } catch {
      throw error.within("content.text")
    }
  }

  /// Scrambled letters without a background, which is that of the settled text.
  private func node(of text: TextContent, _ units: [TextUnit], in bounds: Rect) -> PresentationNode {
    var (layer, text) = (Layer(), text)
    (text.animators, text.background) = ([], nil)
    (layer.bounds, layer.content) = (bounds, .text(text))
    var node = PresentationNode(layer, matrix: .identity)
    (node.units, node.isChanging) = (units, true)
    if keepsPaths { node.path = path.appending(key: "content.text") }
    return node
  }

  /// The text with its random characters; `nil` if all of it has settled.
  private func scrambled(
    _ text: TextContent, in layout: TextLayout, at time: Double
  ) throws(CompositorError) -> ScrambledText? {
    for (index, animator) in text.animators.enumerated() {
      guard let scramble = animator.scramble else { continue }
      do throws(CompositorError) {
        // Whichever characters a frame shows, fonts must have all of them.
        if let sample = try text.sample(of: scramble) { _ = try measurer.size(sample) }
      } catch {
        throw error.within("animators[\(index)].scramble")
      }
    }
    return try ScrambledText(text, in: layout, at: time)
  }
}
