import CompositorAPI

/// An animated WebP (RFC 9649): images drawn on a canvas one after another. libavcodec decodes the images; this type decides
/// when and where they are drawn.
struct WebPAnimation: Sendable {
  /// Size of the canvas in pixels.
  let size: PixelSize
  let frames: [WebPFile.AnimationFrame]
  /// The start time of each frame in ms, and the end of the last one.
  let times: [Int]
  /// How often it is played: 0 for endlessly.
  let playCount: Int
  /// The ICC profile; `nil` if there is none or it is not applied.
  private let profileBytes: ArraySlice<UInt8>?

  /// - Parameter usesProfile: Whether the ICC profile is applied.
  /// - Throws: `.unreadableMedia` if there are no frames, or one that doesn't fit the canvas.
  init(_ bytes: [UInt8], usesProfile: Bool = true) throws(CompositorError) {
    let file = WebPFile(bytes)
    profileBytes = usesProfile ? file.profile : nil
    guard let size = file.size, !file.frames.isEmpty,
      file.frames.allSatisfy({ $0.x + $0.width <= size.width && $0.y + $0.height <= size.height })
    else {
      throw CompositorError(
        .unreadableMedia, "The WebP is damaged: it has no images, or one outside its canvas.",
        recoverySuggestion: "Check that the file was copied whole.")
    }
    self.size = PixelSize(width: size.width, height: size.height)
    frames = file.frames
    playCount = file.playCount
    // Viewers show a frame without a duration for a tenth of a second, as for GIF.
    times = file.frames.reduce(into: [0]) { times, frame in
      times.append((times.last ?? 0) + (frame.duration > 0 ? frame.duration : 100))
    }
  }

  /// How the ICC profile is applied, after frames were drawn over each other.
  var profile: StillProfile { profileBytes.map { StillProfile(embedded: $0, in: .rgb) } ?? StillProfile() }

  /// The times' unit, to which encoders round the times of frames.
  static let clock = Timebase(numerator: 1, denominator: 1000)

  /// The cadence of the frames, which tells the grid that their times were rounded from; `nil` without one, unless its rate is as high as that of the
  /// shortest frame: the frames of a slideshow, and of uneven length, need no grid.
  var cadence: FrameCadence? {
    let stamps = times.dropLast().map(Int64.init)
    let estimator = CadenceEstimator(stamps: stamps, timebase: Self.clock, stated: [])
    guard stamps.count > 1, let cadence = estimator.cadence(endingAt: times.last.map(Int64.init)),
      cadence.isRegular || estimator.isSlideshow || cadence.outputRate.value >= shortestRate.value
    else { return nil }
    return cadence
  }

  /// Frames per second of the shortest frame, at most 500.
  private var shortestRate: Rational {
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    return Rational(1000, max(steps.min() ?? 100, 2)).reduced
  }

  /// The end of the last frame: on the grid of a cadence if it was rounded from there.
  func end(_ clock: FrameStampClock) -> MediaTime {
    let stated = MediaTime(value: Int64(times.last ?? 0), timescale: 1000)
    guard times.count > 1, let end = clock.endOfRegularFrame(Int64(times[times.count - 2])),
      abs((end - stated).seconds) <= 0.001
    else { return stated }
    return end
  }

  /// The track, whose rate is that of its cadence, or of the shortest frame if it has none: 8-bit `rgba` in sRGB with straight alpha, unless a profile states
  /// otherwise.
  func trackInfo(_ profile: StillProfile) throws(CompositorError) -> VideoTrackInfo {
    let dot = MutableFrame(
      format: .rgba, size: PixelSize(width: 1, height: 1),
      attributes: FrameAttributes(color: .sRGB, alphaMode: .straight))
    let shown = try profile.apply(to: dot.freeze())
    let cadence = cadence
    let end = end(FrameStampClock(timebase: Self.clock, cadence: cadence))
    var info = VideoTrackInfo(
      index: 0, codec: "webp", size: size, format: shown.format, attributes: shown.attributes,
      nominalFrameRate: cadence?.outputRate ?? shortestRate,
      timeRange: TimeRange(start: .zero, end: end))
    (info.cadence, info.colorProfile) = (cadence, profile.summary)
    return info
  }

  /// The canvas after frame `index` was drawn on `before`, the previous frame's canvas.
  ///
  /// - Throws: The errors of decoding the frame.
  func canvas(_ index: Int, after before: Frame?) throws(CompositorError) -> Frame {
    let drawn = frames[index]
    let picture = try ImageDecoder.frame(drawn.file, codec: "webp", title: "WebP", rgbaDepth: 8).frame
    guard picture.size == PixelSize(width: drawn.width, height: drawn.height) else {
      throw CompositorError(
        .unreadableMedia, "Frame \(index) of the WebP is damaged: its image has another size than the header states.",
        recoverySuggestion: "Check that the file was copied whole.")
    }
    var canvas = MutableFrame(
      format: .rgba, size: size, attributes: FrameAttributes(color: .sRGB, alphaMode: .straight))
    let cleared = index > 0 && frames[index - 1].clearsAfterwards ? frames[index - 1] : nil
    canvas.withUnsafeMutablePlanes { planes in
      let target = CanvasRows(base: planes[0].base, stride: planes[0].stride)
      target.fill(size, from: before)
      if let cleared { target.clear(cleared) }
      picture.withUnsafePlanes { source in
        target.draw(source[0].base, stride: source[0].stride, at: drawn)
      }
    }
    return canvas.freeze()
  }

