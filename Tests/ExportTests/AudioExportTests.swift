import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import CompositorValidation
import Foundation
import Synchronization
import Testing

@Suite struct AudioExportTests {
  /// Half a second of a tone beside half a second of pictures.
  private func movie(_ folder: TemporaryFolder) throws -> String {
    let path = folder.file("in.mov")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.52", "-f", "lavfi", "-i", "sine=440:r=48000:d=0.52",
        "-c:v", "ffv1", "-c:a", "pcm_s16le", "-ac", "2", path,
      ])
    return path
  }

  private func composition(_ path: String) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    let edit = try Edit(showing: .file(path: path), catalog: catalog)
    return try CompositionValidator.validate(edit, catalog: catalog).get()
  }

  private func samples(_ path: String) throws -> [Float] {
    let data = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c:a", "pcm_f32le", "-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test(arguments: ["wav", "flac", "m4a", "mp3", "opus", "ogg", "mka"])
  func export_toAudioFile_writesTheExactRangeWithoutPictures(_ suffix: String) async throws {
    let folder = try TemporaryFolder()
    let composition = try composition(try movie(folder))
    let path = folder.file("out.\(suffix)")
    let last = Mutex<ExportProgress?>(nil)
    // 12,345 samples, not an integer number of frames.
    let range = TimeRange(
      start: MediaTime(value: 1001, timescale: 48_000), duration: MediaTime(value: 12_345, timescale: 48_000))
    let settings = ExportSettings(timeRange: range, metadata: ["title": "Tone"])
    let result = try await Exporter.export(composition, to: path, settings: settings) { progress in
      last.withLock { $0 = progress }
    }
    #expect(result.frameCount == 0 && result.audioSampleCount == 12_345 && result.routes.isEmpty)
    #expect(result.duration == MediaTime(value: 12_345, timescale: 48_000))
    let progress = last.withLock { $0 }
    #expect(progress?.unit == .samples && progress?.framesDone == 12_345 && progress?.fraction == 1)
    let streams = String(
      decoding: try runProgram(
        "ffprobe", ["-v", "error", "-show_entries", "stream=codec_type:format_tags=title", "-of", "csv=p=0", path]),
      as: UTF8.self)
    #expect(streams.contains("audio") && !streams.contains("video"))
    guard !["m4a", "mka"].contains(suffix) else { return }
    let found = try samples(path)
    #expect(found.count == 12_345 * 2)
    guard ["wav", "flac"].contains(suffix) else { return }
    let given = try samples(folder.file("in.mov"))
    #expect((0..<12_345).allSatisfy { abs(found[$0 * 2] - given[($0 + 1001) * 2]) < 1e-6 })
  }

  @Test func export_movieWithoutPictures_hasAudioAlone() async throws {
    let folder = try TemporaryFolder()
    let composition = try composition(try movie(folder))
    var settings = ExportSettings(audio: AudioEncodingSettings(codec: .pcmInt16))
    settings.videoTrack = .never
    let result = try await Exporter.export(composition, to: folder.file("a.mkv"), settings: settings)
    #expect(result.frameCount == 0 && result.audioSampleCount == 24_960)
    #expect(try samples(folder.file("a.mkv")).count == 24_960 * 2)
  }

  @Test func export_nothingToHear_isRefused() async throws {
    let folder = try TemporaryFolder()
    let composition = try composition(try movie(folder))
    let cases: [(ExportSettings, CompositorError.Code)] = [
      (ExportSettings(audio: nil), .unsupportedOutput),
      (ExportSettings(timeRange: TimeRange(start: .seconds(9), duration: .seconds(1))), .invalidValue),
      (ExportSettings(audio: AudioEncodingSettings(codec: .aac)), .unsupportedOutput),
    ]
    for (settings, code) in cases {
      let error = await #expect(throws: CompositorError.self) {
        _ = try await Exporter.export(composition, to: folder.file("a.wav"), settings: settings)
      }
      #expect(error?.code == code)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["in.mov"])
  }
}
