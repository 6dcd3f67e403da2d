import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// Profiles, levels, B-frames and rate limits of encoders, checked by ffprobe.
@Suite(.enabled(if: hasFFmpeg)) struct EncoderLimitTests {
  typealias Settings = VideoEncodingSettings

  private static let size = PixelSize(width: 160, height: 90)

  private func write(
    _ encoding: Settings, _ name: String = "a.mp4", in folder: borrowing TemporaryFolder, frameCount: Int = 30,
    size: PixelSize = size
  ) throws -> String {
    let path = folder.file(name)
    let video = VideoTrackDescription(
      size: size, format: .yuv420p, timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)), encoding: encoding)
    try writeMovie(MovieDescription(container: .mp4, video: video), to: path, frameCount: frameCount)
    return path
  }

  private struct Probed: Decodable {
    struct Stream: Decodable {
      let profile: String
      let level, has_b_frames: Int
    }
    struct Packet: Decodable {
      let dts_time, size: String
    }
    let streams: [Stream]
    let packets: [Packet]

    init(_ path: String) throws {
      let data = try runProgram("ffprobe", ["-v", "error", "-show_streams", "-show_packets", "-of", "json", path])
      self = try JSONDecoder().decode(Probed.self, from: data)
    }

    /// The fullest that a buffer becomes which a rate empties, in bits.
    func fullest(at rate: Double) throws -> Double {
      var (fullest, level, last) = (0.0, 0.0, Double?.none)
      for packet in packets {
        let (time, size) = (try #require(Double(packet.dts_time)), try #require(Double(packet.size)))
        level = max(0, level - rate * (time - (last ?? time))) + 8 * size
        (fullest, last) = (max(fullest, level), time)
      }
      return fullest
    }
  }

  @Test(
    arguments: [
      (.baseline, "Constrained Baseline", 0), (.main, "Main", 2), (.high, "High", 2),
    ] as [(Settings.H264Profile, String, Int)])
  func h264Profile_isThatOfTheStream(_ profile: Settings.H264Profile, name: String, reordering: Int) throws {
    let folder = try TemporaryFolder()
    var encoding = Settings(codec: .h264)
    encoding.h264Profile = profile
    let stream = try #require(try Probed(write(encoding, in: folder)).streams.first)
    #expect(stream.profile == name && stream.has_b_frames == reordering)
    #expect(encoding.acceptedFormats.allSatisfy { $0.bitDepth == 8 && $0.subsampling == .s420 })
    #expect(encoding.acceptedFormat(nearest: .yuv420p10) == .yuv420p)
  }

  /// Speeds, whose numbers of reference frames differ, × levels.
  @Test(
    arguments: [Settings.Speed.ultrafast, .medium, .veryslow],
    [CodecLevel(1, 1), CodecLevel(3), CodecLevel(4, 1), CodecLevel(5, 2)])
  func h264Level_isThatOfTheStream(_ speed: Settings.Speed, _ level: CodecLevel) throws {
    let folder = try TemporaryFolder()
    var encoding = Settings(codec: .h264, speed: speed)
    encoding.level = level
    let stream = try #require(try Probed(write(encoding, in: folder)).streams.first)
    #expect("\(level)" == (stream.level % 10 == 0 ? "\(stream.level / 10)" : "\(stream.level / 10).\(stream.level % 10)"))
  }

  @Test func hevcLevel_isThatOfTheStream() throws {
    let folder = try TemporaryFolder()
    var encoding = Settings(codec: .hevc, speed: .ultrafast)
    encoding.level = CodecLevel(4, 1)
    let stream = try #require(try Probed(write(encoding, in: folder)).streams.first)
    // In thirtieths.
    #expect(stream.level == 123)
  }

  @Test(arguments: [Settings.Codec.h264, .hevc]) func bFrames_areAtMostAsManyAsSaid(_ codec: Settings.Codec) throws {
    let folder = try TemporaryFolder()
    for (count, isReordered) in [(0, false), (2, true)] {
      var encoding = Settings(codec: codec)
      encoding.maximumBFrameCount = count
      let path = try write(encoding, "\(count).mp4", in: folder)
      #expect((try #require(try Probed(path).streams.first).has_b_frames > 0) == isReordered, "\(codec), \(count)")
      var types: [String] = []
      let data = try runProgram(
        "ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pict_type", "-of", "csv=p=0", path])
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n") { types.append(String(line.prefix(1))) }
      #expect(types.count == 30)
      let runs = types.split { $0 != "B" }.map(\.count)
      #expect((runs.max() ?? 0) <= count, "\(codec): \(types)")
    }
  }

  @Test(arguments: [Settings.Codec.h264, .hevc]) func maximumBitRate_neverOverfillsTheBuffer(_ codec: Settings.Codec) throws {
    let folder = try TemporaryFolder()
    let (rate, buffer, size) = (400_000, 200_000, PixelSize(width: 320, height: 180))
    var encoding = Settings(codec: codec, quality: .constant(12), speed: .veryfast)
    let free = try Probed(write(encoding, "free.mp4", in: folder, frameCount: 75, size: size))
    #expect(try free.fullest(at: Double(rate)) > 2 * Double(buffer))
    encoding.maximumBitRate = rate
    encoding.bufferSize = buffer
    let limited = try Probed(write(encoding, "limited.mp4", in: folder, frameCount: 75, size: size))
    // The first frames also carry the encoder's settings, which its model doesn't count.
    #expect(try limited.fullest(at: Double(rate)) <= Double(buffer) + 16_384, "\(codec)")
  }

  @Test func settingsThatCannotBeKept_areRefused() throws {
    func refusal(
      _ codec: Settings.Codec = .h264, _ size: PixelSize = EncoderLimitTests.size, _ change: (inout Settings) -> Void
    ) -> String? {
      var encoding = Settings(codec: codec)
      change(&encoding)
      let video = VideoTrackDescription(
        size: size, format: .yuv420p, timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)),
        encoding: encoding)
      let error = #expect(throws: CompositorError.self) {
        try MovieDescription(container: .mkv, video: video).validate()
      }
      #expect(error?.code == .unsupportedOutput)
      return error?.location.path
    }
    #expect(refusal(.vp9) { $0.level = CodecLevel(4) } == "video.level")
    #expect(refusal(.vp9) { $0.maximumBFrameCount = 0 } == "video.maximumBFrameCount")
    #expect(refusal(.av1) { $0.maximumBitRate = 1_000_000 } == "video.maximumBitRate")
    #expect(refusal(.hevc) { $0.h264Profile = .main } == "video.h264Profile")
    #expect(refusal { $0.level = CodecLevel(7) } == "video.level")
    #expect(refusal(.hevc) { $0.level = CodecLevel(2, 2) } == "video.level")
    #expect(refusal(.h264, PixelSize(width: 1920, height: 1080)) { $0.level = CodecLevel(3, 1) } == "video.level")
    #expect(refusal(.hevc, PixelSize(width: 3840, height: 2160)) { $0.level = CodecLevel(4, 1) } == "video.level")
    #expect(refusal { $0.maximumBFrameCount = 17 } == "video.maximumBFrameCount")
    #expect(refusal { $0.maximumBitRate = 10 } == "video.maximumBitRate")
    #expect(refusal { $0.bufferSize = 1_000_000 } == "video.bufferSize")
    #expect(
      refusal {
        $0.quality = .bitRate(2_000_000)
        $0.maximumBitRate = 1_000_000
      } == "video.maximumBitRate")
    #expect(
      refusal {
        $0.level = CodecLevel(3)
        $0.maximumBitRate = 20_000_000
      } == "video.maximumBitRate")
    #expect(
      refusal {
        $0.h264Profile = .baseline
        $0.maximumBFrameCount = 2
      } == "video.h264Profile")
    #expect(
      refusal {
        $0.h264Profile = .high
        $0.quality = .constant(0)
      } == "video.h264Profile")
  }

  @Test func levels_areNumbers() throws {
    #expect(CodecLevel(rawValue: "4.1") == CodecLevel(4, 1) && CodecLevel(rawValue: "5") == CodecLevel(5))
    #expect(CodecLevel(rawValue: "4.0") == CodecLevel(4) && CodecLevel(4).description == "4")
    for text in ["", "4.", ".1", "41", "4.10", "4,1", "-4", "0.1", "x"] {
      #expect(CodecLevel(rawValue: text) == nil, "\(text)")
    }
    #expect(CodecLevel(3, 2) < CodecLevel(4))
    var encoding = Settings(codec: .h264)
    encoding.level = CodecLevel(4, 1)
    encoding.h264Profile = .main
    encoding.maximumBFrameCount = 0
    encoding.maximumBitRate = 5_000_000
    encoding.bufferSize = 10_000_000
    #expect(try JSONDecoder().decode(Settings.self, from: JSONEncoder().encode(encoding)) == encoding)
    // Settings without them are written as before.
    let plain = String(decoding: try JSONEncoder().encode(Settings(codec: .h264)), as: UTF8.self)
    #expect(!plain.contains("level") && !plain.contains("maximumBitRate"))
  }
}
