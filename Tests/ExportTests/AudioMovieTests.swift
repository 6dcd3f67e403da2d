import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorAudio
import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Exports with audio, read back by ffmpeg.
@Suite(.enabled(if: hasFFmpeg)) struct AudioMovieTests {
  /// A movie of 16×16 pixels at 29.97 frames a second with a click of one sample every 100 frames.
  private static func writeClicks(_ path: String, seconds: Int, rate: Int, audio: [String]) throws {
    // Every 100 · 1001/30000 s; ffmpeg takes longer to evaluate an expression for each of them.
    let samples = (0..<rate * seconds).map { Int16($0 * 30_000 % (rate * 100_100) < 30_000 ? 24_576 : 0) }
    let raw = path + ".pcm"
    try samples.withUnsafeBytes { Data($0) }.write(to: URL(filePath: raw))
    defer { try? FileManager.default.removeItem(atPath: raw) }
    _ = try runProgram(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "color=gray:s=16x16:r=30000/1001:d=\(seconds)"]
        + ["-f", "s16le", "-ar", "\(rate)", "-ac", "1", "-i", raw] + ["-c:v", "ffv1", "-pix_fmt", "yuv420p"] + audio + [path])
  }

  private static func export(
    _ input: String, to output: String, rate: Int, _ change: (inout Edit) -> Void = { _ in }
  ) async throws -> ExportResult {
    let catalog = MediaCatalog()
    var edit = try Edit(showing: .file(path: input), catalog: catalog)
    change(&edit)
    let validated = try CompositionValidator.validate(edit, catalog: catalog, registry: .builtIn).get()
    let settings = ExportSettings(
      video: VideoEncodingSettings(codec: .ffv1),
      audio: AudioEncodingSettings(codec: .pcmInt16, sampleRate: rate, channelCount: 1))
    return try await Exporter.export(validated, to: output, settings: settings)
  }

  private static func samples(_ path: String) throws -> [Float] {
    let data = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// Ten minutes: each click at its frame, within one sample, and as long as the video.
  @Test(
    arguments: [("mov", 48_000, 48_000), ("mkv", 44_100, 48_000)]
      + (TableSelection.isWhole ? [("mkv", 44_100, 44_100), ("mov", 48_000, 44_100)] : []))
  func export_ofTenMinutes_keepsAudioWithinOneSample(_ container: String, _ inputRate: Int, _ rate: Int) async throws {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.file("in.\(container)"), folder.file("out.\(container)"))
    let codec = container == "mkv" ? ["-c:a", "flac"] : ["-c:a", "pcm_s16le"]
    try Self.writeClicks(input, seconds: 600, rate: inputRate, audio: codec)
    let result = try await Self.export(input, to: output, rate: rate)
    let found = try Self.samples(output)
    let length = result.duration.seconds * Double(rate)
    #expect(abs(Double(found.count) - length) <= 1)
    // A resampled click is the greatest of its neighbors.
    let peaks = found.indices.filter { index in
      found[index] > 0.3 && (index == 0 || found[index - 1] <= found[index])
        && (index + 1 == found.count || found[index + 1] < found[index])
    }
    let expected = (0..<peaks.count).map { Double($0) * 100 * 1001 / 30_000 * Double(rate) }
    #expect(peaks.count >= 179)
    let worst = zip(peaks, expected).map { abs(Double($0) - $1) }.max() ?? .infinity
    #expect(worst <= 1.0 + Double(rate) / Double(inputRate), "\(worst) samples")
  }

  @Test func exports_tenInARow_keepTheLength() async throws {
    let folder = try TemporaryFolder()
    var input = folder.file("0.mov")
    try Self.writeClicks(input, seconds: 7, rate: 44_100, audio: ["-c:a", "pcm_s16le"])
    var counts: [Int] = []
    for turn in 1...10 {
      let output = folder.file("\(turn).mov")
      let result = try await Self.export(input, to: output, rate: turn % 2 == 0 ? 44_100 : 48_000)
      counts.append(result.frameCount)
      let count = Double(try Self.samples(output).count)
      #expect(abs(count - result.duration.seconds * (turn % 2 == 0 ? 44_100 : 48_000)) <= 1)
      input = output
    }
    #expect(Set(counts).count == 1, "\(counts)")
  }

  @Test func export_toALoudness_reachesIt_andSaysSo() async throws {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.file("in.mov"), folder.file("out.mov"))
    let noise = "anoisesrc=d=10:c=pink:seed=1:a=0.2:r=48000,volume='0.3+0.7*sin(t)^2':eval=frame"
    _ = try runProgram(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "color=gray:s=16x16:r=25:d=10", "-f", "lavfi", "-i", noise]
        + ["-c:v", "ffv1", "-pix_fmt", "yuv420p", "-c:a", "pcm_f32le", input])
    let result = try await Self.export(input, to: output, rate: 48_000) {
      $0.audioMix.loudness = LoudnessTarget(integrated: -14)
    }
    let report = try runTool(
      "ffmpeg",
      [
        "-v", "error", "-i", output, "-af", "ebur128=peak=true:metadata=1,ametadata=print:key=lavfi.r128.I:file=-", "-f",
        "null", "-",
      ])
    let last = try #require(report.split(separator: "\n").last?.split(separator: "=").last.flatMap { Double($0) })
    #expect(abs(last + 14) < 0.5, "\(last) LUFS")
    let loudness = try #require(result.loudness)
    #expect(abs(try #require(loudness.integrated) - last) < 0.1)
    #expect(try #require(loudness.truePeak) <= -0.1)
  }
}

