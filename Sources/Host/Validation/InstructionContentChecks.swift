import CompositorAPI
import CompositorPlugins

/// What each instruction says about tracks, layers and colors.
enum InstructionContentChecks {
  static func run(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let mediaTypes = Dictionary(
      edit.composition.tracks.map { ($0.trackID, $0.mediaType) }, uniquingKeysWith: { first, _ in first })
    var used = Set<TrackID>()
    for (index, instruction) in edit.videoComposition.instructions.enumerated() {
      let trackIDs = instruction.requiredTrackIDs
      used.formUnion(trackIDs)
      for trackID in trackIDs where mediaTypes[trackID] != .video {
        try diagnostics.add(missingTrack(trackID, mediaType: mediaTypes[trackID], instruction: index))
      }
      for layer in instruction.layers {
        try check(layer, instruction: index, into: &diagnostics)
      }
      if let color = instruction.backgroundColor, !isUsable(color) {
        try diagnostics.add(
          ValidationDiagnostic(
            .invalidValueForKey, "The background color of instruction \(index) is not a number, or its alpha is not 0 … 1.",
            instruction: index, recoverySuggestion: "Use finite components and an alpha of 0 … 1."))
      }
    }
    for track in edit.composition.tracks(.video) where !used.contains(track.trackID) && !track.segments.isEmpty {
      try diagnostics.add(
        ValidationDiagnostic(
          .unusedTrack, severity: .warning, "Video track \(track.trackID) is shown by no instruction.",
          track: track.trackID, recoverySuggestion: "Name it in an instruction, or remove it."))
    }
  }

  private static func missingTrack(_ trackID: TrackID, mediaType: MediaType?, instruction: Int) -> ValidationDiagnostic {
    let what = mediaType == nil ? "is not in the composition" : "holds audio"
    return ValidationDiagnostic(
      .invalidTrackIDInInstruction, "Instruction \(instruction) names track \(trackID), which \(what).",
      instruction: instruction, track: trackID,
      cause: "The ID of a source's track was used instead of the composition's, or the track was removed.",
      recoverySuggestion: "Name a video track of the composition.")
  }

  private static func check(
    _ layer: LayerInstruction, instruction: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    func report(_ key: String, _ what: String, recoverySuggestion: String) throws(ValidationStopped) {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "The \(key) of track \(layer.trackID) in instruction \(instruction) is \(what).",
          instruction: instruction, track: layer.trackID, recoverySuggestion: recoverySuggestion))
    }
    if let value = wrongValue(of: layer.opacity, where: { !($0 >= 0 && $0 <= 1) }) {
      try report("opacity", "\(value)", recoverySuggestion: "Use 0 … 1.")
    }
    if wrongValue(of: layer.transform, where: { !$0.isFinite }) != nil {
      try report("transform", "not finite", recoverySuggestion: "Use finite numbers.")
    }
    if let crop = wrongValue(of: layer.crop, where: { !isUsable($0) }) {
      try report(
        "crop", "\(crop.size.width)x\(crop.size.height) at \(crop.minX), \(crop.minY)",
        recoverySuggestion: "Use finite numbers and a size that is not negative.")
    }
    if let fault = layer.decoration?.fault {
      try report("decoration", "not possible: \(fault)", recoverySuggestion: "Use finite numbers that are not negative.")
    }
  }

  private static func wrongValue<Value>(of property: PropertyTimeline<Value>, where isWrong: (Value) -> Bool) -> Value? {
    if isWrong(property.defaultValue) { return property.defaultValue }
    for ramp in property.ramps {
      if isWrong(ramp.start) { return ramp.start }
      if isWrong(ramp.end) { return ramp.end }
    }
    return nil
  }

  private static func isUsable(_ rect: Rect) -> Bool {
    rect.minX.isFinite && rect.minY.isFinite && rect.size.width.isFinite && rect.size.height.isFinite
      && rect.size.width >= 0 && rect.size.height >= 0
  }

  private static func isUsable(_ color: Color) -> Bool {
    color.red.isFinite && color.green.isFinite && color.blue.isFinite && (0...1).contains(color.alpha)
  }
}

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
            recoverySuggestion: "Put “\(later)” before “\(earlier)”, or render with “\(earlier)” first and use that movie."))
      }
    }
  }

  private typealias Conflict = (later: CompositorID, earlier: CompositorID, track: TrackID?)

  private func conflicts(of instruction: Instruction) -> [Conflict] {
    var found: [Conflict] = []
    var inOrder: CompositorID?
    // A track that passes through is not changed by effects of layers.
    for layer in instruction.passthroughTrackID == nil ? instruction.layers : [] {
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
