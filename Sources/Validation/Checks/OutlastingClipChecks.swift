import CompositorAPI
import CompositorMediaIO

/// Checks whether a small clip, such as a picture in picture or a logo, is left on black at the end of the movie, because it lasts longer
/// than the clips that fill the canvas beneath it.
struct OutlastingClipChecks {
  private let edit: Edit
  private let frame: MediaTime
  private let canvas: Rect
  private let tracks: [TrackID: CompositionTrack]
  private let media: [MediaSource: MediaInfo]

  static func run(
    _ edit: Edit, frame: MediaTime, media: [MediaSource: MediaInfo], into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    // Instructions that are written say what is shown, and an output with alpha is transparent around a small clip.
    guard edit.output.alphaMode == .opaque, !edit.hasWrittenInstructions, edit.videoComposition.instructions.count > 1 else {
      return
    }
    let size = edit.videoComposition.renderSize
    let checks = OutlastingClipChecks(
      edit: edit, frame: frame, canvas: Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)),
      tracks: Dictionary(edit.composition.tracks(.video).map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first }),
      media: media)
    if let found = checks.diagnostic() { try diagnostics.add(found) }
  }

  /// The shortest end to report, in seconds.
  private static let least = 1.0
  /// The largest share of the canvas that a small clip takes.
  private static let most = 0.5

  private func diagnostic() -> ValidationDiagnostic? {
    let instructions = edit.videoComposition.instructions
    let small = instructions.reversed().prefix(while: showsSmallClips).count
    guard small > 0, small < instructions.count else { return nil }
    let (first, before) = (instructions[instructions.count - small], instructions[instructions.count - small - 1])
    let range = TimeRange(start: first.timeRange.start, end: edit.composition.duration)
    guard range.duration.isNumeric, range.duration.seconds >= Self.least, before.timeRange.end == range.start,
      first.layers.allSatisfy({ goesOn($0.trackID, at: range.start) }), fillsCanvas(before),
      edit.partsWithoutGraphics(of: range) == [range]
    else { return nil }
    let names = first.layers.map { Named.track($0.trackID) }.joined(separator: ", ")
    return ValidationDiagnostic(
      .nothingShown, severity: .warning,
      "From \(range.start.readable) to \(range.end.readable) only \(names) is shown, on a part of the canvas: the rest of each frame is black.",
      instruction: instructions.count - small, track: first.layers[0].trackID, foundTime: range.start,
      cause: "The clip beneath it ends earlier.", timeRange: range
    ).advising(
      "Let both end at the same time. If black is meant, write \(setting: .timelineBackground, value: "black").")
  }

  private func showsSmallClips(_ instruction: Instruction) -> Bool {
    guard instruction.compositor == .layer, instruction.backgroundColor == nil, instruction.effects.isEmpty,
      instruction.additionalTrackIDs.isEmpty, instruction.timeRange.isUsable
    else { return false }
    return !instruction.layers.isEmpty && instruction.layers.allSatisfy { isSmall($0, in: instruction.timeRange) }
  }

  /// Whether a layer rests on a part of the canvas. Titles are often shown on black.
  private func isSmall(_ layer: LayerInstruction, in range: TimeRange) -> Bool {
    guard layer.effects.isEmpty, !layer.transform.changes(in: range), let box = box(of: layer, at: range.start) else {
      return false
    }
    let shown = box.intersection(canvas)
    return !shown.isEmpty && shown.size.width * shown.size.height <= Self.most * canvas.size.width * canvas.size.height
  }

  /// Whether a clip that ends with an instruction fills the canvas.
  private func fillsCanvas(_ instruction: Instruction) -> Bool {
    let end = instruction.timeRange.end
    guard instruction.compositor == .layer else { return false }
    return instruction.layers.contains { layer in
      guard let box = box(of: layer, at: end - frame) else { return false }
      return box.insetBy(x: -0.01, y: -0.01).contains(canvas)
    }
  }

  /// Whether a track plays the same media before and after a time.
  private func goesOn(_ track: TrackID, at time: MediaTime) -> Bool {
    guard let before = segment(of: track, at: time - frame)?.source else { return false }
    return segment(of: track, at: time)?.source == before
  }

  private func segment(of track: TrackID, at time: MediaTime) -> CompositionTrackSegment? {
    tracks[track]?.segments(in: TimeRange(start: time, duration: frame)).first { !$0.isEmpty }
  }

  /// The rectangle that a layer's frame takes at a time, even outside of the canvas; `nil` for titles and if it isn't known.
  private func box(of layer: LayerInstruction, at time: MediaTime) -> Rect? {
    guard let segment = segment(of: layer.trackID, at: time), let source = segment.source,
      let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }),
      info.codec != VideoTrackInfo.titleCodec, case let transform = layer.transform.value(at: time), transform.isFinite
    else { return nil }
    let shown = Rect(origin: .zero, size: info.storedDisplaySize).intersection(layer.crop.value(at: time))
    return transform.boundingBox(of: shown)
  }
}