/// What the validator finds in an audio mix.
@Suite struct AudioChecksTests {
  @Test func mistakesOfAnAudioMix_areFoundAtTheirPlaces() throws {
    let catalog = MediaCatalog()
    catalog.provide(MemorySound { _, _ in 0 }, as: "s")
    var composition = Composition()
    let (a, b) = (composition.addTrack(.audio), composition.addTrack(.audio))
    let mistakes: [(String, (inout AudioMix) -> Void)] = [
      ("audioMix.inputParameters[0].volume", { $0.inputParameters[0].volume = PropertyTimeline(default: .nan) }),
      ("audioMix.inputParameters[0].volume", { $0.inputParameters[0].volume = PropertyTimeline(default: -1) }),
      ("audioMix.inputParameters[0].volume", { $0.inputParameters[0].volume = PropertyTimeline(default: .infinity) }),
      ("audioMix.inputParameters[0].pan", { $0.inputParameters[0].pan = PropertyTimeline(default: 1.5) }),
      ("audioMix.inputParameters[0].pan", { $0.inputParameters[0].pan = PropertyTimeline(default: .nan) }),
      ("audioMix.volume", { $0.volume = PropertyTimeline(default: -.infinity) }),
      ("audioMix.ducking[0].triggerTracks", { $0.ducking[0].triggerTracks = [99] }),
      ("audioMix.ducking[0].loweredTracks", { $0.ducking[0].loweredTracks = [] }),
      ("audioMix.ducking[0].loweredTracks", { $0.ducking[0].loweredTracks = $0.ducking[0].triggerTracks }),
      ("audioMix.ducking[0].reduction", { $0.ducking[0].reduction = 0 }),
      ("audioMix.ducking[0].reduction", { $0.ducking[0].reduction = .nan }),
      ("audioMix.ducking[0].trigger", { $0.ducking[0].trigger = .level(.nan) }),
      ("audioMix.ducking[0].attack", { $0.ducking[0].attack = .seconds(-1) }),
      ("audioMix.ducking[0].hold", { $0.ducking[0].hold = .positiveInfinity }),
      ("audioMix.ducking[0].release", { $0.ducking[0].release = .invalid }),
      ("audioMix.loudness.integrated", { $0.loudness = LoudnessTarget(integrated: 0) }),
      ("audioMix.loudness.integrated", { $0.loudness = LoudnessTarget(integrated: .nan) }),
      ("audioMix.limiting", { $0.limiting = .on(ceiling: 3) }),
    ]
    var mix = AudioMix(inputParameters: [AudioMixInputParameters(trackID: a)])
    mix.ducking = [AudioDucking(triggerTracks: [a], loweredTracks: [b])]
    for (path, change) in mistakes {
      var wrong = mix
      change(&wrong)
      let video = VideoComposition(
        instructions: [], frameDuration: MediaTime(value: 1, timescale: 25), renderSize: PixelSize(width: 16, height: 16))
      let report = CompositionValidator.validate(
        Edit(composition: composition, videoComposition: video, audioMix: wrong), catalog: catalog)
      let found = report.diagnostics.filter { $0.code == .invalidVolume }
      #expect(found.map(\.path) == [path], "\(path): \(found)")
    }
  }
}
