package import CompositorAPI

/// Numbered images as one track: one image for each frame.
struct ImageSequence {
  private let files: NumberedFiles
  let rate: Rational
  let pattern: String
  /// Whether ICC profiles of the images are applied.
  let usesProfile: Bool

  /// Lists the images of a pattern; see ``NumberedName``.
  ///
  /// - Throws: `.invalidValue` for an invalid pattern, a negative first number, or a rate that is not positive; the errors of
  ///   ``NumberedFiles``.
  init(
    pattern: String, first: Int?, frameRate: Rational, missing: MissingImages, usesProfile: Bool = true
  ) throws(CompositorError) {
    self.usesProfile = usesProfile
    guard let names = NumberedName(pattern) else {
      throw CompositorError(
        .invalidValue, "The pattern needs exactly one number such as %04d.",
        recoverySuggestion: "Write for example frame_%04d.png.",
        at: ErrorLocation(file: pattern))
    }
    guard first ?? 0 >= 0 else {
      throw CompositorError(
        .invalidValue, "The first image has the number \(first ?? 0).", recoverySuggestion: "Begin at 0 or above.",
        at: ErrorLocation(file: pattern))
    }
    rate = try frameRate.checkedFrameRate(file: pattern)
    files = try NumberedFiles(names, first: first, missing: missing, description: pattern)
    self.pattern = pattern
  }

  /// The number of frames.
  var count: Int { files.frames.count }

  /// The path of the image that frame `index` shows.
  func path(_ index: Int) -> String { files.paths[files.frames[index]] }

  /// The track. It is described by its first image if all have the same size, orientation and samples. Otherwise it has the
  /// upright size of the first image, in a format that holds all of them.
  ///
  /// - Throws: The errors of decoding the first image and of opening the others.
  func trackInfo() throws(CompositorError) -> VideoTrackInfo {
    let image = try StillImage.decode(path: path(0), usesProfile: usesProfile)
    var info = image.trackInfo()
    info.isStill = false
    info.nominalFrameRate = rate
    info.timeRange = TimeRange(start: .zero, duration: Timebase(frameRate: rate).time(Int64(count)))
    var traits: Set<ImageTraits> = []
    for path in files.paths { traits.insert(try ImageTraits(path: path)) }
    guard traits.count > 1 else { return info }
    let upright = info.displaySize
    info.size = PixelSize(width: max(1, Int(upright.width.rounded())), height: max(1, Int(upright.height.rounded())))
    info.preferredTransform = .identity
    info.format = .rgba16
    let color = info.attributes.color
    info.attributes.color = ColorTags(
      primaries: color.primaries == .unspecified ? ColorTags.sRGB.primaries : color.primaries,
      transfer: color.transfer == .unspecified ? ColorTags.sRGB.transfer : color.transfer, matrix: .identity, range: .full)
    info.attributes.pixelAspectRatio = .one
    let hasAlpha = info.attributes.alphaMode != .opaque || traits.contains { $0.hasAlpha }
    info.attributes.alphaMode = hasAlpha ? .straight : .opaque
    return info
  }
}

/// Reads numbered images and caches the last few. Frames are images as they are stored: their size, orientation and format may
/// differ from those of the track.
package final class ImageSequenceReader: VideoReader {
  package let info: VideoTrackInfo
  private let sequence: ImageSequence
  private let clock: Timebase
  private let count: Int64
  private var kept: [(path: String, image: StillImage)] = []

  private static let keptCount = 3

  init(_ sequence: ImageSequence, info: VideoTrackInfo) {
    self.sequence = sequence
    self.info = info
    clock = Timebase(frameRate: sequence.rate)
    count = min(clock.lastTick(notAfter: info.timeRange.end), Int64(sequence.count))
  }

  package func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try image(at: time)?.frame
  }

  /// The image shown at a time, and the transform from it to the upright image; `nil` before the first.
  package func image(at time: MediaTime) throws(CompositorError) -> (frame: DecodedVideoFrame, transform: AffineMatrix)? {
    try time.requireNumeric(file: sequence.pattern)
    let index = min(clock.lastTick(notAfter: time), count - 1)
    guard index >= 0 else { return nil }
    let image = try picture(sequence.path(Int(index)))
    return (
      DecodedVideoFrame(frame: image.frame, presentationTime: clock.time(index), duration: clock.time(1)),
      image.preferredTransform
    )
  }

  private func picture(_ path: String) throws(CompositorError) -> StillImage {
    if let found = kept.first(where: { $0.path == path }) { return found.image }
    let image = try StillImage.decode(path: path, usesProfile: sequence.usesProfile)
    if kept.count >= Self.keptCount { kept.removeFirst() }
    kept.append((path, image))
    return image
  }
}
