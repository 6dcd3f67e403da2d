import CompositorPreview
import CompositorTestSupport
import Foundation
import Testing

/// Whether a Chromium is installed, and Python to drive it.
private let hasBrowser: Bool = {
  let names = ["chromium", "chromium-browser", "google-chrome"]
  let chromium = names.contains { (try? runProgram($0, ["--version"])) != nil }
  return chromium && (try? runProgram("python3", ["--version"])) != nil
}()

/// The page in a real browser. The expectations are about what is in the pixels, on the audio clock and under the playhead.
@Suite(.enabled(if: hasBrowser && hasFFmpeg, "needs chromium, python3 and ffmpeg"), .serialized, .timeLimit(.minutes(4)))
struct BrowserTests {
  struct Sample: Decodable {
    var number: Int
    var frame: Int
    var time: Double
    var isHeard: Bool
    var heard: Double?
    var playhead: Double
    var scrubber: Int
    var dropped: Int
  }

  /// Runs a scenario of `browser.py` and decodes what it saw.
  private func see<Answer: Decodable>(
    _ scenario: String, _ served: ServedProject, _ arguments: [String] = [], as type: Answer.Type
  ) throws -> Answer {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/browser.py").path
    let data = try runProgram("python3", [script, scenario, served.server.url] + arguments)
    return try JSONDecoder().decode(type, from: data)
  }

  private static let rate = 25
  /// 20 s whose frames carry their number, with audio.
  private static let project = """
    {
      version: 2,
      assets: { numbered: "numbered.mp4" },
      tracks: [{ clips: [{ asset: "numbered" }] }],
    }
    """

  private static func makeMovie(in folder: TemporaryFolder) throws {
    try NumberedMovie.make(
      folder.file("numbered.mp4"), count: 500, rate: "25",
      options: [
        "-vf", "scale=640:360:flags=neighbor", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-c:a", "aac",
      ],
      audio: "0.5*sin(2*PI*440*t)")
  }

  private func served(_ work: (ServedProject) async throws -> Void) async throws {
    try await ServedProject.run(Self.project, prepare: Self.makeMovie, work)
  }

