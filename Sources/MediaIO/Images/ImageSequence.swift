import CompositorAPI

/// Numbered images as one track: image `first + n` is shown at frame n.
struct ImageSequence {
  private let names: NumberedName
  private let first: Int
  let rate: Rational
  let pattern: String
  /// Whether ICC profiles of the images are applied.
  let usesProfile: Bool

  /// Maximum number of images of a sequence.
  static let maximumCount = 10_000_000

  /// Parses a pattern; see ``NumberedName``.
  ///
  /// - Throws: `.invalidValue` for an invalid pattern, a negative first number, or a rate that is not positive.
  init(pattern: String, first: Int, frameRate: Rational, usesProfile: Bool = true) throws(CompositorError) {
    self.usesProfile = usesProfile
    guard let names = NumberedName(pattern) else {
      throw CompositorError(
        .invalidValue, "The pattern needs exactly one number such as %04d.",
        recoverySuggestion: "Write for example frame_%04d.png.",
        at: ErrorLocation(file: pattern))
    }
    guard first >= 0, first <= Int.max - ImageSequence.maximumCount else {
      throw CompositorError(
        .invalidValue, "The first image has the number \(first).", recoverySuggestion: "Begin at 0 or above.",
        at: ErrorLocation(file: pattern))
    }
    rate = try frameRate.checkedFrameRate(file: pattern)
    self.names = names
    self.first = first
    self.pattern = pattern
  }

  /// The path of image `index`, from 0.
  func path(_ index: Int) -> String { names.name(first + index) }

  /// The number of images from the first one to the first gap.
  func count() -> Int {
    var count = 0
    while count < ImageSequence.maximumCount, RegularFile.exists(path(count)) { count += 1 }
    return count
  }

  /// The track, described by its first image.
  ///
  /// - Throws: `.fileNotFound` if the first image is missing, and the errors of decoding it.
  func trackInfo() throws(CompositorError) -> VideoTrackInfo {
    let image = try StillImage.decode(path: path(0), usesProfile: usesProfile)
    var info = image.trackInfo()
    info.isStill = false
    info.nominalFrameRate = rate
    info.timeRange = TimeRange(start: .zero, duration: Timebase(frameRate: rate).time(Int64(count())))
    return info
  }
}

/// Reads numbered images and caches the last few.
final class ImageSequenceReader: VideoReader {
  let info: VideoTrackInfo
  private let sequence: ImageSequence
  private let clock: Timebase
  private let count: Int64
  private var kept: [(index: Int64, frame: Frame)] = []

  private static let keptCount = 3

  init(_ sequence: ImageSequence, info: VideoTrackInfo) {
    self.sequence = sequence
    self.info = info
    clock = Timebase(frameRate: sequence.rate)
    count = clock.lastTick(notAfter: info.timeRange.end)
  }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try time.requireNumeric(file: sequence.pattern)
    let index = min(clock.lastTick(notAfter: time), count - 1)
    guard index >= 0 else { return nil }
    return DecodedVideoFrame(
      frame: try picture(index), presentationTime: clock.time(index), duration: clock.time(1))
  }

  private func picture(_ index: Int64) throws(CompositorError) -> Frame {
    if let found = kept.first(where: { $0.index == index }) { return found.frame }
    let frame = try StillImage.decode(path: sequence.path(Int(index)), usesProfile: sequence.usesProfile).frame
    if kept.count >= Self.keptCount { kept.removeFirst() }
    kept.append((index, frame))
    return frame
  }
}
