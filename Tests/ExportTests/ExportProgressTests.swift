import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Synchronization
import Testing

/// A composition of a project's text.
func composition(_ text: String) throws -> ValidatedComposition {
  let catalog = MediaCatalog()
  let edit = try ProjectFile(text).edit(catalog: catalog)
  return try CompositionValidator.validate(edit, catalog: catalog).get()
}

/// A tone of 10 s that ffmpeg made, for all tests of this process.
private let tone: String = {
  do {
    let path = toneFolder?.file("tone.wav") ?? ""
    try runProgram("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:d=10", path])
    return path
  } catch {
    return "no ffmpeg: \(error)"
  }
}()
private let toneFolder = try? TemporaryFolder()

/// Bars and a tone for some seconds, at most 10 where there is a tone.
func bars(seconds: Int, size: String = "160x90", output: String = "", hasAudio: Bool = true) throws -> ValidatedComposition {
  let audio = hasAudio ? ", { clips: [{ asset: 't', duration: '\(seconds)s' }] }" : ""
  return try composition(
    """
    { version: 1, output: { size: "\(size)", frameRate: 25\(output) },
      assets: { a: { generate: "bars", size: "\(size)" }, t: "\(tone)" },
      tracks: [{ clips: [{ asset: "a", duration: "\(seconds)s" }] }\(audio)] }
    """)
}

