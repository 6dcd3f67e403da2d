import BuiltinCompositors
import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins

/// Checks that instructions show something: tracks have media, layers aren't hidden, and clips are long enough for a frame.
struct ShownMediaChecks {
  let edit: Edit
  let frame: MediaTime
  let tracks: [TrackID: CompositionTrack]
  /// The ends of tracks that have media without gaps from their start on.
  private let solidEnds: [TrackID: MediaTime]
  private let covering: CoveringLayers

  static func run(
    _ edit: Edit, media: [MediaSource: MediaInfo], catalog: MediaCatalog, registry: CompositorRegistry,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard let frame = edit.videoComposition.usableFrameDuration, edit.composition.duration.isNumeric else { return }
    let checks = ShownMediaChecks(edit, frame: frame, media: media, registry: registry)
    let told = try checks.checkTracks(into: &diagnostics).union(PlacementChecks.run(edit, media: media, into: &diagnostics))
    try VisibilityChecks.run(
      edit, covering: checks.covering, media: media, catalog: catalog, told: told, into: &diagnostics)
    try AlphaMaskChecks(edit: edit, tracks: checks.tracks, media: media, covering: checks.covering).run(into: &diagnostics)
    try EmptinessChecks.run(edit, frame: frame, into: &diagnostics)
    try OutlastingClipChecks.run(edit, frame: frame, media: media, into: &diagnostics)
    try checks.checkShortClips(into: &diagnostics)
  }

  /// - Returns: The tracks that were reported.
  private func checkTracks(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) -> Set<TrackID> {
    // Tracks that are hidden in every instruction that uses them, with the first such instruction.
    var (hidden, seen, told) = ([TrackID: Int](), Set<TrackID>(), Set<TrackID>())
    for (index, instruction) in edit.videoComposition.instructions.enumerated() where instruction.timeRange.isUsable {
      try checkMedia(of: instruction, index: index, into: &diagnostics)
      let cover = covering.index(in: instruction)
      for (place, layer) in instruction.layers.enumerated() {
        guard let cover, place > cover else {
          seen.insert(layer.trackID)
          continue
        }
        hidden[layer.trackID] = hidden[layer.trackID] ?? index
        if try checkRamp(of: layer, under: instruction.layers[cover], instruction: index, into: &diagnostics) {
          told.insert(layer.trackID)
        }
      }
      if let track = instruction.passthroughTrackID {
        seen.insert(track)
      } else {
        seen.formUnion(instruction.additionalTrackIDs)
        // A mask is seen in the effect that it limits.
        seen.formUnion(instruction.maskTrackIDs)
      }
    }
    // Skip tracks whose ramps were reported.
    for (track, index) in hidden.sorted(by: { $0.key < $1.key }) where !seen.contains(track) && !told.contains(track) {
      try checkNeverSeen(track, instruction: index, into: &diagnostics)
      told.insert(track)
    }
    return told
  }

