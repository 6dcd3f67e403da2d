package import CompositorAPI
import CompositorTestSupport
import CompositorMediaIO
package import CompositorMediaWriting
import Foundation

/// What ffprobe says about a file's streams.
package struct WriteProbe: Decodable {
  package struct Stream: Decodable {
    package let codec_type: String
    package let codec_name: String
    package let codec_tag_string: String?
    package let width: Int?
    package let height: Int?
    package let pix_fmt: String?
    package let sample_aspect_ratio: String?
    package let color_range: String?
    /// The encoder's delay that the container declares, in samples.
    package let initial_padding: Int?
    package let color_space: String?
    package let color_transfer: String?
    package let color_primaries: String?
    package let chroma_location: String?
    package let r_frame_rate: String?
    package let avg_frame_rate: String?
    package let time_base: String?
    package let start_pts: Int?
    package let duration_ts: Int?
    package let nb_read_frames: String?
    package let sample_rate: String?
    package let channels: Int?
    package let profile: String?
  }
  package struct Format: Decodable {
    package let duration: String?
    package let tags: [String: String]?
  }
  package let streams: [Stream]
  package let format: Format

  package init(_ path: String) throws {
    let data = try runProgram(
      "ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path])
    self = try JSONDecoder().decode(WriteProbe.self, from: data)
  }

  package func stream(_ type: String) throws -> Stream {
    guard let stream = streams.first(where: { $0.codec_type == type }) else { throw MissingStream(type: type) }
    return stream
  }
}

/// A file or a description without a stream that a test needs.
package struct MissingStream: Error { package var type: String }

/// A frame with every sample from a smooth moving pattern plus noise, all codes of the depth in use.
package func patternFrame(
  _ format: PixelFormat, _ size: PixelSize, index: Int, attributes: FrameAttributes = FrameAttributes(), noise: Int = 16
) -> Frame {
  var frame = MutableFrame(format: format, size: size, attributes: attributes)
  var state = UInt32(truncatingIfNeeded: index &* 7919 &+ 12345)
  let (maximum, shift) = ((1 << format.bitDepth) - 1, format.lowPadding)
  frame.withUnsafeMutablePlanes { planes in
    for plane in 0..<planes.count {
      let target = planes[plane]
      let samples = target.width * format.samplesPerPosition(plane: plane)
      for y in 0..<target.height {
        let row = target.base + y * target.stride
        for x in 0..<samples {
          state = state &* 1_664_525 &+ 1_013_904_223
          let wave = (x * 3 + y * 2 + index * 5 + plane * 40) * maximum / 512
          let value = (wave + Int(state >> 16) % max(1, noise * maximum / 255)) % (maximum + 1)
          if format.bytesPerSample == 1 {
            row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
          } else {
            row.storeBytes(of: UInt16(value << shift), toByteOffset: x * 2, as: UInt16.self)
          }
        }
      }
    }
  }
  return frame.freeze()
}

/// The frame's samples without padding, plane after plane.
package func packedBytes(_ frame: Frame) -> [UInt8] {
  var bytes: [UInt8] = []
  frame.withUnsafePlanes { planes in
    for plane in 0..<planes.count {
      let count = frame.format.rowBytes(plane: plane, of: frame.size)
      for y in 0..<planes[plane].height {
        bytes += UnsafeRawBufferPointer(start: planes[plane].base + y * planes[plane].stride, count: count)
      }
    }
  }
  return bytes
}

/// Writes `count` frames, and audio of the same length from `sound(sample, channel)`.
@discardableResult
package func writeMovie(
  _ description: MovieDescription, to path: String, frameCount: Int,
  frameDuration: MediaTime = MediaTime(value: 1, timescale: 25),
  sound: (Int64, Int) -> Float = { _, _ in 0 }
) throws -> MovieSummary {
  let writer = try MovieWriter(description, path: path)
  let block = AudioBlock(channelCount: description.audio?.channelCount ?? 1, capacity: 1500)
  var position: Int64 = 0
  guard let video = description.video else { throw MissingStream(type: "video") }
  for index in 0..<frameCount {
    let frame = patternFrame(video.format, video.size, index: index, attributes: video.attributes)
    let time = MediaTime(value: Int64(index) * frameDuration.value, timescale: frameDuration.timescale)
    try writer.append(frame, at: time, duration: frameDuration)
    while writer.missingAudioSampleCount > 0 {
      let count = Int(min(Int64(block.capacity), writer.missingAudioSampleCount))
      for channel in 0..<block.channelCount {
        for sample in 0..<count { block[channel, sample] = sound(position + Int64(sample), channel) }
      }
      try writer.append(block, count: count)
      position += Int64(count)
    }
  }
  return try writer.finish()
}

/// The samples ffmpeg decodes from a file's first audio track, interleaved.
package func decodedSamples(_ path: String) throws -> [Float] {
  let data = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-c:a", "pcm_f32le", "-"])
  return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}

extension HDRMetadata {
  /// A mastering display with the primaries of BT.2020, and light levels.
  package static let ofTests = HDRMetadata(
    masteringDisplay: MasteringDisplay(
      red: Chromaticity(x: 0.708, y: 0.292), green: Chromaticity(x: 0.17, y: 0.797), blue: Chromaticity(x: 0.131, y: 0.046),
      white: Chromaticity(x: 0.3127, y: 0.329), maximumLuminance: 1000, minimumLuminance: 0.005),
    contentLightLevel: ContentLightLevel(maximumContentLightLevel: 1000, maximumFrameAverageLightLevel: 400))
}