/// Progress is of what is encoded, and how an export ends is known.
@Suite(.enabled(if: hasFFmpeg)) struct ExportProgressTests {
  /// All that an export reports.
  private func reports(
    _ composition: ValidatedComposition, to path: String, _ settings: ExportSettings = ExportSettings()
  ) async throws -> [ExportProgress] {
    let reports = Mutex<[ExportProgress]>([])
    _ = try await Exporter.export(composition, to: path, settings: settings) { progress in
      reports.withLock { $0.append(progress) }
    }
    return reports.withLock { $0 }
  }

  private func check(_ reports: [ExportProgress], count: Int, _ name: String) throws {
    let last = try #require(reports.last)
    #expect(last.phase == .completed && last.fraction == 1 && last.framesDone == count && last.frameCount == count, "\(name)")
    #expect(reports.count { $0.fraction == 1 } == 1 && reports.count { $0.phase == .completed } == 1, "\(name)")
    #expect(reports.count { $0.phase == .finishing } == 1 && reports[reports.count - 2].framesDone == count, "\(name)")
    #expect(reports.map(\.framesDone) == reports.map(\.framesDone).sorted(), "\(name)")
    #expect(reports.map(\.framesRendered) == reports.map(\.framesRendered).sorted(), "\(name)")
    #expect(reports.map(\.fraction) == reports.map(\.fraction).sorted(), "\(name)")
    #expect(reports.allSatisfy { $0.framesRendered >= $0.framesDone && $0.framesRendered <= count }, "\(name)")
    let order: [ExportProgress.Phase] = [.queued, .measuring, .encoding, .finishing, .completed]
    let phases = try reports.map { try #require(order.firstIndex(of: $0.phase)) }
    #expect(phases == phases.sorted(), "\(name)")
  }

  @Test(arguments: [
    ("x.mp4", VideoEncodingSettings.Codec.h264), ("x.mov", .proRes), ("x.mkv", .ffv1), ("x.mp4", .hevc), ("f%03d.png", .h264),
  ]) func progress_ofEveryOutput_endsWithTheLastEncodedFrame(_ name: String, _ codec: VideoEncodingSettings.Codec) async throws
  {
    let folder = try TemporaryFolder()
    let settings = ExportSettings(video: VideoEncodingSettings(codec: codec))
    let all = try await reports(bars(seconds: 3), to: folder.file(name), settings)
    try check(all, count: 75, "\(name) \(codec)")
    guard [.h264, .hevc].contains(codec), !name.hasSuffix("png") else { return }
    // The encoder looks ahead: when everything is rendered, much is still to be encoded, one report for each frame of it.
    let rendered = try #require(all.first { $0.framesRendered == 75 })
    #expect(rendered.framesDone < 60 && rendered.fraction < 0.8, "\(rendered)")
    let rest = all.filter { $0.framesRendered == 75 && $0.phase == .encoding }
    #expect(Set(rest.map(\.framesDone)).count > 15, "\(rest.map(\.framesDone))")
  }

  @Test(arguments: ["m4a", "wav", "flac", "mp3", "opus"]) func progress_ofAudio_endsWithTheLastSample(_ suffix: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let all = try await reports(bars(seconds: 3), to: folder.file("x.\(suffix)"))
    try check(all, count: 144_000, suffix)
    #expect(all.allSatisfy { $0.unit == .samples })
  }

  @Test func progress_withAMeasuringPass_isOneScale() async throws {
    let folder = try TemporaryFolder()
    let loud = try bars(seconds: 2, output: ", audio: { loudness: -20 }")
    let all = try await reports(loud, to: folder.file("x.mp4"))
    try check(all, count: 100, "loudness")
    #expect(all.contains { $0.phase == .measuring })
  }

  @Test func cancel_whileTheEncoderIsEmptied_endsTheExport() async throws {
    let folder = try TemporaryFolder()
    let task = Mutex<Task<Void, any Error>?>(nil)
    let composition = try bars(seconds: 2)
    let (started, go) = AsyncStream.makeStream(of: Void.self)
    let work = Task {
      for await _ in started { break }
      let settings = ExportSettings(video: VideoEncodingSettings(codec: .h264, speed: .slow))
      _ = try await Exporter.export(composition, to: folder.file("x.mp4"), settings: settings) { progress in
        if progress.framesRendered == 50 { task.withLock { $0?.cancel() } }
      }
    }
    task.withLock { $0 = work }
    go.yield()
    let error = await #expect(throws: CompositorError.self) { try await work.value }
    #expect(error?.code == .cancelled && error?.avFoundationCode == -11878)
    #expect(try folder.names.isEmpty)
  }

  @Test func session_thatCompletes_hasItsStatesInOrder() async throws {
    let folder = try TemporaryFolder()
    let session = ExportSession(try bars(seconds: 1), to: folder.file("x.mp4"))
    let states = session.states(updateInterval: .zero)
    #expect(session.outcome == nil)
    let result = try await session.export()
    var (names, fraction): ([String], Double) = ([], 0)
    for await state in states {
      switch state {
      case .pending: names.append("pending")
      case .exporting(let progress):
        #expect(progress.fraction >= fraction)
        fraction = progress.fraction
        if names.last != progress.phase.rawValue { names.append(progress.phase.rawValue) }
      case .ended(.completed(let end)):
        names.append("ended")
        #expect(end == result)
      case .ended(let outcome): Issue.record("\(outcome)")
      }
    }
    #expect(Array(names.suffix(4)) == ["encoding", "finishing", "completed", "ended"], "\(names)")
    guard case .completed? = session.outcome else {
      Issue.record("no outcome")
      return
    }
    // Asked later, there is the end alone.
    var late = 0
    for await state in session.states() {
      guard case .ended(.completed) = state else {
        Issue.record("\(state)")
        return
      }
      late += 1
    }
    #expect(late == 1)
    let again = await #expect(throws: CompositorError.self) { try await session.export() }
    #expect(again?.code == .invalidValue)
  }

  @Test func session_thatFailsOrIsCanceled_saysWhy() async throws {
    let folder = try TemporaryFolder()
    try Data("x".utf8).write(to: URL(filePath: folder.file("x.mp4")))
    let failing = ExportSession(try bars(seconds: 1), to: folder.file("x.mp4"))
    await #expect(throws: CompositorError.self) { try await failing.export() }
    guard case .failed(let error)? = failing.outcome else {
      Issue.record("\(String(describing: failing.outcome))")
      return
    }
    #expect(error.code == .outputExists)
    let canceled = ExportSession(try bars(seconds: 60, size: "640x360", hasAudio: false), to: folder.file("y.mp4"))
    canceled.cancel()
    await #expect(throws: CompositorError.self) { try await canceled.export() }
    guard case .canceled? = canceled.outcome else {
      Issue.record("\(String(describing: canceled.outcome))")
      return
    }
    var count = 0
    for await case .ended(.canceled) in canceled.states() { count += 1 }
    #expect(count == 1)
    #expect(try folder.names == ["x.mp4"])
  }
}
