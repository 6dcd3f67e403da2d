import CCompositorBaseline
package import CompositorAPI
import CompositorHost
import CompositorMedia
package import CompositorMediaIO

/// Full-frame material that allows no shortcuts: seeded noise over a gradient, different in every frame and source.
package enum NoiseFrames {
  /// Frames for every track, enough of each to overflow the caches.
  static func make(
    trackIDs: [TrackID], format: PixelFormat, size: PixelSize, attributes: FrameAttributes
  ) -> [TrackID: [Frame]] {
    let sources = trackIDs.map { WorkloadSource(name: "\($0)", size: size, format: format, attributes: attributes) }
    return Dictionary(uniqueKeysWithValues: zip(trackIDs, make(sources)))
  }

  /// Frames for every source, enough of each to overflow the caches; a single one for a still.
  ///
  /// - Parameter maximumCount: The number of frames that the work shows. More of each source would never be read.
  package static func make(
    _ sources: [WorkloadSource], minimumBytes: Int = 96 << 20, maximumCount: Int = 120
  ) -> [[Frame]] {
    let perFrame = max(1, sources.filter { !$0.isStill }.reduce(0) { $0 + $1.format.byteCount(of: $1.size) })
    let count = max(2, min(maximumCount, (minimumBytes + perFrame - 1) / perFrame))
    var state: UInt64 = 0x5eed
    return sources.map { source in (0..<(source.isStill ? 1 : count)).map { _ in make(source, &state) } }
  }

  private static func make(_ source: WorkloadSource, _ state: inout UInt64) -> Frame {
    let format = source.format
    var frame = MutableFrame(format: format, size: source.size, attributes: source.attributes)
    let scale = 1 << (format.bitDepth - 8)
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let samples = plane.width * format.samplesPerPosition(plane: index)
        let isChroma = !format.isRGB && (1...2).contains(index)
        for y in 0..<plane.height {
          let row = plane.base + y * plane.stride
          // A vertical ramp keeps the mean in the nominal range, half of which the noise covers.
          let base = source.isMild ? (isChroma ? 124 : 75 + 75 * y / max(1, plane.height)) : 48 + 64 * y / max(1, plane.height)
          let amplitude = source.isMild ? (isChroma ? 8 : 16) : 128
          if format.bytesPerSample == 1 {
            let row = row.assumingMemoryBound(to: UInt8.self)
            state = baseline_noise_u8(row, samples, UInt32(base), UInt32(amplitude), state)
          } else {
            let row = row.assumingMemoryBound(to: UInt16.self)
            state = baseline_noise_u16(
              row, samples, UInt32(base * scale), UInt32(amplitude * scale), UInt32(format.lowPadding), state)
          }
        }
      }
    }
    return frame.freeze()
  }
}

/// Noise as media: each reader repeats the same frames endlessly.
package final class NoiseMedia: MediaProvider {
  private let source: WorkloadSource
  private let frames: [Frame]
  private let frameDuration: MediaTime
  private let info: VideoTrackInfo

  package init(_ source: WorkloadSource, _ frames: [Frame], frameDuration: MediaTime, duration: MediaTime) {
    (self.source, self.frames, self.frameDuration) = (source, frames, frameDuration)
    var info = VideoTrackInfo(
      index: 0, codec: "memory", size: source.size, format: source.format, attributes: source.attributes,
      nominalFrameRate: frameDuration.frameRate,
      timeRange: TimeRange(start: .zero, duration: duration))
    info.isStill = source.isStill
    self.info = info
  }

  package func describe() throws(CompositorError) -> MediaInfo {
    MediaInfo(
      source: .custom(name: source.name), container: "memory", duration: info.timeRange.duration, videoTracks: [info])
  }

  package func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    Reader(info, frames, frameDuration)
  }

  private final class Reader: VideoReader {
    let info: VideoTrackInfo
    private let frames: [Frame]
    private let frameDuration: MediaTime

    init(_ info: VideoTrackInfo, _ frames: [Frame], _ frameDuration: MediaTime) {
      (self.info, self.frames, self.frameDuration) = (info, frames, frameDuration)
    }

    func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
      guard time >= .zero, let first = frames.first else { return nil }
      guard !info.isStill else {
        return DecodedVideoFrame(frame: first, presentationTime: .zero, duration: .positiveInfinity)
      }
      let timing = try FrameTiming(frameDuration: frameDuration)
      let index = timing.index(at: time) ?? 0
      return DecodedVideoFrame(
        frame: frames[index % frames.count], presentationTime: timing.time(ofFrame: index), duration: frameDuration)
    }
  }
}
