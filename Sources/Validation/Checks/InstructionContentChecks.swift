import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins

/// Checks the tracks, layers and colors of each instruction.
enum InstructionContentChecks {
  static func run(
    _ edit: Edit, catalog: MediaCatalog, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let mediaTypes = Dictionary(
      edit.composition.tracks.map { ($0.trackID, $0.mediaType) }, uniquingKeysWith: { first, _ in first })
    var used = Set<TrackID>()
    for (index, instruction) in edit.videoComposition.instructions.enumerated() {
      let trackIDs = instruction.readTrackIDs
      used.formUnion(trackIDs)
      if trackIDs.count > Instruction.maximumTrackCount {
        try diagnostics.add(
          ValidationDiagnostic(
            .invalidValueForKey,
            "\(Named.instruction(index).capitalizedName) shows \(trackIDs.count) tracks at a time; at most \(Instruction.maximumTrackCount) are possible.",
            instruction: index, foundTime: instruction.timeRange.start, cause: "Each track has a decoder of its own.",
            recoverySuggestion: "Render groups of them to movies first, and show those."))
      }
      for trackID in trackIDs where mediaTypes[trackID] != .video {
        let cause = MissingTrack(trackID, in: edit, instruction: index, catalog: catalog)
        // The track that was intended shouldn't be reported as unused too.
        if let target = cause.target { used.insert(target) }
        try diagnostics.add(cause.diagnostic(mediaType: mediaTypes[trackID]))
      }
      for layer in instruction.layers {
        try check(layer, in: instruction.timeRange, instruction: index, into: &diagnostics)
      }
      if let color = instruction.backgroundColor, !isUsable(color) {
        try diagnostics.add(
          ValidationDiagnostic(
            .invalidValueForKey,
            "The background color of \(Named.instruction(index)) is not a number, or its alpha is not 0 … 1.",
            instruction: index, recoverySuggestion: "Use finite components and an alpha of 0 … 1."))
      }
    }
    try addUnusedTracks(edit.composition, used, into: &diagnostics)
  }

  private static func addUnusedTracks(
    _ composition: Composition, _ used: Set<TrackID>, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    for track in composition.tracks(.video) where !used.contains(track.trackID) && !track.segments.isEmpty {
      try diagnostics.add(
        ValidationDiagnostic(
          .unusedTrack, severity: .warning, "\(Named.track(track.trackID, .video).capitalizedName) is shown by no instruction.",
          track: track.trackID, recoverySuggestion: "Name it in an instruction, or remove it."))
    }
  }

  private static func check(
    _ layer: LayerInstruction, in range: TimeRange, instruction: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    func report(_ key: String, _ what: String, recoverySuggestion: String) throws(ValidationStopped) {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "The \(key) of \(Named.track(layer.trackID)) in \(Named.instruction(instruction)) is \(what).",
          instruction: instruction, track: layer.trackID, recoverySuggestion: recoverySuggestion))
    }
    if let value = wrongOpacity(of: layer) {
      try report("opacity", "\(value)", recoverySuggestion: "Use 0 … 1.")
    }
    if wrongTransform(of: layer) != nil {
      try report("transform", "not finite", recoverySuggestion: "Use finite numbers.")
    }
    if let crop = wrongCrop(of: layer) ?? emptyCrop(of: layer, in: range) {
      try report(
        "crop", "\(crop.size.width)x\(crop.size.height) at \(crop.minX), \(crop.minY)",
        recoverySuggestion: "Use finite numbers and a size above 0.")
    }
    if let fault = wrongDecoration(of: layer) {
      try report("decoration", "not possible: \(fault)", recoverySuggestion: "Use finite numbers that are not negative.")
    }
    do throws(CompositorError) {
      try layer.motionBlur?.requireUsable()
    } catch {
      try report("motion blur", "not possible: \(error.message)", recoverySuggestion: error.recoverySuggestion ?? "Remove it.")
    }
  }

  static func wrongOpacity(of layer: LayerInstruction) -> Double? {
    wrongValue(of: layer.opacity) { !($0 >= 0 && $0 <= 1) }
  }

  static func wrongTransform(of layer: LayerInstruction) -> AffineMatrix? {
    wrongValue(of: layer.transform) { !$0.isFinite }
  }

  static func wrongCrop(of layer: LayerInstruction) -> Rect? {
    wrongValue(of: layer.crop) { !isUsable($0) }
  }

  /// What cannot be drawn of the layer's corners, border and shadow; `nil` if everything can.
  static func wrongDecoration(of layer: LayerInstruction) -> String? {
    layer.decoration.flatMap { wrongValue(of: $0) { $0.fault != nil } }?.fault
  }

  /// A crop that is empty all the time. One that grows from nothing is a transition.
  private static func emptyCrop(of layer: LayerInstruction, in range: TimeRange) -> Rect? {
    guard range.isUsable else { return nil }
    let values = layer.crop.values(in: range)
    return values.allSatisfy { $0.size.width == 0 || $0.size.height == 0 } ? values[0] : nil
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

  static func isUsable(_ color: Color) -> Bool {
    color.red.isFinite && color.green.isFinite && color.blue.isFinite && (0...1).contains(color.alpha)
  }
}

