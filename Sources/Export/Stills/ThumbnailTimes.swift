public import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorValidation

/// The times of thumbnails in a movie.
public enum ThumbnailTimes: Hashable, Sendable {
  /// A number of times, ≥ 1: the movie is divided into as many equal parts, and the middle of each is taken. This avoids the
  /// very first and last frames, which are often black.
  case count(Int)
  /// 0 and every multiple of a time, > 0, before the end.
  case every(MediaTime)
  /// The given times, in their order.
  case at([MediaTime])
  /// The first frame of each scene: the first of the movie, and each that differs from the previous one by more than a
  /// threshold, 0 … 100 (libavfilter's `scdet`; 10 is usual, lower values find more).
  case scenes(threshold: Double)

  /// The default threshold.
  public static let defaultThreshold = 10.0

  /// Maximum number of thumbnails.
  static let maximumCount = 100_000

  /// The times in a movie that lasts `duration`; `nil` for scenes, which have to be detected.
  ///
  /// - Throws: `.invalidValue` for a count or a step that is not positive, too many times, or a threshold outside 0 … 100.
  package func times(in duration: MediaTime) throws(CompositorError) -> [MediaTime]? {
    switch self {
    case .count(let count):
      guard (1...Self.maximumCount).contains(count) else {
        throw Self.refusal("The number of thumbnails is \(count).", "Give 1 to \(Self.maximumCount).")
      }
      return (0..<count).map { Self.middle(ofPart: $0, of: count, in: duration) }
    case .every(let step):
      guard step.isNumeric, step > .zero else {
        throw Self.refusal("Thumbnails cannot be made every \(step.readable).", "Give a time greater than 0.")
      }
      guard duration.seconds / step.seconds <= Double(Self.maximumCount) else {
        throw Self.refusal("Every \(step.readable) makes more than \(Self.maximumCount) thumbnails.", "Give a longer time.")
      }
      let count = Int((duration.seconds / step.seconds).rounded(.up))
      return (0..<count).map { step * $0 }.filter { $0 < duration }
    case .at(let times):
      guard !times.isEmpty else { throw Self.refusal("No time was given.", "Give at least one.") }
      return times
    case .scenes(let threshold):
      guard threshold.isFinite, (0...100).contains(threshold) else {
        throw Self.refusal("The threshold of scenes is \(threshold).", "Give 0 to 100; 10 is usual.")
      }
      return nil
    }
  }

  private static func refusal(_ message: String, _ recoverySuggestion: String) -> CompositorError {
    CompositorError(.invalidValue, message, recoverySuggestion: recoverySuggestion)
  }

  /// (2 · index + 1) / (2 · count) of a duration, exact if a timescale can hold it.
  private static func middle(ofPart index: Int, of count: Int, in duration: MediaTime) -> MediaTime {
    let time = duration.multiplied(by: Int64(2 * index + 1), over: Int64(2 * count))
    return time.isNumeric
      ? time : MediaTime(seconds: duration.seconds * Double(2 * index + 1) / Double(2 * count), preferredTimescale: 90_000)
  }
}

/// Detects abrupt changes of a movie's images.
enum SceneChanges {
  /// The longest side of the images compared. Differences show at any size.
  private static let side = 320

  /// The start of the first frame, and of each frame that differs from the previous one by more than `threshold`, 0 … 100.
  ///
  /// The measure is that of libavfilter's `scdet`: the mean difference of luma, or its change since the previous frame if that
  /// is less, so that motion alone isn't taken for a cut.
  static func times(
    in composition: ValidatedComposition, threshold: Double, settings: RenderSettings
  ) async throws(CompositorError) -> [MediaTime] {
    let small = try composition.limited(to: PixelSize(width: side, height: side))
    let frames = try small.frames(format: .yuv420p, settings: settings)
    let surface = FilterSurface(format: frames.format, size: frames.size, attributes: frames.attributes, ticksPerSecond: 25)
    let graph = try FilterGraph("select=gt(scene\\,\(threshold / 100))", surface: surface, inputCount: 1)
    var starts: [MediaTime] = []
    var times: [MediaTime] = []
    for try await rendered in frames {
      try graph.push(rendered.frame, input: 0, tick: Int64(starts.count))
      starts.append(rendered.time)
      if starts.count == 1 { times.append(rendered.time) }
      while let found = try graph.pull() {
        if found.tick > 0, found.tick < starts.count { times.append(starts[Int(found.tick)]) }
      }
    }
    return times
  }
}
