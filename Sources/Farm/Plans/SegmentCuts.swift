package import CompositorAPI
package import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorValidation

/// The length or number of a movie's segments.
package enum SegmentLength: Hashable, Sendable {
  /// Segments of about this duration.
  case duration(MediaTime)
  /// A number of segments, as equal as possible.
  case count(Int)
}

/// The cuts of a movie: near equal distances, but at the start of an instruction or of a source's key frame if one is near.
package struct SegmentCuts: Sendable {
  /// The first frame of each segment, counted in the movie.
  package let firstFrames: [Int]
  /// Notes on what makes segments slow: one sentence each, without a full stop.
  package private(set) var warnings: [String] = []

  /// A cut is moved to the start of an instruction by at most a segment's length divided by this …
  private static let instructionReach = 4
  /// … and to a key frame by at most a segment's length divided by this.
  private static let keyFrameReach = 10

  /// - Throws: `.invalidValue` for a length or a number that gives no segment, or more segments than frames.
  package init(_ outline: ExportOutline, _ length: SegmentLength) throws(CompositorError) {
    let frameCount = outline.frames.count
    let count = try Self.count(length, of: frameCount, lasting: outline.timeRange.duration)
    let span = frameCount / count
    let starts = Self.instructionStarts(outline)
    let keys = SourceKeyFrames(outline)
    var cuts = [0]
    for index in 1..<max(1, count) {
      let ideal = (index * frameCount * 2 + count) / (2 * count)
      // Every segment keeps at least one frame.
      let limits = (cuts[index - 1] + 1)...(frameCount - (count - index))
      let bounded = min(max(ideal, limits.lowerBound), limits.upperBound)
      let near = starts.filter { abs($0 - bounded) <= span / Self.instructionReach && limits.contains($0) }
      if let best = near.min(by: { abs($0 - bounded) < abs($1 - bounded) }) {
        cuts.append(best)
      } else if let key = keys.frame(before: bounded, within: span / Self.keyFrameReach), limits.contains(key) {
        cuts.append(key)
      } else {
        cuts.append(bounded)
      }
    }
    firstFrames = cuts
    warnings = Self.prerollWarnings(cuts, outline)
  }

  private static func count(
    _ length: SegmentLength, of frameCount: Int, lasting duration: MediaTime
  ) throws(CompositorError) -> Int {
    switch length {
    case .count(let count):
      guard (1...frameCount).contains(count) else {
        throw CompositorError(
          .invalidValue, "\(frameCount) frames cannot be cut into \(count) segments.",
          recoverySuggestion: "Use 1 to \(frameCount) segments.")
      }
      return count
    case .duration(let length):
      guard length.isNumeric, length > .zero else {
        throw CompositorError(
          .invalidValue, "Segments of \(length) cannot be made.", recoverySuggestion: "Give a positive length, such as 10s.")
      }
      return min(max(1, Int((duration.seconds / length.seconds).rounded())), frameCount)
    }
  }

  /// The first frames of instructions inside the movie, counted in the movie.
  private static func instructionStarts(_ outline: ExportOutline) -> [Int] {
    outline.plan.instructions.map(\.timeRange.start).filter(\.isNumeric).map {
      outline.plan.schedule.frameCount(until: $0) - outline.frames.lowerBound
    }.filter { $0 > 0 && $0 < outline.frames.count }
  }

  /// Effects that need every frame of their instruction render the frames before a cut again.
  private static func prerollWarnings(_ cuts: [Int], _ outline: ExportOutline) -> [String] {
    let counts = cuts.dropFirst().map { cut in
      outline.plan.preroll(before: outline.plan.schedule.time(ofFrame: outline.frames.lowerBound + cut)).count
    }
    let costly = counts.filter { $0 > 0 }
    guard !costly.isEmpty else { return [] }
    return [
      "\(costly.count) of \(counts.count) cuts lie within an instruction whose effects need its frames in order: \(costly.reduce(0, +)) "
        + "frames more are made in all, and later segments take longer"
    ]
  }
}

/// Key frames of media that a movie shows alone, as far as they make decoding cheaper.
private struct SourceKeyFrames {
  private let outline: ExportOutline

  init(_ outline: ExportOutline) { self.outline = outline }

  /// The first frame that shows the key frame before a frame, if only one file is shown there, forward.
  ///
  /// - Parameter reach: Maximum number of frames that it may be earlier.
  func frame(before frame: Int, within reach: Int) -> Int? {
    guard reach > 0, let shown = source(ofFrame: frame), case .file(let path) = shown.source else { return nil }
    // A file in which packets cannot be sought is cut as planned.
    guard let key = try? keyTime(path, shown) else { return nil }
    var found: Int?
    for earlier in (max(0, frame - reach)...frame).reversed() {
      guard let other = source(ofFrame: earlier), other.source == shown.source, other.use == shown.use, other.mediaTime >= key
      else { break }
      found = earlier
    }
    // The frame itself, or nil if none is near enough.
    guard let found, found > max(0, frame - reach) || isFirst(found, since: key) else { return nil }
    return found
  }

  private func isFirst(_ frame: Int, since key: MediaTime) -> Bool {
    guard frame > 0, let before = source(ofFrame: frame - 1) else { return true }
    return before.mediaTime < key
  }

  private func source(ofFrame frame: Int) -> SourceOrder? {
    let sources = outline.plan.request(forFrame: outline.frames.lowerBound + frame).sources
    guard sources.count == 1, let only = sources.first, !only.isBackward else { return nil }
    return only
  }

  /// Media time of the key frame from which a frame is decoded.
  private func keyTime(_ path: String, _ shown: SourceOrder) throws(CompositorError) -> MediaTime? {
    let track = PacketReader.Track(.video, shown.sourceTrackIndex)
    let reader = try PacketReader(
      path: path, tracks: [track], facts: outline.composition.catalog.facts(for: shown.source))
    let base = reader.timebase(track)
    try reader.seek(to: base.lastTick(notAfter: shown.mediaTime), of: track)
    guard let packet = try reader.next(), packet.entry != .none, packet.hasTime else { return nil }
    let time = base.time(packet.time)
    return time <= shown.mediaTime ? time : nil
  }
}
