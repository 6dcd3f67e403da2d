import CompositorAPI
import CompositorPlugins
import CompositorValidation

/// How long the decoders of a render stay open, and how many.
struct ReaderRetention: Sendable {
  /// The number of requests after which an unused lane is considered spare.
  private static let laneRequests = 32
  /// The number of requests after which a decoder of a movie that is no longer shown is closed.
  private static let movieRequests = 64

  /// The maximum number of decoders in addition to those for the current frame.
  let maximumSpare: Int
  /// The limits on those that are opened ahead of time.
  let aheadLimit: AheadLimit
  /// The number of output frames that are rendered at a time.
  let framesInFlight: Int
  /// Whether decoders of finished segments stay open, within the limit, because the caller may go back.
  private let keepsPassed: Bool
  /// The number of views of each frame, whose sources are requested one after another.
  private let viewCount: Int
  /// The number of requests for which a reader stays open after its segment, since earlier frames may still request it.
  private let lingering: Int

  init(_ plan: RenderPlan, _ settings: RenderSettings, framesInFlight: Int, keepsPassed: Bool) {
    self.framesInFlight = framesInFlight
    self.keepsPassed = keepsPassed
    maximumSpare = max(0, settings.maximumSpareDecoders)
    aheadLimit = AheadLimit(maximumCount: maximumSpare)
    viewCount = plan.views.count
    let needsOtherTimes = plan.instructions.contains { plan.composition.registry.needsOtherTimes($0) }
    lingering = needsOtherTimes ? (framesInFlight + 2) * viewCount : 0
  }

  /// Whether a decoder whose segment is over may go on with another segment. Those of instructions that need other times stay with
  /// their segments, as do those of a caller that may go back.
  var reusesDecoders: Bool { lingering == 0 && !keepsPassed }

  /// Whether the frame of request `now` doesn't use a decoder.
  func isSpare(_ entry: SourceReaderPool.Entry, now: Int) -> Bool { entry.lastRequest <= now - viewCount }

  /// Whether a decoder may be closed when its segment is over.
  func mayEnd(_ entry: SourceReaderPool.Entry, now: Int) -> Bool {
    !keepsPassed && entry.lastRequest < now - lingering
  }

  /// Whether a spare decoder counts against ``maximumSpare``: others may soon be needed again.
  func isUnused(_ key: SourceReaderPool.Key, _ entry: SourceReaderPool.Entry, now: Int) -> Bool {
    (key.lane == 0 && key.movie == nil) || entry.lastRequest < now - Self.laneRequests
  }

  /// Whether the movie of a decoder hasn't been shown for long.
  func isMovieOver(_ entry: SourceReaderPool.Entry, now: Int) -> Bool { entry.lastRequest < now - Self.movieRequests }
}
