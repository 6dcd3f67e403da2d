package import CompositorAPI
import CompositorConversion
import CompositorMedia
import CompositorMediaIO

/// Checks for clips that no frame shows although instructions name them: transparent, scaled to nothing, cropped away, outside of the canvas
/// while they move, or under an opaque layer.
struct VisibilityChecks {
  /// Why a clip isn't seen in an instruction.
  enum Reason: Equatable {
    case transparent, transparentMedia, scaledToNothing, croppedAway(PixelSize), croppedToNothing(PixelSize), outside
    case covered(by: TrackID)
  }

  /// Parts of a track that continue one another, such as the passes of a loop, count as one clip.
  struct Clip: Hashable {
    let track: TrackID
    let first: Int
  }

  let edit: Edit
  private let canvas: Rect
  /// Stills of which every pixel is transparent.
  private let clearStills: Set<MediaSource>
  let covering: CoveringLayers
  private let media: [MediaSource: MediaInfo]
  private let tracks: [TrackID: CompositionTrack]
  /// The index of the first segment of each segment's clip.
  private let firsts: [TrackID: [Int]]

  /// - Parameter told: Tracks that other checks reported.
  static func run(
    _ edit: Edit, covering: CoveringLayers, media: [MediaSource: MediaInfo], catalog: MediaCatalog, told: Set<TrackID>,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let checks = VisibilityChecks(edit, covering: covering, media: media, catalog: catalog)
    var seen: Set<Clip> = []
    var hidden: [Clip: (reason: Reason, instruction: Int)] = [:]
    for (index, instruction) in edit.videoComposition.instructions.enumerated() where instruction.timeRange.isUsable {
      for (clip, reason) in checks.clips(of: instruction) {
        if let reason { hidden[clip] = hidden[clip] ?? (reason, index) } else { seen.insert(clip) }
      }
    }
    let found = hidden.filter { !seen.contains($0.key) && !told.contains($0.key.track) }
    for (clip, value) in found.sorted(by: { ($0.key.track, $0.key.first) < ($1.key.track, $1.key.first) }) {
      try diagnostics.add(checks.diagnostic(of: clip, value.reason, instruction: value.instruction))
    }
    guard edit.hasWrittenInstructions else { return }
    try checks.checkLayers(except: told.union(found.keys.map(\.track)), into: &diagnostics)
  }

  /// The largest still that is read, in pixels.
  private static let mostPixels = 1 << 24

