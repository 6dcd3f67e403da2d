import CCompositorFFmpeg
import CompositorAPI

/// Frames whose size changes within a stream.
extension FFmpegProbe {
  /// Reports the sizes of a video track's frames if there are several.
  mutating func noteSizes(of index: Int, _ first: PixelSize, _ clock: FrameStampClock) {
    // Parsers state the size before a codec's own cropping, so only differences among them count.
    let sizes = demuxer.frameSizes(index)
    guard sizes.count > 1 else { return }
    let listed = sizes.prefix(Self.listedSizes).map { size in
      let start = clock.time(of: Timebase.clamped(size.first_time))
      let frames = "\(size.frame_count) frame\(size.frame_count == 1 ? "" : "s") of \(size.width)x\(size.height)"
      return start.isNumeric && start > .zero ? "\(frames) from \(start.readable)" : frames
    }
    let more = sizes.count > Self.listedSizes ? ", and \(sizes.count - Self.listedSizes) other sizes" : ""
    warnings.append(
      MediaWarning(
        .changingFrameSize,
        "The frame size changes: \(listed.joined(separator: ", "))\(more). Each frame is scaled to the first one's size, "
          + "\(first.width)x\(first.height), between bars if its aspect ratio differs."))
  }

  /// Reports several sizes of the descriptions of a track in an MP4 or QuickTime file, unless its frames' sizes were reported.
  mutating func noteSizes(of track: VideoTrackInfo, stated: [PixelSize]) {
    guard stated.count > 1, !warnings.contains(where: { $0.kind == .changingFrameSize }) else { return }
    let listed = stated.prefix(Self.listedSizes).map { "\($0.width)x\($0.height)" }.joined(separator: ", ")
    let more = stated.count > Self.listedSizes ? " and \(stated.count - Self.listedSizes) more" : ""
    warnings.append(
      MediaWarning(
        .changingFrameSize,
        "The frame size changes: recordings of \(listed)\(more) were joined. Each frame is scaled to the first one's size, "
          + "\(track.size.width)x\(track.size.height), between bars if its aspect ratio differs."))
  }

  /// Sizes named in a message.
  private static var listedSizes: Int { 4 }
}