  private init(_ edit: Edit, frame: MediaTime, media: [MediaSource: MediaInfo], registry: CompositorRegistry) {
    (self.edit, self.frame) = (edit, frame)
    tracks = Dictionary(edit.composition.tracks(.video).map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first })
    solidEnds = tracks.filter { !$0.value.segments.contains(where: \.isEmpty) }.mapValues(\.timeRange.end)
    covering = CoveringLayers(edit, tracks: tracks, media: media, registry: registry)
  }

  // MARK: Media

  private func checkMedia(
    of instruction: Instruction, index: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    // Most tracks play from their start to their end without gaps.
    let trackIDs = instruction.requiredTrackIDs
    let end = instruction.timeRange.end
    let isSolid = trackIDs.allSatisfy { trackID in solidEnds[trackID].map { $0 >= end } == true }
    guard !isSolid else { return }
    let named = trackIDs.compactMap { tracks[$0] }
    let range = instruction.timeRange.intersection(TimeRange(start: .zero, end: edit.composition.duration))
    guard !named.isEmpty, named.count == trackIDs.count, range.duration > .zero else { return }
    let empty = named.map { $0.emptyRanges(in: range) }
    if let nothing = empty.dropFirst().reduce(empty[0], TimeRange.common).first(where: { $0.duration > frame }) {
      guard instruction.backgroundColor == nil,
        edit.partsWithoutGraphics(of: nothing).contains(where: { $0.duration > frame })
      else { return }
      return try diagnostics.add(emptiness(nothing, of: named.map(\.trackID), instruction: index, in: range))
    }
    guard instruction.compositor != MaskCompositor.descriptor.id else {
      return try checkMask(instruction, index: index, in: range, into: &diagnostics)
    }
    guard isTransition(instruction), named.count == 2 else { return }
    for (track, empty) in zip(named, empty) {
      guard let missing = empty.first(where: { $0.duration > frame }) else { continue }
      try diagnostics.add(lack(of: track.trackID, in: missing, instruction, index: index, in: range))
    }
  }

  /// The warning about one of the two tracks of a transition, or of a blend, that has no media for a part of it.
  private func lack(
    of track: TrackID, in missing: TimeRange, _ instruction: Instruction, index: Int, in range: TimeRange
  ) -> ValidationDiagnostic {
    let isBlend = instruction.compositor == BlendModeCompositor.descriptor.id
    return ValidationDiagnostic(
      .trackWithoutMedia, severity: .warning,
      "\(Named.instruction(index).capitalizedName) \(isBlend ? "blends two layers" : "is a transition") from \(range.start.readable) to "
        + "\(range.end.readable), but \(Named.track(track)) has no media from \(missing.start.readable) to \(missing.end.readable): "
        + "one of the two is missing there.",
      instruction: index, track: track, expectedTime: range.start, foundTime: missing.start,
      cause: "The clips overlap for less time than the \(isBlend ? "instruction" : "transition") lasts.",
      recoverySuggestion: isBlend
        ? "Let the clips overlap for all of the instruction, or divide it."
        : "Let the clips overlap for all of the transition, or shorten it.", timeRange: missing)
  }

  /// - Parameter whole: The time of the instruction, which `range` is a part of.
  private func emptiness(
    _ range: TimeRange, of named: [TrackID], instruction: Int, in whole: TimeRange
  ) -> ValidationDiagnostic {
    let names = named.map { Named.track($0) }.joined(separator: ", ")
    let others = tracks.values.filter { !named.contains($0.trackID) && $0.emptyRange(in: range) == nil }.map(\.trackID).sorted()
    // Another track in place of one that is shown for a part of the time would hide that part.
    let isWhole = range.duration == whole.duration
    let isOpaque = edit.output.alphaMode == .opaque
    let other = isWhole && others.count == 1 && named.count == 1 ? others[0] : nil
    let advice =
      isWhole
      ? "Name a track that plays then"
        + (isOpaque ? ", or set the background color if nothing should be visible." : ", or none.")
      : "Divide the instruction at \((range.start > whole.start ? range.start : range.end).readable), and name a track that plays in each part."
    let cause =
      others.isEmpty
      ? "The clip ends before the instruction does, or the track has a gap."
      : "\(others.map { Named.track($0) }.joined(separator: ", ").capitalizedName) plays then, and isn't named."
    return ValidationDiagnostic(
      .trackWithoutMedia, severity: .warning,
      "\(Named.instruction(instruction).capitalizedName) shows \(names) from \(range.start.readable) to \(range.end.readable), when that has no media: the "
        + "frames are \(isOpaque ? "black" : "transparent").",
      instruction: instruction, track: named.first, foundTime: range.start, cause: cause,
      recoverySuggestion: advice,
      timeRange: range,
      fix: other.map {
        DiagnosticFix(
          "Name \(Named.track($0)) in place of \(Named.track(named[0])) in \(Named.instruction(instruction))", isSafe: false,
          change: .replaceTrack(instruction: instruction, named[0], by: $0))
      })
  }

  /// Whether two sources are mixed: by a transition, or by an opacity that changes from the start to the end.
  private func isTransition(_ instruction: Instruction) -> Bool {
    if instruction.compositor != .layer { return true }
    return instruction.layers.contains { layer in
      layer.opacity.ramps.contains { $0.start != $0.end && $0.timeRange == instruction.timeRange }
    }
  }

  // MARK: Layers under others

  /// - Returns: Whether a diagnostic was reported.
  private func checkRamp(
    of layer: LayerInstruction, under cover: LayerInstruction, instruction: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) -> Bool {
    let range = edit.videoComposition.instructions[instruction].timeRange
    guard layer.opacity.changes(in: range), layer.trackID != cover.trackID else { return false }
    try diagnostics.add(
      ValidationDiagnostic(
        .layerNotSeen, severity: .warning,
        "The opacity of \(Named.track(layer.trackID)) changes in \(Named.instruction(instruction, range)), "
          + "but \(Named.track(cover.trackID)) lies opaque above it: nothing of that is seen.",
        instruction: instruction, track: layer.trackID, foundTime: range.start,
        cause: "A track lies on top of those before it, a layer of an instruction on top of those after it.",
        recoverySuggestion: "Put the layer that fades first, or fade the layer above.", timeRange: range,
        fix: DiagnosticFix(
          "Bring \(Named.track(layer.trackID)) to the front in \(Named.instruction(instruction))", isSafe: false,
          change: .bringToFront(instruction: instruction, layer.trackID))))
    return true
  }

  private func checkNeverSeen(
    _ track: TrackID, instruction: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    try diagnostics.add(
      ValidationDiagnostic(
        .layerNotSeen, severity: .warning,
        "\(Named.track(track, .video).capitalizedName) is never seen: in every instruction that names it, an opaque layer lies above it.",
        instruction: instruction, track: track,
        foundTime: edit.videoComposition.instructions[instruction].timeRange.start,
        cause: "A track lies on top of those before it, a layer of an instruction on top of those after it.",
        recoverySuggestion: isHeard(track)
          ? "Leave its video out if only its audio is wanted: video: false in its clips. Or put it on top (as the later track, or "
            + "in instructions as the first layer), or make the one above smaller or transparent."
          : "Put it on top (as the later track, or in instructions as the first layer), make the one above smaller or "
            + "transparent, or remove the track."))
  }

  /// Whether the audio of a source that a video track shows is in the movie at the same time.
  private func isHeard(_ track: TrackID) -> Bool {
    (tracks[track]?.segments ?? []).contains { segment in
      guard let source = segment.source else { return false }
      return edit.composition.tracks(.audio).contains { audio in
        audio.segments(in: segment.timeMapping.target).contains { !$0.isSilent && $0.source == source }
      }
    }
  }
}

