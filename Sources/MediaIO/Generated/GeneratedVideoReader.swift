import CompositorAPI

/// Draws a generated source: a constant pattern once, the clock frame by frame into reusable memory.
final class GeneratedVideoReader: VideoReader {
  let info: VideoTrackInfo
  private let source: GeneratedSource
  private let policy: ColorConversionPolicy
  private let clock: Timebase
  private let lastFrame: Int64?
  private let pool: FramePool
  private var constant: Frame?
  private var clockFace: ClockFace?

  /// - Throws: `.invalidValue`, `.frameTooLarge`, `.conversionNotPossible` as ``trackInfo(_:)``.
  ///
  /// - Parameter output: The output that frames are generated for.
  init(
    _ source: GeneratedSource, for output: GeneratedOutput = .standard, allocator: (any FrameAllocator)? = nil
  ) throws(CompositorError) {
    info = output.track(try Self.trackInfo(source), of: source)
    policy = output.policy
    pool = FramePool(maximumOutstanding: 1024, allocator: allocator)
    self.source = source
    clock = Timebase(frameRate: source.frameRate)
    lastFrame = source.duration.isNumeric ? Self.lastFrame(before: source.duration, clock) : nil
  }

  /// If the duration is an integer number of frames, there is no further frame at its end.
  private static func lastFrame(before end: MediaTime, _ clock: Timebase) -> Int64 {
    let index = clock.lastTick(notAfter: end)
    return max(0, clock.time(index) == end ? index - 1 : index)
  }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try time.requireNumeric(file: MediaSource.generated(source).description)
    var index = clock.lastTick(notAfter: time)
    guard index >= 0 else { return nil }
    if let lastFrame { index = min(index, lastFrame) }
    return DecodedVideoFrame(
      frame: try picture(index), presentationTime: clock.time(index), duration: clock.time(1))
  }

  private func picture(_ index: Int64) throws(CompositorError) -> Frame {
    if let constant { return constant }
    switch source.pattern {
    case .clock:
      let face = clockFace ?? ClockFace(size: info.size)
      clockFace = face
      let drawn = try pool.makeFrame(format: info.format, size: info.size, attributes: info.attributes)
      return face.draw(frame: index, at: clock.time(index), into: drawn)
    case .color, .bars, .gradient:
      let painter = PatternPainter(format: info.format, size: info.size, attributes: info.attributes, policy: policy)
      let drawn = try painter.paint(source.pattern)
      constant = drawn
      return drawn
    }
  }

  /// The size of a source that has none of its own and isn't shown on a canvas.
  private static let usualSize = PixelSize(width: 1920, height: 1080)

  /// The video track of a generated source.
  ///
  /// - Throws: `.invalidValue` for sides outside 1 … 16384, a rate or a duration that is not positive, or invalid colors;
  ///   `.frameTooLarge`.
  static func trackInfo(_ source: GeneratedSource) throws(CompositorError) -> VideoTrackInfo {
    let name = MediaSource.generated(source).description
    let size = source.size ?? usualSize
    guard size.isRenderable else {
      throw CompositorError(
        .invalidValue, "A generated frame cannot have the size \(size).",
        recoverySuggestion: "Give sides of 1 to \(PixelSize.renderableSides.upperBound) pixels.",
        at: ErrorLocation(file: name))
    }
    guard size.width * size.height <= MediaLimits.maximumPixelCount else {
      throw CompositorError(
        .frameTooLarge, "A generated frame has more than \(MediaLimits.maximumPixelCount) pixels.",
        recoverySuggestion: "Request a smaller one.", at: ErrorLocation(file: name))
    }
    guard source.duration == .positiveInfinity || (source.duration.isNumeric && source.duration > .zero) else {
      throw CompositorError(
        .invalidValue, "A generated source lasts \(source.duration).", recoverySuggestion: "Give a duration above 0, or none.",
        at: ErrorLocation(file: name))
    }
    let (format, attributes) = GeneratedOutput.standard.frames(of: source.pattern)
    return VideoTrackInfo(
      index: 0, codec: "generated", size: size, format: format, attributes: attributes,
      nominalFrameRate: try source.frameRate.checkedFrameRate(file: name),
      timeRange: TimeRange(start: .zero, duration: source.duration))
  }

  /// The whole source, including its tone.
  static func describe(_ source: GeneratedSource) throws(CompositorError) -> MediaInfo {
    let track = try trackInfo(source)
    var info = MediaInfo(
      source: .generated(source), container: "generated", duration: source.duration, videoTracks: [track])
    if source.toneFrequency != nil {
      info.audioTracks = [
        AudioTrackInfo(index: 0, codec: "tone", sampleRate: 48_000, channelCount: 1, timeRange: track.timeRange)
      ]
    }
    return info
  }
}
