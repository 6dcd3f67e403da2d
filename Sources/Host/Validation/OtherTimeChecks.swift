import CompositorPlugins
import CompositorAPI

/// No compositor that needs frames at other times comes after one that gives its frames in order only.
struct OtherTimeChecks {
  private let registry: CompositorRegistry

  static func run(
    _ instructions: [Instruction], registry: CompositorRegistry, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let checks = OtherTimeChecks(registry: registry)
    for (index, instruction) in instructions.enumerated() {
      for (later, earlier, track) in checks.conflicts(of: instruction) {
        try diagnostics.add(
          ValidationDiagnostic(
            .incompatibleCompositors,
            "Instruction \(index): the compositor “\(later)” needs frames at other times of what “\(earlier)” makes, and that can be "
              + "asked for frames in order only.", instruction: index, track: track,
            fix: "Put “\(later)” before “\(earlier)”, or render with “\(earlier)” first and use that movie."))
      }
    }
  }

  private typealias Conflict = (later: CompositorID, earlier: CompositorID, track: TrackID?)

  private func conflicts(of instruction: Instruction) -> [Conflict] {
    var found: [Conflict] = []
    var inOrder: CompositorID?
    for layer in instruction.layers {
      let last = follow(layer.effects.map(\.compositor), after: nil, track: layer.trackID, into: &found)
      inOrder = inOrder ?? last
    }
    let own = instruction.passthroughTrackID == nil ? [instruction.compositor] : []
    _ = follow(own + instruction.effects.map(\.compositor), after: inOrder, track: nil, into: &found)
    return found
  }

  /// - Returns: A compositor of the chain, or before it, that gives frames in order only.
  private func follow(
    _ chain: [CompositorID], after first: CompositorID?, track: TrackID?, into found: inout [Conflict]
  ) -> CompositorID? {
    var inOrder = first
    for id in chain {
      guard let descriptor = registry[id]?.descriptor else { continue }
      if let earlier = inOrder, descriptor.needsOtherTimes { found.append((id, earlier, track)) }
      if descriptor.concurrency == .inOrder { inOrder = inOrder ?? id }
    }
    return inOrder
  }
}
