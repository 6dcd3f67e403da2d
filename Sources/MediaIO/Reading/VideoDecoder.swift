import CCompositorFFmpeg
import CompositorAPI

/// Decodes one stream of a file frame by frame, from any key frame. One owner, one thread at a time.
final class VideoDecoder {
  /// A decoded picture with its time in ticks.
  struct Picture {
    var frame: Frame
    var time: Int64
    /// Duration stated by the file; 0 if there is none.
    var statedDuration: Int64
    /// Memory used, in bytes.
    var byteCount: Int
  }

  /// The timebase of the decoder's times.
  let timebase: Timebase
  private let demuxer: Demuxer
  private let handle: OpaquePointer
  private let memory: PictureMemory?
  private var wrapping: PictureWrapping
  /// Size and pixel aspect ratio of the track, into which frames of another size are fitted; `nil` to leave frames as they are.
  private let shape: SourcePlacement?
  private(set) var firstColor: cff_color?
  /// Properties of the first frame other than its color.
  private(set) var firstIsInterlaced = false
  private(set) var firstIsTopFirst = false
  private(set) var firstIsRGB = false
  private(set) var firstHDR = cff_hdr()
  private(set) var firstHasDolbyVision = false
  private(set) var firstHasHDR10Plus = false
  private(set) var firstHasClosedCaptions = false
  /// Frames that were promised and have not come so far.
  private(set) var losses = FrameLosses()
  /// Number of frames decoded so far.
  private(set) var pictureCount = 0
  /// The times that two recordings of the file contain.
  var overlaps: [ClosedRange<Int64>] = []

  /// Takes ownership of a demuxer at its start.
  ///
  /// - Parameters:
  ///   - track: The track's description, to whose size frames of another size are fitted; `nil` for frames as they are stored.
  ///   - allocator: The memory for decoded frames, as far as codec and format allow; `nil` for the heap.
  /// - Throws: `.trackNotFound`, `.decoderNotFound`, `.frameTooLarge`, `.decodeFailed`, `.resourceExhausted`.
  init(
    _ demuxer: Demuxer, stream: Int, options: VideoReaderOptions, track: VideoTrackInfo? = nil,
    allocator: (any FrameAllocator)? = nil
  ) throws(CompositorError) {
    let memory = allocator.map { PictureMemory($0) }
    var settings = cff_video_options()
    settings.thread_count = Int32(min(max(options.threadCount, 1), 64))
    settings.maximum_pixels = Int64(MediaLimits.maximumPixelCount)
    settings.deinterlacing = options.deinterlacing == .off ? 0 : options.deinterlacing == .sameRate ? 1 : 2
    if let memory { settings.memory = memory.callbacks }
    var failure = cff_failure()
    var handle: OpaquePointer?
    let status = cff_video_open(demuxer.handle, Int32(stream), &settings, &handle, &failure)
    guard status == CFF_OK, let handle else {
      throw failure.readingError("The video track cannot be decoded", at: ErrorLocation(file: demuxer.path))
    }
    self.demuxer = demuxer
    self.memory = memory
    self.handle = handle
    self.shape = track.map { SourcePlacement(size: $0.size, pixelAspectRatio: $0.attributes.pixelAspectRatio) }
    self.wrapping = PictureWrapping(
      stream: demuxer.stream(stream), codec: demuxer.codec(stream), isImage: demuxer.containerName == "avif")
    var (numerator, denominator): (Int32, Int32) = (0, 0)
    cff_video_tick(handle, &numerator, &denominator)
    self.timebase = Timebase(numerator: numerator, denominator: denominator)
  }

  deinit { cff_video_close(handle) }

  /// The next frame in presentation order; `nil` after the last.
  func next() throws(CompositorError) -> Picture? {
    var picture = cff_picture()
    var failure = cff_failure()
    let status = cff_video_next(handle, &picture, &failure)
    takeLosses()
    if status == CFF_END { return nil }
    guard status == CFF_OK else {
      throw failure.readingError("A frame cannot be decoded", at: ErrorLocation(file: demuxer.path))
    }
    if firstColor == nil {
      firstColor = picture.color
      (firstIsInterlaced, firstIsTopFirst) = (picture.is_interlaced, picture.is_top_first)
      (firstHasDolbyVision, firstHasHDR10Plus) = (picture.has_dolby_vision, picture.has_hdr10_plus)
      firstHasClosedCaptions = picture.has_closed_captions
      (firstHDR, firstIsRGB) = (picture.hdr, picture.is_rgb)
    }
    pictureCount += 1
    do {
      try fit(&picture)
      let frame = try wrapping.frame(picture, aspect: shape?.pixelAspectRatio)
      return Picture(
        frame: frame, time: Timebase.clamped(picture.time),
        statedDuration: min(max(0, picture.duration), Timebase.farthestTick),
        byteCount: frame.format.byteCount(of: frame.size))
    } catch {
      throw error.locating(ErrorLocation(file: demuxer.path, time: timebase.time(picture.time)))
    }
  }