  @Test func playing_tenSeconds_keepsPictureAudioAndPlayheadTogether() async throws {
    struct Answer: Decodable {
      var samples: [Sample]
      var label: String
      var paused: Sample
      var rest: Sample
      var complaints: [String]
    }
    try await served { served in
      let answer = try see("playback", served, ["10"], as: Answer.self)
      #expect(answer.complaints.isEmpty)
      #expect(answer.label == "Pause")
      let samples = answer.samples
      #expect(samples.count > 100)
      let (first, last) = (try #require(samples.first), try #require(samples.last))
      #expect(last.time - first.time > 8)
      #expect(samples.filter { !$0.isHeard }.isEmpty, "the clock of the loudspeakers counts")
      // The first half second is getting going.
      let settled = samples.filter { $0.time > first.time + 0.5 }
      let apart = settled.filter { abs($0.number - Int($0.time * Double(Self.rate))) > 1 }
      #expect(apart.isEmpty, "\(apart.count) of \(settled.count), such as \(apart.prefix(3))")
      // What was heard since the beginning is what the movie's clock says.
      for sample in settled {
        let heard = (sample.heard ?? 0) - (first.heard ?? 0)
        #expect(abs(heard - (sample.time - first.time)) < 1.0 / Double(Self.rate))
        #expect(abs(sample.playhead - sample.time) < 1.0 / Double(Self.rate))
        #expect(abs(sample.scrubber - Int(sample.time * Double(Self.rate))) <= 1)
      }
      #expect(answer.paused.number == answer.paused.frame)
      #expect(answer.rest.number == answer.paused.number && answer.rest.frame == answer.paused.frame, "paused is paused")
    }
  }

  @Test func scrubbing_bothWays_showsEveryFrameThatWasAskedFor() async throws {
    struct Answer: Decodable {
      var seen: [Sample]
      var last: Sample
      var keys: [String: Sample]
      var valuetext: String
      var complaints: [String]
    }
    try await served { served in
      let wanted = [0, 100, 99, 98, 350, 349, 20, 499, 250, 251, 1]
      let answer = try see("scrubbing", served, wanted.map(String.init), as: Answer.self)
      #expect(answer.complaints.isEmpty)
      #expect(answer.seen.map(\.number) == wanted)
      for sample in answer.seen { #expect(abs(sample.playhead - Double(sample.number) / Double(Self.rate)) < 0.02) }
      #expect(answer.last.number == 177, "the newest of sixty")
      let keys = answer.keys.mapValues(\.number)
      #expect(keys == ["right": 178, "left": 177, "second": 202, "end": 499, "home": 0])
      #expect(answer.valuetext == "0 seconds, frame 0")
    }
  }

  @Test func editing_theProjectWhileItIsShown_reloadsAndRecovers() async throws {
    struct State: Decodable {
      var generation: Int
      var isValid: Bool
      var frameCount: Int
      var verdict: String
      var frame: Int
      var shown: Int?
      var isDimmed: Bool
      var diagnostics: [String]
      var hasDiagram: Bool
      var focus: String
    }
    struct Answer: Decodable {
      var before: State
      var changed: State
      var broken: State
      var mended: State
      var changedAfter: Double
      var brokenAfter: Double
      var complaints: [String]
    }
    try await served { served in
      let folder = served.folder
      let shorter = Self.project.replacing("asset: \"numbered\"", with: "asset: \"numbered\", duration: \"8s\"")
      let broken = Self.project.replacing("asset: \"numbered\"", with: "asset: \"numbered\", in: \"19s\", duration: \"8s\"")
      try shorter.write(toFile: folder.file("shorter"), atomically: true, encoding: .utf8)
      try broken.write(toFile: folder.file("broken"), atomically: true, encoding: .utf8)
      let answer = try see(
        "reloading", served, [folder.file("project.json5"), folder.file("broken"), folder.file("shorter")], as: Answer.self)
      #expect(answer.complaints.isEmpty)
      #expect(answer.before.isValid && answer.before.frameCount == 500 && answer.before.shown == 30)
      #expect(answer.changed.isValid && answer.changed.frameCount == 200 && answer.changed.shown == 30)
      #expect(!answer.broken.isValid && answer.broken.isDimmed && answer.broken.verdict == "1 error")
      #expect(answer.broken.diagnostics.first?.contains("project.json5:4:") == true, "\(answer.broken.diagnostics)")
      #expect(answer.broken.diagnostics.first?.contains("^") == true)
      #expect(answer.broken.hasDiagram)
      #expect(answer.mended.isValid && !answer.mended.isDimmed && answer.mended.shown == 30 && answer.mended.frameCount == 500)
      #expect(answer.mended.diagnostics.isEmpty)
      // The keyboard stays where it was, as far as the control can be used.
      #expect(answer.changed.focus == "forward")
      #expect(answer.changedAfter < 3 && answer.brokenAfter < 3)
    }
  }

  @Test func twoPages_atOnce_areIndependent() async throws {
    struct Answer: Decodable {
      var played: Sample
      var stayed: Sample
      var complaints: [String]
    }
    try await served { served in
      let answer = try see("twoPages", served, as: Answer.self)
      #expect(answer.complaints.isEmpty)
      #expect(answer.played.frame > 20)
      #expect(answer.stayed.number == 70 && answer.stayed.frame == 70)
    }
  }

  @Test func theBrowser_byAForeignNameOrWithoutToken_isRefused() async throws {
    struct Answer: Decodable {
      var withoutToken: Int
      var foreignName: Int
      var localhost: Int
      var address: String
      var cookie: String
      var otherSite: String
    }
    try await served { served in
      let answer = try see("refusals", served, as: Answer.self)
      #expect(answer.withoutToken == 401 && answer.foreignName == 403 && answer.localhost == 200)
      #expect(answer.address == "http://127.0.0.1:\(served.port)/", "the token is not left in the address")
      #expect(answer.cookie.isEmpty, "scripts cannot read it")
      #expect(answer.otherSite == "refused")
    }
  }

  @Test func scopesCostsAndLevels_onRequest_areShown() async throws {
    struct Answer: Decodable {
      var histogram: [Int]
      var waveform: [Int]
      var vectorscope: [Int]
      var loudest: Int
      var cost: String
      var complaints: [String]
    }
    try await served { served in
      let answer = try see("scope", served, as: Answer.self)
      #expect(answer.complaints.isEmpty)
      for size in [answer.histogram, answer.waveform, answer.vectorscope] { #expect(size.allSatisfy { $0 >= 100 }) }
      // A sine of half the full scale, through AAC.
      #expect((58...70).contains(answer.loudest))
      for stage in ["Decode", "Compose", "Deliver", "Encode", "Total"] { #expect(answer.cost.contains(stage)) }
    }
  }
}
