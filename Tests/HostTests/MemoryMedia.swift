import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorValidation
import Synchronization

/// Video in memory, to be registered with a catalog: each frame is one code value, made from its number, and readers are
/// counted.
final class MemoryMedia: MediaProvider {
  let size: PixelSize
  let format: PixelFormat
  let frameDuration: MediaTime
  let frameCount: Int
  /// Frames from this one on cannot be decoded.
  let failsFrom: Int?
  /// Time that each frame takes to decode.
  let decodingMicroseconds: UInt32
  let attributes: FrameAttributes
  /// What each frame shows instead of its number.
  let picture: Frame?
  private let counts = Mutex((opened: 0, closed: 0, peak: 0))

  init(
    size: PixelSize = PixelSize(width: 64, height: 36), format: PixelFormat = .yuv420p,
    frameDuration: MediaTime = MediaTime(value: 1, timescale: 30), frameCount: Int = 300, failsFrom: Int? = nil,
    decodingMicroseconds: UInt32 = 0, attributes: FrameAttributes = FrameAttributes(), picture: Frame? = nil
  ) {
    self.picture = picture
    self.attributes = attributes
    self.size = size
    self.format = format
    self.frameDuration = frameDuration
    self.frameCount = frameCount
    self.failsFrom = failsFrom
    self.decodingMicroseconds = decodingMicroseconds
  }

  var openedCount: Int { counts.withLock { $0.opened } }
  var openNow: Int { counts.withLock { $0.opened - $0.closed } }
  var peakOpen: Int { counts.withLock { $0.peak } }

  var duration: MediaTime { frameDuration * frameCount }

  var trackInfo: VideoTrackInfo {
    VideoTrackInfo(
      index: 0, codec: "memory", size: size, format: format, attributes: attributes,
      nominalFrameRate: Rational(Int(frameDuration.timescale), Int(frameDuration.value)),
      timeRange: TimeRange(start: .zero, duration: duration))
  }

  func describe() throws(CompositorError) -> MediaInfo {
    MediaInfo(source: .custom(name: "memory"), container: "memory", duration: duration, videoTracks: [trackInfo])
  }

  func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    counts.withLock { counts in
      counts.opened += 1
      counts.peak = max(counts.peak, counts.opened - counts.closed)
    }
    return Reader(self)
  }

  fileprivate func didClose() { counts.withLock { $0.closed += 1 } }

  /// The code value of a frame's luma.
  static func luma(ofFrame index: Int) -> UInt8 { UInt8(16 + index % 220) }

  private final class Reader: VideoReader {
    let info: VideoTrackInfo
    private let media: MemoryMedia
    private var shown: (index: Int, frame: Frame)?

    init(_ media: MemoryMedia) {
      self.media = media
      self.info = media.trackInfo
    }

    deinit { media.didClose() }

    func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
      guard time >= .zero else { return nil }
      let timing = try FrameTiming(frameDuration: media.frameDuration)
      let index = min(timing.index(at: time) ?? 0, media.frameCount - 1)
      if let failsFrom = media.failsFrom, index >= failsFrom {
        throw CompositorError(.decodeFailed, "Frame \(index) is damaged.")
      }
      if shown?.index != index { shown = (index, try makeFrame(index)) }
      guard let shown else { return nil }
      return DecodedVideoFrame(
        frame: shown.frame, presentationTime: timing.time(ofFrame: index), duration: media.frameDuration)
    }

    private func makeFrame(_ index: Int) throws(CompositorError) -> Frame {
      if media.decodingMicroseconds > 0 { usleep(media.decodingMicroseconds) }
      if let picture = media.picture { return picture }
      var frame = MutableFrame(format: media.format, size: media.size, attributes: media.attributes)
      let scale = Double(1 << (media.format.bitDepth - 8))
      frame.fill(codes: [Double(MemoryMedia.luma(ofFrame: index)) * scale, 128 * scale, 128 * scale, 255 * scale])
      return frame.freeze()
    }
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension MediaTime {
  /// Whole seconds.
  static func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }
}

extension TimeRange {
  /// From one whole second to another.
  static func seconds(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: .seconds(start), end: .seconds(end))
  }
}

/// An edit on in-memory media, put together piece by piece.
struct TestEdit {
  let catalog = MediaCatalog()
  var registry = CompositorRegistry.builtIn
  var composition = Composition()
  var instructions: [Instruction] = []
  var frameDuration = MediaTime(value: 1, timescale: 30)
  var size = PixelSize(width: 64, height: 36)

  /// A track with clips one after another, each `(name, source, target)`.
  mutating func addTrack(_ clips: [(name: String?, source: TimeRange, target: TimeRange)]) throws -> TrackID {
    let track = composition.addTrack(.video)
    let segments = clips.map { clip in
      clip.name.map {
        CompositionTrackSegment(
          source: .custom(name: $0), timeMapping: TimeMapping(source: clip.source, target: clip.target))
      } ?? CompositionTrackSegment(empty: clip.target)
    }
    try composition.setSegments(segments, ofTrack: track)
    return track
  }

  var edit: Edit {
    var video = VideoComposition(instructions: instructions, frameDuration: frameDuration, renderSize: size)
    video.renderScale = 1
    return Edit(composition: composition, videoComposition: video)
  }

  func validated() throws -> ValidatedComposition {
    try CompositionValidator.validate(edit, catalog: catalog, registry: registry).get()
  }
}

extension Frame {
  /// The first luma sample, for 8-bit planar frames.
  var firstLuma: UInt8 { withRow(0, as: UInt8.self) { $0[0] } }

  /// A hash of all samples (FNV-1a, 64 bit), without padding.
  var sampleHash: UInt64 {
    withUnsafePlanes { planes in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for index in 0..<planes.count {
        let plane = planes[index]
        let bytes = format.rowBytes(plane: index, of: size)
        for y in 0..<plane.height {
          for x in 0..<bytes {
            hash = (hash ^ UInt64(plane.base.load(fromByteOffset: y * plane.stride + x, as: UInt8.self))) &* 0x100_0000_01b3
          }
        }
      }
      return hash
    }
  }
}
