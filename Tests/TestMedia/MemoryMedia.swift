package import CompositorAPI
package import CompositorMedia
package import CompositorMediaIO
package import CompositorPlugins
package import CompositorValidation
import Synchronization

/// Video in memory, to be registered with a catalog: each frame is one code value, made from its number, and readers are
/// counted.
package final class MemoryMedia: MediaProvider {
  package let size: PixelSize
  package let format: PixelFormat
  package let frameDuration: MediaTime
  package let frameCount: Int
  /// Frames from this one on cannot be decoded.
  package let failsFrom: Int?
  /// Time that each frame takes to decode.
  package let decodingMicroseconds: UInt32
  package let attributes: FrameAttributes
  /// What each frame shows instead of its number.
  package let picture: Frame?
  private let counts = Mutex((opened: 0, closed: 0, peak: 0))

  package init(
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

  package var openedCount: Int { counts.withLock { $0.opened } }
  package var openNow: Int { counts.withLock { $0.opened - $0.closed } }
  package var peakOpen: Int { counts.withLock { $0.peak } }

  package var duration: MediaTime { frameDuration * frameCount }

  package var trackInfo: VideoTrackInfo {
    VideoTrackInfo(
      index: 0, codec: "memory", size: size, format: format, attributes: attributes,
      nominalFrameRate: Rational(Int(frameDuration.timescale), Int(frameDuration.value)),
      timeRange: TimeRange(start: .zero, duration: duration))
  }

  package func describe() throws(CompositorError) -> MediaInfo {
    MediaInfo(source: .custom(name: "memory"), container: "memory", duration: duration, videoTracks: [trackInfo])
  }

  package func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    counts.withLock { counts in
      counts.opened += 1
      counts.peak = max(counts.peak, counts.opened - counts.closed)
    }
    return Reader(self)
  }

  fileprivate func didClose() { counts.withLock { $0.closed += 1 } }

  /// The code value of a frame's luma.
  package static func luma(ofFrame index: Int) -> UInt8 { UInt8(16 + index % 220) }

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
  package static func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }
}

extension TimeRange {
  /// From one whole second to another.
  package static func seconds(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: .seconds(start), end: .seconds(end))
  }
}

/// An edit on in-memory media, put together piece by piece.
package struct TestEdit {
  package let catalog = MediaCatalog()
  package var registry = CompositorRegistry.builtIn
  package var composition = Composition()
  package var instructions: [Instruction] = []
  package var frameDuration = MediaTime(value: 1, timescale: 30)
  package var size = PixelSize(width: 64, height: 36)

  package init() {}

  /// A track with clips one after another, each `(name, source, target)`.
  package mutating func addTrack(_ clips: [(name: String?, source: TimeRange, target: TimeRange)]) throws -> TrackID {
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

  package var edit: Edit {
    var video = VideoComposition(instructions: instructions, frameDuration: frameDuration, renderSize: size)
    video.renderScale = 1
    return Edit(composition: composition, videoComposition: video)
  }

  package func validated() throws -> ValidatedComposition {
    try CompositionValidator.validate(edit, catalog: catalog, registry: registry).get()
  }
}

extension Frame {
  /// The first luma sample, for 8-bit planar frames.
  package var firstLuma: UInt8 { withRow(0, as: UInt8.self) { $0[0] } }

  /// A hash of all samples (FNV-1a, 64 bit), without padding.
  package var sampleHash: UInt64 {
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