  /// The last frame up to `index` that is independent of the frames before it.
  func start(of index: Int) -> Int {
    (0...index).last { frame in
      let drawn = frames[frame]
      return frame == 0 || (!drawn.blends && drawn.width == size.width && drawn.height == size.height)
    } ?? 0
  }
}

/// Rows of 8-bit R, G, B, A.
private struct CanvasRows {
  let base: UnsafeMutableRawPointer
  let stride: Int

  /// Copies the previous canvas, or makes everything transparent.
  func fill(_ size: PixelSize, from before: Frame?) {
    let count = 4 * size.width
    guard let before else {
      for y in 0..<size.height { (base + y * stride).initializeMemory(as: UInt8.self, repeating: 0, count: count) }
      return
    }
    before.withUnsafePlanes { source in
      for y in 0..<size.height {
        (base + y * stride).copyMemory(from: source[0].base + y * source[0].stride, byteCount: count)
      }
    }
  }

  func clear(_ frame: WebPFile.AnimationFrame) {
    for y in frame.y..<(frame.y + frame.height) {
      (base + y * stride + 4 * frame.x).initializeMemory(as: UInt8.self, repeating: 0, count: 4 * frame.width)
    }
  }

  func draw(_ source: UnsafeRawPointer, stride sourceStride: Int, at frame: WebPFile.AnimationFrame) {
    for y in 0..<frame.height {
      let from = source + y * sourceStride
      let to = base + (frame.y + y) * stride + 4 * frame.x
      guard frame.blends else {
        to.copyMemory(from: from, byteCount: 4 * frame.width)
        continue
      }
      for x in 0..<frame.width { CanvasRows.blend(from + 4 * x, over: to + 4 * x) }
    }
  }

  /// RFC 9649, 2.7.1.1, for straight alpha.
  private static func blend(_ source: UnsafeRawPointer, over target: UnsafeMutableRawPointer) {
    let alpha = Int(source.load(fromByteOffset: 3, as: UInt8.self))
    if alpha == 255 { return target.copyMemory(from: source, byteCount: 4) }
    guard alpha > 0 else { return }
    // In units of 1/255², so that nothing is rounded before the end.
    let below = Int(target.load(fromByteOffset: 3, as: UInt8.self)) * (255 - alpha)
    let whole = 255 * alpha + below
    for component in 0..<3 {
      let (over, under) = (
        Int(source.load(fromByteOffset: component, as: UInt8.self)), Int(target.load(fromByteOffset: component, as: UInt8.self))
      )
      target.storeBytes(
        of: UInt8((over * 255 * alpha + under * below + whole / 2) / whole), toByteOffset: component, as: UInt8.self)
    }
    target.storeBytes(of: UInt8((whole + 127) / 255), toByteOffset: 3, as: UInt8.self)
  }
}

/// Reads an animated WebP. Reading in order is cheap; a step back restarts at the last independent frame.
final class WebPAnimationReader: VideoReader {
  let info: VideoTrackInfo
  private let animation: WebPAnimation
  private let path: String
  private let profile: StillProfile
  private let clock: FrameStampClock
  /// The current canvas and its frame index.
  private var current: (index: Int, frame: Frame)?
  private var shown: (index: Int, frame: Frame)?

  init(_ animation: WebPAnimation, path: String) throws(CompositorError) {
    (self.animation, self.path) = (animation, path)
    profile = animation.profile
    info = try animation.trackInfo(profile)
    clock = FrameStampClock(timebase: WebPAnimation.clock, cadence: info.cadence)
  }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try time.requireNumeric(file: path)
    guard time >= .zero else { return nil }
    let index = index(at: clock.lastStamp(notAfter: time))
    do throws(CompositorError) {
      let start = clock.time(of: Int64(animation.times[index]))
      let isLast = index + 2 == animation.times.count
      let end = isLast ? info.timeRange.end : clock.time(of: Int64(animation.times[index + 1]))
      return DecodedVideoFrame(frame: try picture(index), presentationTime: start, duration: end - start)
    } catch {
      throw error.locating(ErrorLocation(file: path, time: time))
    }
  }

  /// The last frame that starts no later.
  private func index(at milliseconds: Int64) -> Int {
    animation.times.dropLast().lastIndex { Int64($0) <= milliseconds } ?? 0
  }

  private func picture(_ index: Int) throws(CompositorError) -> Frame {
    if let shown, shown.index == index { return shown.frame }
    let frame = try profile.apply(to: try canvas(index))
    shown = (index, frame)
    return frame
  }

  private func canvas(_ index: Int) throws(CompositorError) -> Frame {
    if let current, current.index == index { return current.frame }
    var (next, before): (Int, Frame?) = (animation.start(of: index), nil)
    if let current, current.index < index, current.index >= next - 1 {
      (next, before) = (current.index + 1, current.frame)
    }
    while next <= index {
      guard !Task.isCancelled else { throw CompositorError(.cancelled, "Reading was canceled.") }
      let frame = try animation.canvas(next, after: before)
      (before, current) = (frame, (next, frame))
      next += 1
    }
    guard let before else { throw CompositorError(.noFrame, "The animation has no frames.") }
    return before
  }
}