  private init(_ edit: Edit, covering: CoveringLayers, media: [MediaSource: MediaInfo], catalog: MediaCatalog) {
    let stills = media.filter { source, info in
      guard case .file = source, let video = info.videoTracks.first, video.isStill, video.format.hasAlpha else { return false }
      return video.attributes.alphaMode != .opaque && video.size.width * video.size.height <= Self.mostPixels
    }
    clearStills = Set(
      stills.keys.filter { source in
        // A still that cannot be read has a diagnostic of its own.
        (try? TitleResources.firstFrame(of: source, catalog: catalog, color: edit.sourceColors[source]))?.isFullyTransparent
          == true
      })
    (self.edit, self.covering, self.media) = (edit, covering, media)
    let size = edit.videoComposition.renderSize
    canvas = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    let video = edit.composition.tracks(.video)
    tracks = Dictionary(video.map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first })
    firsts = tracks.mapValues { track in
      var firsts: [Int] = []
      for (index, segment) in track.segments.enumerated() {
        let isNext = index > 0 && segment.continuesClip(track.segments[index - 1])
        firsts.append(isNext ? firsts[index - 1] : index)
      }
      return firsts
    }
  }

  /// The clips that an instruction names, with the reason why one isn't seen.
  private func clips(of instruction: Instruction) -> [(Clip, Reason?)] {
    let whole = TimeRange(start: .zero, end: edit.composition.duration)
    let range = instruction.timeRange.intersection(whole)
    guard range.duration > .zero else { return [] }
    let named = instruction.layers.map(\.trackID)
    var found: [(Clip, Reason?)] = []
    for track in instruction.maskTrackIDs { found += clips(ofTrack: track, in: range).map { ($0.clip, nil) } }
    for track in instruction.requiredTrackIDs where !named.contains(track) || instruction.compositor != .layer {
      // Compositors may show sources as they like.
      found += clips(ofTrack: track, in: range).map { ($0.clip, nil) }
    }
    guard instruction.compositor == .layer else { return found }
    let cover = covering.index(in: instruction)
    for (place, layer) in instruction.layers.enumerated() {
      let above = cover.flatMap { place > $0 ? instruction.layers[$0].trackID : nil }
      for (clip, segment, part) in clips(ofTrack: layer.trackID, in: range) {
        found.append(
          (clip, reason(layer, segment, in: part) ?? covering(segment, by: above == layer.trackID ? nil : above, in: part)))
      }
    }
    return found
  }

  func clips(
    ofTrack track: TrackID, in range: TimeRange
  ) -> [(clip: Clip, segment: CompositionTrackSegment, part: TimeRange)] {
    guard let track = tracks[track], let firsts = firsts[track.trackID] else { return [] }
    let segments = track.segments(in: range)
    return segments.indices.compactMap { index in
      let part = range.intersection(segments[index].timeMapping.target)
      guard !segments[index].isEmpty, part.duration > .zero else { return nil }
      return (Clip(track: track.trackID, first: firsts[index]), segments[index], part)
    }
  }

  func reason(_ layer: LayerInstruction, _ segment: CompositionTrackSegment, in range: TimeRange) -> Reason? {
    if layer.opacity.values(in: range).allSatisfy({ $0 == 0 }) { return .transparent }
    if layer.effects.isEmpty, layer.isPlain, segment.source.map(clearStills.contains) == true {
      return .transparentMedia
    }
    let places = layer.transform.values(in: range)
    guard places.allSatisfy(\.isFinite) else { return nil }
    let isStill = !layer.transform.changes(in: range)
    if places.allSatisfy({ isStill ? $0.determinant == 0 : $0.isNothing }) { return .scaledToNothing }
    guard layer.effects.isEmpty, layer.isPlain, let source = segment.source,
      let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex })
    else { return nil }
    let frame = Rect(origin: .zero, size: info.storedDisplaySize)
    let crops = layer.crop.values(in: range)
    let isCroppedAway = crops.allSatisfy { crop in
      guard !crop.isInfinite, crop.size.width > 0, crop.size.height > 0 else { return false }
      let rest = crop.intersection(frame)
      return rest.size.width <= 0 || rest.size.height <= 0
    }
    if isCroppedAway { return .croppedAway(info.size) }
    // Fractions of the source, which would be whole in them.
    if crops.allSatisfy({ (0...1).contains(min($0.size.width, $0.size.height)) && !$0.isEmpty }),
      min(frame.size.width, frame.size.height) > 1
    {
      return .croppedToNothing(info.size)
    }
    // Between two places each corner moves along a line, so it stays on its side of an edge.
    let boxes = places.map { $0.boundingBox(of: frame) }
    if boxes.allSatisfy({ max($0.size.width, $0.size.height) < 1 }) { return .scaledToNothing }
    let isOutside =
      boxes.allSatisfy { $0.maxX <= canvas.minX + 0.01 } || boxes.allSatisfy { $0.minX >= canvas.maxX - 0.01 }
      || boxes.allSatisfy { $0.maxY <= canvas.minY + 0.01 } || boxes.allSatisfy { $0.minY >= canvas.maxY - 0.01 }
    return isOutside ? .outside : nil
  }

  /// The reason for a clip under an opaque layer, unless it is heard: cuts of a talk are often hidden by what is talked about.
  private func covering(_ segment: CompositionTrackSegment, by track: TrackID?, in range: TimeRange) -> Reason? {
    guard let track else { return nil }
    let isHeard = edit.composition.tracks(.audio).contains { audio in
      audio.segments(in: range).contains { !$0.isSilent && $0.source == segment.source }
    }
    return isHeard ? nil : .covered(by: track)
  }

  private func diagnostic(of clip: Clip, _ reason: Reason, instruction: Int) -> ValidationDiagnostic {
    let segments = tracks[clip.track]?.segments ?? []
    let last = firsts[clip.track]?.lastIndex(of: clip.first) ?? clip.first
    let range = TimeRange(start: segments[clip.first].timeMapping.target.start, end: segments[last].timeMapping.target.end)
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "\(Named.segment(clip.first, of: clip.track).capitalizedName) is never seen from \(range.start.readable) to "
        + "\(range.end.readable): \(reason.text).",
      instruction: instruction, track: clip.track, foundTime: range.start, cause: reason.cause,
      recoverySuggestion: reason.recoverySuggestion, timeRange: range)
  }
}