/// Determines why an instruction uses a track that the composition doesn't have, from the media that plays during it.
private struct MissingTrack {
  let trackID: TrackID
  let instruction: Int
  /// The source during the instruction that has a track of this number, and the composition's track that plays it.
  private let namesake: (source: MediaSource, number: String, track: TrackID)?
  /// Video tracks with media during the instruction that it doesn't use.
  private let candidates: [TrackID]

  init(_ trackID: TrackID, in edit: Edit, instruction index: Int, catalog: MediaCatalog) {
    (self.trackID, instruction) = (trackID, index)
    let instruction = edit.videoComposition.instructions[index]
    let (range, named) = (instruction.timeRange, Set(instruction.readTrackIDs))
    var namesake: (source: MediaSource, number: String, track: TrackID)?
    var candidates: [TrackID] = []
    for track in edit.composition.tracks(.video) where range.isUsable {
      let played = track.segments(in: range).filter { !$0.isEmpty }
      if !played.isEmpty, !named.contains(track.trackID) { candidates.append(track.trackID) }
      for case let source? in played.map(\.source) where namesake == nil {
        // Unreadable media has its own diagnostic.
        guard let info = try? catalog.info(for: source) else { continue }
        namesake = info.number(of: trackID).map { (source, $0, track.trackID) }
      }
    }
    (self.namesake, self.candidates) = (namesake, candidates)
  }

  /// The intended track, if there is only one candidate.
  var target: TrackID? { candidates.count == 1 ? candidates[0] : nil }

  func diagnostic(mediaType: MediaType?) -> ValidationDiagnostic {
    let what = mediaType == nil ? "is not in the composition" : "holds audio"
    let cause =
      namesake.map {
        "\(trackID) is \($0.number) in \($0.source): the ID of a source's track was used. The composition plays it on \(Named.track($0.track))."
      } ?? "The track was removed, or the ID is that of another composition's or a source's track."
    return ValidationDiagnostic(
      .invalidTrackIDInInstruction,
      "\(Named.instruction(instruction).capitalizedName) names \(Named.track(trackID)), which \(what).",
      instruction: instruction, track: trackID, cause: cause,
      recoverySuggestion: "Name "
        + (target.map { "\(Named.track($0)), the only video track that plays then." } ?? "a video track of the composition."),
      fix: target.map {
        DiagnosticFix(
          "Name \(Named.track($0)) in place of \(Named.track(trackID)) in \(Named.instruction(instruction))",
          isSafe: namesake?.track == $0,
          change: .replaceTrack(instruction: instruction, trackID, by: $0))
      })
  }
}

extension MediaInfo {
  /// The meaning of a number in this file if a video track has it: its index from 0, or the ID that MP4 and QuickTime files
  /// count from 1.
  fileprivate func number(of trackID: TrackID) -> String? {
    if videoTracks.contains(where: { $0.index == Int(trackID) }) { return "the index of a video track" }
    let count = videoTracks.count + audioTracks.count + otherTracks.count
    return !videoTracks.isEmpty && (1...max(1, count)).contains(Int(trackID)) ? "the number of a track" : nil
  }
}

extension CompositionTrack {
  /// The segments that play in a range. O(log n) plus those segments.
  func segments(in range: TimeRange) -> ArraySlice<CompositionTrackSegment> {
    let first = segments.partitioningIndex { $0.timeMapping.target.end > range.start }
    return segments[first...].prefix { $0.timeMapping.target.start < range.end }
  }
}

/// Checks that no compositor that needs frames at other times follows one that delivers its frames only in order.
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
            "\(Named.instruction(index).capitalizedName): the compositor “\(later)” needs frames at other times of what “\(earlier)” makes, and that can be "
              + "asked for frames in order only.", instruction: index, track: track,
            recoverySuggestion: "Put “\(later)” before “\(earlier)”, or render with “\(earlier)” first and use that movie."))
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
    _ = follow([instruction.compositor] + instruction.effects.map(\.compositor), after: inOrder, track: nil, into: &found)
    return found
  }

  /// - Returns: A compositor, in the chain or before it, that delivers frames only in order.
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