  /// Gives a frame the size of the track. Releases it on failure.
  private func fit(_ picture: inout cff_picture) throws(CompositorError) {
    let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
    guard let shape, let fit = FrameFit(size, aspect: wrapping.aspect(of: picture), into: shape) else { return }
    var (place, failure) = (fit.place, cff_failure())
    guard cff_video_fit(handle, &place, &picture, &failure) == CFF_OK else {
      cff_picture_release(picture.reference)
      throw failure.readingError("A frame cannot be scaled", at: ErrorLocation(file: demuxer.path))
    }
  }

  /// Seeks to the key frame to decode from for `time` and returns its time; `nil` if the demuxer finds none.
  func seek(to time: Int64) throws(CompositorError) -> Int64? {
    var keyTime: Int64 = 0
    var failure = cff_failure()
    // Where a later recording begins at times of the earlier one, that one is shown: as when it is read in order.
    var target = time
    for overlap in overlaps.reversed() where overlap.contains(target) { target = overlap.lowerBound - 1 }
    switch cff_video_seek(handle, target, &keyTime, &failure) {
    case CFF_OK: return Timebase.clamped(keyTime)
    case CFF_END: return nil
    default: throw failure.readingError("The file cannot be read", at: ErrorLocation(file: demuxer.path))
    }
  }

  /// Seeks to the start.
  func rewind() throws(CompositorError) {
    var failure = cff_failure()
    guard cff_video_rewind(handle, &failure) == CFF_OK else {
      throw failure.readingError("The file cannot be read", at: ErrorLocation(file: demuxer.path))
    }
  }

  /// From now on, skips unreferenced frames before `time`; `nil` decodes all again.
  ///
  /// - Returns: Whether codec and container allow skipping.
  @discardableResult func skipUnreferenced(before time: Int64?) -> Bool {
    cff_video_skip_before(handle, time ?? Int64.min)
  }

  /// The time of the last frame that was skipped; `nil` if none was.
  var lastSkipped: Int64? {
    let time = cff_video_skipped_last(handle)
    return time == Int64.min ? nil : time
  }

  /// Whether there is a key frame ahead and not after `time`; `nil` if the container cannot tell.
  func hasKeyPicture(notAfter time: Int64) -> Bool? {
    switch cff_video_has_key_before(handle, time) {
    case CFF_NO: false
    case CFF_YES: true
    default: nil
    }
  }

  // MARK: damage

  private func takeLosses() {
    var loss = cff_loss()
    while cff_video_take_loss(handle, &loss) {
      losses.add(FrameLosses.Loss(time: Timebase.clamped(loss.time), reason: String(cString: cff_loss_reason(&loss))))
    }
  }

  /// The lost frame that should be shown at a given time; `nil` if the shown frame is the right one.
  func loss(at tick: Int64, showing shown: Int64?) -> FrameLosses.Loss? { losses.loss(at: tick, showing: shown) }

  /// Counts a loss. Returns whether it is counted for the first time.
  func count(_ loss: FrameLosses.Loss) -> Bool { losses.count(loss.time) }

  /// Damaged packets that still produced a frame; `nil` if there were none.
  var concealed: MediaDamage? {
    let count = Int(cff_video_concealed_count(handle))
    guard count > 0 else { return nil }
    return MediaDamage(.concealed, count: count, reason: String(cString: cff_video_concealed_reason(handle)))
  }

  /// The reason why packets ended before the end of the file; `nil` if they did not.
  var earlyEnd: String? { cff_video_early_end(handle).map { String(cString: $0) } }

  /// The first reason for incorrect decoding; `nil` if everything was decoded correctly.
  var firstDamage: String? { losses.first?.reason ?? concealed?.reason ?? earlyEnd }
}

extension VideoTrackInfo {
  /// Whether threads of its decoder share each frame, so that they keep no additional frames.
  package var isDecodedInSlices: Bool { cff_decodes_in_slices(codec) }
}
