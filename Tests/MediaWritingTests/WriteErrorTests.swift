import CompositorAPI
import Foundation
import CompositorTestMedia
import CompositorTestSupport
import CompositorMediaIO
import CompositorMediaWriting
import Testing

@Suite struct WriteErrorTests {
  private func description(
    _ container: MovieContainer = .mov, codec: VideoEncodingSettings.Codec = .h264, format: PixelFormat = .yuv420p,
    size: PixelSize = PixelSize(width: 64, height: 48), attributes: FrameAttributes = FrameAttributes(),
    quality: VideoEncodingSettings.Quality = .automatic, audio: AudioEncodingSettings? = nil
  ) -> MovieDescription {
    MovieDescription(
      container: container,
      video: VideoTrackDescription(
        size: size, format: format, attributes: attributes,
        timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)),
        encoding: VideoEncodingSettings(codec: codec, quality: quality, speed: .ultrafast)), audio: audio)
  }

  private func failure(_ body: () throws -> Void) throws -> CompositorError {
    do { try body() } catch let error as CompositorError { return error }
    throw CompositorError(.internalFault, "nothing was thrown")
  }

  @Test func validate_combinationsThatDoNotGo_nameWhatDoes() throws {
    let cases: [(MovieDescription, String)] = [
      (description(.mp4, codec: .proRes, format: .yuv422p10), "Use h264, hevc"),
      (description(.m4v, codec: .hevc), "Use h264"),
      (description(.mp4, audio: AudioEncodingSettings(codec: .pcmInt16)), "Use aac"),
      (description(size: PixelSize(width: 63, height: 47)), "64x48"),
      (description(format: .rgba), "yuv420p"),
      (description(codec: .ffv1, quality: .constant(3)), "Leave the quality out"),
      (description(quality: .constant(.nan)), "0 to 51"),
      (description(quality: .bitRate(-4)), "1000"),
      (description(size: PixelSize(width: 0, height: 10)), "16384"),
      (description(codec: .hevc, size: PixelSize(width: 2, height: 2)), "16x16"),
      (description(size: PixelSize(width: .max, height: .min)), "16384"),
      (description(attributes: FrameAttributes(pixelAspectRatio: Rational(.min, 0))), "ratio"),
      (description(.mov, codec: .ffv1, attributes: FrameAttributes(color: fullRange)), ".mkv"),
      (description(audio: AudioEncodingSettings(sampleRate: 0)), "8000"),
      (description(audio: AudioEncodingSettings(channelCount: 99)), "1 to 8"),
    ]
    for (description, recoverySuggestion) in cases {
      let error = try failure { try description.validate() }
      #expect(error.code == .unsupportedOutput)
      #expect(error.recoverySuggestion?.contains(recoverySuggestion) == true, "\(error)")
    }
  }

  private var fullRange: ColorTags { ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .full) }

  @Test(arguments: ["a/b.mp4", "x.MOV", "m.k.mkv", "c.m4v", "song.M4A", "song.mka"])
  func container_knownExtension_isRead(_ path: String) throws {
    #expect(try MovieContainer(path: path).rawValue == path.split(separator: ".").last?.lowercased())
  }

  @Test(arguments: ["movie", "a.mp4/b", "x.avi", "", ".", "/"])
  func container_unknownExtension_isRefused(_ path: String) throws {
    #expect(try failure { _ = try MovieContainer(path: path) }.code == .unsupportedOutput)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: [MovieContainer.mkv, .mov])
  func write_fullDisk_failsInsteadOfLosingData(_ container: MovieContainer) throws {
    // Few frames stay in buffers until the trailer; many fail on the way.
    for count in [2, 400] {
      let error = try failure {
        try writeMovie(description(container, audio: AudioEncodingSettings()), to: "/dev/full", frameCount: count)
      }
      #expect(error.code == .writeFailed)
      #expect(error.cause == "No space left on device")
      #expect(error.location.file == "/dev/full")
    }
  }

  @Test func write_missingFolder_saysSo() throws {
    let error = try failure { _ = try MovieWriter(description(), path: "/nonexistent/folder/a.mov") }
    #expect(error.code == .writeFailed && error.recoverySuggestion == "Create the folder first.")
  }

  @Test func write_refusedByTheEncoder_leavesNoFile() throws {
    let folder = try TemporaryFolder()
    // No level of HEVC has pictures this wide; only libx265 knows that.
    let wide = description(.mp4, codec: .hevc, size: PixelSize(width: 16_384, height: 16))
    try wide.validate()
    let error = try failure { _ = try MovieWriter(wide, path: folder.file("wide.mp4")) }
    #expect(error.code == .encodeFailed)
    #expect(try folder.names.isEmpty)
  }

  @Test func abandon_halfwayThrough_removesTheFile() throws {
    let folder = try TemporaryFolder()
    let writer = try MovieWriter(description(), path: folder.file("half.mov"))
    let size = PixelSize(width: 64, height: 48)
    try writer.append(patternFrame(.yuv420p, size, index: 0), at: .zero, duration: MediaTime(value: 1, timescale: 25))
    #expect(FileManager.default.fileExists(atPath: folder.file("half.mov")))
    writer.abandon()
    writer.abandon()
    #expect(!FileManager.default.fileExists(atPath: folder.file("half.mov")))
    #expect(try failure { _ = try writer.finish() }.code == .writeFailed)
  }

  @Test func append_badTimesOrFrames_areRefused() throws {
    let folder = try TemporaryFolder()
    let size = PixelSize(width: 64, height: 48)
    let (good, tick) = (patternFrame(.yuv420p, size, index: 0), MediaTime(value: 1, timescale: 25))
    let cases: [(Frame, MediaTime, MediaTime, CompositorError.Code)] = [
      (good, MediaTime(value: -1, timescale: 25), tick, .invalidValue),
      (good, .positiveInfinity, tick, .invalidValue),
      (good, .invalid, tick, .invalidValue),
      (good, .zero, .zero, .invalidValue),
      (good, MediaTime(value: 1, timescale: 24), tick, .invalidValue),
      (good, MediaTime(value: .max, timescale: 1), tick, .invalidValue),
      (patternFrame(.yuv444p, size, index: 0), .zero, tick, .invalidCompositorOutput),
      (patternFrame(.yuv420p, PixelSize(width: 62, height: 48), index: 0), .zero, tick, .invalidCompositorOutput),
    ]
    for (frame, time, duration, code) in cases {
      let writer = try MovieWriter(description(), path: folder.file("bad.mov"))
      #expect(try failure { try writer.append(frame, at: time, duration: duration) }.code == code)
      // A failure sticks: nothing half-written can be finished by mistake.
      #expect(try failure { _ = try writer.finish() }.code == code)
      writer.abandon()
    }
  }

  @Test func append_frames_areLetGoOfWhenTheWriterEnds() throws {
    let folder = try TemporaryFolder()
    let pool = FramePool(maximumOutstanding: 12)
    for codec in [VideoEncodingSettings.Codec.h264, .proRes, .ffv1] {
      let format: PixelFormat = codec == .proRes ? .yuv422p10 : .yuv420p
      var settings = description(codec: codec, format: format)
      settings.video?.encoding.threadCount = 2
      let writer = try MovieWriter(settings, path: folder.file("pool.mov"))
      for index in 0..<120 {
        let frame = try pool.makeFrame(format: format, size: PixelSize(width: 64, height: 48)).freeze()
        try writer.append(
          frame, at: MediaTime(value: Int64(index), timescale: 25), duration: MediaTime(value: 1, timescale: 25))
      }
      _ = try writer.finish()
    }
    #expect(pool.statistics.outstanding == 0)
    #expect(pool.statistics.allocations <= 12)
  }
}
