import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
import Foundation
import Synchronization
import Testing

/// Hostile and damaged files, settings of audio, and progress.
@Suite(.enabled(if: hasFFmpeg)) struct CopyingLimitsTests {
  private let folder: TemporaryFolder
  private let x264 = ["-c:v", "libx264", "-x264-params", "keyint=30:min-keyint=30:scenecut=0:bframes=2:threads=1"]

  init() throws { folder = try TemporaryFolder() }

  private func movie(_ name: String, _ options: [String] = [], count: Int = 100) throws -> String {
    let path = folder.file(name)
    try NumberedMovie.make(path, count: count, rate: "25", options: x264 + ["-c:a", "aac"] + options, audio: "0.3*sin(900*t)")
    return path
  }

  private func copy(
    _ path: String, _ frames: Range<Int> = 0..<60, to name: String, _ mode: PassthroughMode = .editList,
    audio: AudioEncodingSettings? = AudioEncodingSettings()
  ) async throws -> ExportResult {
    var settings = ExportSettings(audio: audio)
    settings.passthrough = mode
    return try await Exporter.export(
      try CopyingSupport.composition([(path, frames)], rate: Rational(25, 1)), to: folder.file(name), settings: settings)
  }

  @Test func smart_ofATrackWithoutRoomForSets_isRefusedAndCopiesAtKeyFrames() async throws {
    let plain = folder.file("plain.h264")
    try NumberedMovie.make(plain, count: 100, rate: "25", options: x264.map { $0.replacing("bframes=2", with: "bframes=0") })
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: plain)))
    let at = try #require(bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == [0, 0, 1, 0x68] })
    // Picture parameter sets that no picture refers to.
    let more = (0..<254).flatMap { [0, 0, 1, 0x68, 0, UInt8($0 >> 7) + 1, UInt8($0 & 127) << 1 | 1] as [UInt8] }
    bytes.insert(contentsOf: more, at: at)
    let full = folder.file("full.h264")
    try Data(bytes).write(to: URL(filePath: full))
    let path = folder.file("full.mp4")
    try runProgram("ffmpeg", ["-v", "fatal", "-nostdin", "-r", "25", "-i", full, "-c", "copy", path])
    await #expect {
      _ = try await copy(path, 33..<80, to: "cut.mp4", .smart)
    } throws: {
      ($0 as? CompositorError).map { $0.code == .unsupportedOutput && $0.message.contains("too many parameter sets") } == true
    }
    let result = try await copy(path, 30..<90, to: "keys.mp4", .smart)
    #expect(result.passthrough?.copiedFrameCount == 60)
    #expect(try !folder.names.contains { $0.hasPrefix("cut") || $0.hasPrefix(".") })
  }

  @Test func audio_withATimestampFarAway_doesNotCrash() async throws {
    let path = try movie("live.mkv", ["-live", "1", "-cluster_time_limit", "500", "-cluster_size_limit", "100000"])
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    // The time of the last group, which follows its size, in two bytes, and a checksum of six.
    let last = try #require(bytes.indices.dropLast(16).last { Array(bytes[$0..<$0 + 4]) == [0x1F, 0x43, 0xB6, 0x75] })
    try #require(bytes[last + 4] & 0xC0 == 0x40 && bytes[last + 12] == 0xE7)
    let length = Int(bytes[last + 13] & 0x7F)
    let size = (Int(bytes[last + 4] & 0x3F) << 8 | Int(bytes[last + 5])) + 8 - length
    bytes.replaceSubrange(last + 13..<last + 14 + length, with: [0x88, 0x3F] + [UInt8](repeating: 0xFF, count: 7))
    (bytes[last + 4], bytes[last + 5]) = (0x40 | UInt8(size >> 8), UInt8(size & 255))
    let damaged = folder.file("damaged.mkv")
    try Data(bytes).write(to: URL(filePath: damaged))
    let source: ValidatedComposition
    do { source = try CopyingSupport.composition([(damaged, 0..<60)], rate: Rational(25, 1)) } catch is CompositorError {
      return
    }
    for mode in [PassthroughMode.editList, .smart] {
      // Either an error or the frames: a file may be refused.
      do { _ = try await CopyingSupport.export(source, to: folder.file("\(mode).mp4"), mode) } catch is CompositorError {}
    }
    #expect(try !folder.names.contains { $0.hasPrefix(".") })
  }

  @Test func index_ofASparseFile_takesNoMoreThanItsPackets() async throws {
    let path = folder.file("sparse.mkv")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-vf", "setpts=N+gte(N\\,49)*50000",
        "-fps_mode", "passthrough", "-c:v", "libx264", "-bf", "0", path,
      ])
    let output = folder.file("sparse.mp4")
    _ = try await CopyingSupport.export(try MediaSourceEdit.composition(path), to: output, .editList)
    let size = try #require(try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int)
    let own = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(size < own + 48_000, "\(own) bytes became \(size)")
    #expect(try CopyingSupport.frames(output).hashes.count == 50)
  }

  @Test(arguments: [PassthroughMode.editList, .smart]) func audio_isCopiedUnlessSomethingElseIsChosen(
    _ mode: PassthroughMode
  ) async throws {
    let path = try movie("a.mp4")
    let cases: [(AudioEncodingSettings, String, PassthroughReport.Audio)] = [
      (AudioEncodingSettings(), "aac,48000,1", .copied), (AudioEncodingSettings(codec: .aac), "aac,48000,1", .copied),
      (AudioEncodingSettings(codec: .alac), "alac,48000,2", .encoded),
      (AudioEncodingSettings(bitRate: 64_000), "aac,48000,2", .encoded),
      (AudioEncodingSettings(sampleRate: 44_100), "aac,44100,2", .encoded),
      (AudioEncodingSettings(channelCount: 1), "aac,48000,1", .copied),
      (AudioEncodingSettings(channelCount: 6), "aac,48000,6", .encoded),
    ]
    for (index, (audio, wanted, report)) in cases.enumerated() {
      let result = try await copy(path, 30..<90, to: "\(index).mov", mode, audio: audio)
      #expect(result.passthrough?.audio == report, "\(audio)")
      let output = folder.file("\(index).mov")
      let found = try runTool(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=codec_name,sample_rate,channels", "-of",
          "csv=p=0", output,
        ])
      #expect(found.trimmingCharacters(in: .whitespacesAndNewlines) == wanted)
      #expect(try CopyingSupport.frames(output).hashes.count == 60)
    }
    await #expect(throws: CompositorError.self) {
      _ = try await copy(path, to: "no.mp4", mode, audio: AudioEncodingSettings(codec: .pcmFloat32))
    }
    #expect(try !folder.names.contains { $0.hasPrefix("no") || $0.hasPrefix(".") })
  }

  @Test func progress_risesFinishesAndCompletesOnce() async throws {
    let path = try movie("a.mp4")
    let seen = Mutex<[ExportProgress]>([])
    var settings = ExportSettings()
    settings.passthrough = .smart
    _ = try await Exporter.export(
      try CopyingSupport.composition([(path, 33..<90)], rate: Rational(25, 1)), to: folder.file("cut.mp4"), settings: settings
    ) { progress in seen.withLock { $0.append(progress) } }
    let all = seen.withLock { $0 }
    #expect(all.suffix(2).map(\.phase) == [.finishing, .completed])
    #expect(all.count { $0.phase == .completed } == 1 && all.last?.fraction == 1)
    for (before, after) in zip(all, all.dropFirst()) { #expect(before.fraction <= after.fraction) }
  }
}