extension VisibilityChecks.Reason {
  var text: String {
    switch self {
    case .transparent: "its opacity is 0 all the time"
    case .transparentMedia: "every pixel of its image is transparent"
    case .scaledToNothing: "it is scaled to less than a pixel"
    case .croppedToNothing(let size): "its crop leaves a pixel or less of \(size)"
    case .croppedAway(let size): "its crop lies outside of the source of \(size)"
    case .outside: "it stays outside of the canvas"
    case .covered(let track): "\(Named.track(track)) lies opaque above it"
    }
  }

  var cause: String {
    switch self {
    case .transparent: "An opacity of 0 was meant for another time, or to mute the video."
    case .transparentMedia: "The image was exported without its visible layers."
    case .scaledToNothing: "A scale of 0 was meant as “unchanged”, which is 1."
    case .croppedToNothing: "The crop was written in fractions of the source."
    case .croppedAway: "The crop was written for a larger source."
    case .outside: "Its positions were written for another canvas."
    case .covered: "Tracks are in the order from bottom to top, and layers from front to back."
    }
  }

  var recoverySuggestion: String {
    switch self {
    case .transparent: "Give it an opacity above 0, or leave its video out if only its audio is wanted."
    case .transparentMedia: "Export the image again, or remove it."
    case .scaledToNothing: "Give it a scale above 0; 1 is its own size."
    case .croppedToNothing(let size): "Write the crop in pixels of the source, which is \(size)."
    case .croppedAway(let size): "Crop inside the source, which is \(size)."
    case .outside: "Move it onto the canvas, or remove it."
    case .covered: "Make the layer above smaller or transparent, or remove the one that it hides."
    }
  }
}

extension CompositionTrackSegment {
  /// Whether it is a part of the same clip as the segment before it: the next pass of a loop, or the rest of divided media.
  func continuesClip(_ other: CompositionTrackSegment) -> Bool {
    guard let source, source == other.source, sourceTrackIndex == other.sourceTrackIndex,
      timeMapping.target.start == other.timeMapping.target.end
    else { return false }
    return timeMapping.source.start == other.timeMapping.source.start
      || timeMapping.source.start == other.timeMapping.source.end
  }
}

extension PropertyTimeline {
  /// The values between which the property stays in a range: those at its ends, and at the ends of ramps inside.
  package func values(in range: TimeRange) -> [Value] {
    let first = ramps.partitioningIndex { $0.timeRange.end > range.start }
    return ramps[first...].prefix { $0.timeRange.start < range.end }.reduce(into: [value(at: range.start)]) { values, ramp in
      values.append(value(at: max(ramp.timeRange.start, range.start)))
      values.append(ramp.timeRange.end <= range.end ? ramp.end : value(at: range.end))
    }
  }
}

extension AffineMatrix {
  /// Whether it maps everything to one point.
  fileprivate var isNothing: Bool { a == 0 && b == 0 && c == 0 && d == 0 }
}