extension VideoTrackInfo {
  /// The stored size with the pixel aspect ratio applied: the space that a layer's transform starts from.
  var storedDisplaySize: Size {
    SourcePlacement(size: size, pixelAspectRatio: attributes.pixelAspectRatio).displaySize
  }
}

extension CompositionTrack {
  /// The parts of a range in which the track has no media.
  func emptyRanges(in range: TimeRange) -> [TimeRange] {
    var (found, rest) = ([TimeRange](), range)
    while let empty = emptyRange(in: rest) {
      if let last = found.last, last.end == empty.start {
        found[found.count - 1] = TimeRange(start: last.start, end: empty.end)
      } else {
        found.append(empty)
      }
      guard empty.end < range.end else { break }
      rest = TimeRange(start: empty.end, end: range.end)
    }
    return found
  }
}

extension TimeRange {
  /// The intersection of two lists of ranges in order of time. O(n).
  fileprivate static func common(_ left: [TimeRange], _ right: [TimeRange]) -> [TimeRange] {
    var (result, i, j) = ([TimeRange](), 0, 0)
    while i < left.count, j < right.count {
      if left[i].overlaps(right[j]) { result.append(left[i].intersection(right[j])) }
      if left[i].end < right[j].end { i += 1 } else { j += 1 }
    }
    return result
  }
}
