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
    /// Read from the picture.
    var number: Int
    /// What the page takes the picture for.
    var claimed: Int
    var frame: Int
    var rate: Double
    /// Milliseconds of the machine's clock.
    var at: Double
    var time: Double
    var isHeard: Bool
    var heard: Double?
    var playhead: Double
    var scrubber: Int
    var dropped: Int
    var late: Int

    /// The frame that is due, where a clock that is a moment behind counts as on time.
    var due: Int { Int(time * Double(BrowserTests.rate) + 0.06) }
    /// The frame of the movie's clock, as the page counts it.
    var current: Int { Int(time * Double(BrowserTests.rate) + 0.01) }
  }

  /// Runs a scenario of `browser.py` and decodes what it saw.
  private func see<Answer: Decodable>(
    _ scenario: String, _ served: ServedProject, _ arguments: [String] = [], as type: Answer.Type
  ) throws -> Answer {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/browser.py").path
    let data = try runProgram("python3", [script, scenario, served.server.url] + arguments)
    return try JSONDecoder().decode(type, from: data)
  }

  fileprivate static let rate = 25
  /// 20 s whose frames carry their number, with audio.
  private static let project = """
    {
      version: 1,
      assets: { numbered: "numbered.mov" },
      tracks: [{ clips: [{ asset: "numbered" }] }],
    }
    """

  private static func makeMovie(in folder: TemporaryFolder) throws {
    try NumberedMovie.make(
      folder.file("numbered.mov"), count: 500, rate: "25",
      options: [
        "-vf", "scale=320:180:flags=neighbor", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-c:a", "pcm_s16le",
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
      /// Milliseconds and the part of the processors that was idle before.
      var idle: [[Double]]
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
      for sample in samples {
        #expect(sample.number == sample.claimed, "the picture is the frame that the page takes it for")
        #expect(sample.number <= sample.due + 1, "never ahead of what is heard")
      }
      // Frames that were left out or came late are counted: nothing else is missing.
      let shown = samples.indices.dropFirst().filter { samples[$0].number != samples[$0 - 1].number }
      let leftOut = shown.reduce(0) { $0 + samples[$1].number - samples[$1 - 1].number - 1 }
      #expect(shown.allSatisfy { samples[$0].number > samples[$0 - 1].number })
      #expect(last.dropped - first.dropped == leftOut)
      #expect(last.late - first.late == shown.count { samples[$0].current - samples[$0].number > 1 })
      // The first second is getting going.
      let settled = samples.filter { $0.time > first.time + 1 }
      expectTogether(settled, idle: answer.idle)
      // What was heard since the beginning is what the movie's clock says.
      for sample in settled {
        let heard = (sample.heard ?? 0) - (first.heard ?? 0)
        #expect(abs(heard - (sample.time - first.time)) < 0.001)
        #expect(abs(sample.playhead - sample.time) < 0.02)
        #expect(abs(sample.scrubber - Int(sample.time * Double(Self.rate))) <= 1)
      }
      #expect(answer.paused.number == answer.paused.frame)
      #expect(answer.rest.number == answer.paused.number && answer.rest.frame == answer.paused.frame, "paused is paused")
    }
  }

  /// Where the machine had time, the picture is where the clock is. Tests/Tools/preview-check counts so without exception.
  private func expectTogether(_ samples: [Sample], idle: [[Double]]) {
    let calm = samples.filter { sample in
      let around = idle.filter { abs($0[0] - sample.at) < 600 }
      return around.count >= 2 && around.allSatisfy { $0[1] > 0.25 }
    }
    let apart = calm.filter { abs($0.number - $0.due) > 1 }
    #expect(apart.count * 10 <= calm.count, "\(apart.count) of \(calm.count), such as \(apart.prefix(3))")
  }

  @Test func shuttling_rangesAndRates_followTheClock() async throws {
    struct Answer: Decodable {
      var range: [Sample]
      var cleared: Bool
      var backward: [Sample]
      var backwardFaster: [Sample]
      var faster: [Sample]
      var wishes: [String]
      var complaints: [String]
    }
    try await served { served in
      let answer = try see("shuttling", served, as: Answer.self)
      #expect(answer.complaints.isEmpty)
      #expect(answer.cleared)
      #expect(answer.wishes == ["later", "never", "never", "never", "later", "never", "later"])
      let range = answer.range
      #expect(range.allSatisfy { (40...64).contains($0.number) && $0.number == $0.claimed })
      #expect(zip(range, range.dropFirst()).contains { $1.number < $0.number }, "again from the in point")
      for (samples, rate) in [(answer.backward, -1.0), (answer.backwardFaster, -2), (answer.faster, 2)] {
        let settled = samples.filter { $0.rate == rate }
        let (first, last) = (try #require(settled.first), try #require(settled.last))
        #expect(settled.allSatisfy { $0.number == $0.claimed })
        let steps = zip(settled, settled.dropFirst()).map { Double($1.number - $0.number) * rate }
        #expect(steps.allSatisfy { $0 >= 0 } && steps.contains { $0 > 0 }, "one way at rate \(rate)")
        let (passed, played) = ((last.at - first.at) / 1000, last.time - first.time)
        let slack = 0.1 * abs(rate) + 0.15 * abs(played)
        #expect(abs(played - passed * rate) < slack, "\(played) s in \(passed) s at rate \(rate)")
      }
    }
  }

  @Test func scrubbing_bothWays_showsEveryFrameThatWasAskedFor() async throws {
    struct Answer: Decodable {
      var seen: [Sample]
      var dragged: Sample
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
      #expect(answer.dragged.number == 80 && answer.dragged.claimed == 80, "the exact frame where a drag ends")
      #expect(answer.last.number == 177, "the newest of sixty")
      let keys = answer.keys.mapValues(\.number)
      #expect(keys == ["right": 178, "left": 177, "second": 202, "end": 499, "home": 0])
      #expect(answer.valuetext == "0 seconds, frame 0")
    }
  }

  @Test func editing_theProjectWhileItIsShown_reloadsAndRecovers() async throws {
    struct State: Decodable {
      var isValid: Bool
      var frameCount: Int
      var verdict: String
      var shown: Int?
      var isDimmed: Bool
      var diagnostics: [String]
      var diagramMarks: Int
      var isStale: Bool
      var focus: String
    }
    struct Answer: Decodable {
      var states: [String: State]
      var after: [String: Double]
      var complaints: [String]
    }
    let plain = "tracks: [{ clips: [{ asset: \"numbered\" }] }]"
    let versions = [
      "shorter": "tracks: [{ clips: [{ asset: \"numbered\", duration: \"8s\" }] }]",
      "text": "tracks: [{ clips: [{ asset: \"numbered\", duration: \"8 parsecs\" }] }]",
      "gap": """
      tracks: [{ name: "A", clips: [{ asset: "numbered" }] }],
      instructions: [{ duration: "2s", layers: [{ track: "A" }] }]
      """,
    ]
    try await served { served in
      let folder = served.folder
      for (name, tracks) in versions {
        try Self.project.replacing(plain, with: tracks).write(toFile: folder.file(name), atomically: true, encoding: .utf8)
      }
      let files = ["shorter", "text", "gap"].map(folder.file)
      let answer = try see("reloading", served, [folder.file("project.json5")] + files, as: Answer.self)
      #expect(answer.complaints.isEmpty)
      let before = try #require(answer.states["before"])
      #expect(before.isValid && before.frameCount == 500 && before.shown == 30 && before.diagnostics.isEmpty)
      let shorter = try #require(answer.states["shorter"])
      #expect(shorter.isValid && shorter.frameCount == 200 && shorter.shown == 30)
      #expect(shorter.focus == "forward", "the keyboard stays where it was")
      // Not a project: the line and a caret; the picture and the timeline are those of before.
      let text = try #require(answer.states["text"])
      #expect(!text.isValid && text.isDimmed && text.isStale && text.verdict == "1 error")
      #expect(text.diagnostics.first?.contains("project.json5:4:") == true && text.diagnostics.first?.contains("^") == true)
      // A project that cannot be rendered: its own timeline, with the fault in it.
      let gap = try #require(answer.states["gap"])
      #expect(!gap.isValid && gap.isDimmed && !gap.isStale && gap.diagramMarks > 0, "\(gap)")
      let mended = try #require(answer.states["mended"])
      #expect(mended.isValid && !mended.isDimmed && !mended.isStale && mended.shown == 30 && mended.frameCount == 500)
      #expect(mended.diagnostics.isEmpty)
      #expect(answer.after.values.filter { $0 > 3 }.isEmpty, "\(answer.after)")
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
      /// The brightest code in the middle of each frame of the strip.
      var strip: [Int]
      var cost: String
      var complaints: [String]
    }
    try await served { served in
      let answer = try see("scope", served, as: Answer.self)
      #expect(answer.complaints.isEmpty)
      for size in [answer.histogram, answer.waveform, answer.vectorscope] { #expect(size.allSatisfy { $0 >= 100 }) }
      #expect(answer.strip.count == 16 && answer.strip.allSatisfy { $0 > 100 }, "\(answer.strip)")
      // A sine of half the full scale.
      #expect((62...66).contains(answer.loudest))
      for stage in ["Decode", "Compose", "Deliver", "Encode", "Total"] { #expect(answer.cost.contains(stage)) }
    }
  }
}
