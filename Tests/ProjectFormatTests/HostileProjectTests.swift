import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Foundation
import Testing

/// Nonsensical values × the fields of a timeline and the keys of a project that take times and numbers: each is an error or a
/// diagnostic, none is taken, none ends the process.
@Suite struct HostileProjectTests {
  static let times: [MediaTime] = [
    .invalid, .indefinite, .positiveInfinity, .negativeInfinity, MediaTime(value: 1, timescale: 0, flags: .valid),
    .seconds(Double.nan), .seconds(0x1p63), .seconds(-1), MediaTime(value: .min, timescale: 1),
    MediaTime(value: .max, timescale: 1),
  ]
  static let numbers: [Double] = [.nan, .infinity, -.infinity, -0x1p63, -1e308]
  static let rates = [Rational(1, 0), Rational(0, 0), Rational(-1, 1), Rational(.min, 1), Rational(.max, 1), Rational(1, .min)]

  static let source = MediaSource.generated(
    GeneratedSource(
      pattern: .bars, size: PixelSize(width: 320, height: 180), frameRate: 25, duration: .seconds(5), toneFrequency: 440))

  static func timeChanges(_ time: MediaTime) -> [(String, (inout Timeline) -> Void)] {
    [
      ("start", { $0.tracks[0].clips[1].start = time }), ("sourceStart", { $0.tracks[0].clips[0].sourceStart = time }),
      ("duration", { $0.tracks[0].clips[0].duration = time }),
      ("transition", { $0.tracks[0].clips[1].transition = .dissolve(time) }),
      (
        "effect start",
        { $0.effects = [TimelineEffect(timeRange: TimeRange(start: time, duration: .seconds(1)), compositor: "builtin.layer")] }
      ),
      (
        "effect duration",
        { $0.effects = [TimelineEffect(timeRange: TimeRange(start: .zero, duration: time), compositor: "builtin.layer")] }
      ),
    ]
  }

  static func numberChanges(_ number: Double) -> [(String, (inout Timeline) -> Void)] {
    [
      ("opacity", { $0.tracks[0].clips[0].opacity = .constant(number) }),
      ("volume", { $0.tracks[0].clips[0].volume = .constant(number) }),
      ("crop", { $0.tracks[0].clips[0].crop = .constant(ClipCrop(Rect(x: number, y: 0, width: 10, height: number))) }),
    ]
  }

  static func rateChanges(_ rate: Rational) -> [(String, (inout Timeline) -> Void)] {
    [("frameRate", { $0.frameRate = rate }), ("speed", { $0.tracks[0].clips[0].speed = .constant(rate) })]
  }

  /// Whether a timeline is refused, when it is laid out or when it is validated.
  static func isRefused(_ change: (inout Timeline) -> Void) -> Bool {
    var timeline = Timeline(canvas: PixelSize(width: 320, height: 180), frameRate: 25)
    timeline.append(source)
    timeline.append(source)
    change(&timeline)
    let catalog = MediaCatalog()
    do throws(CompositorError) {
      let edit = try timeline.edit(catalog: catalog)
      return CompositionValidator.validate(edit, catalog: catalog).validated == nil
    } catch {
      return true
    }
  }

  static func takenTimelines() -> [String] {
    var taken: [String] = []
    for time in times {
      for (name, change) in timeChanges(time) where !isRefused(change) { taken.append("\(name) = \(time)") }
    }
    for number in numbers {
      for (name, change) in numberChanges(number) where !isRefused(change) { taken.append("\(name) = \(number)") }
    }
    for rate in rates {
      for (name, change) in rateChanges(rate) where !isRefused(change) { taken.append("\(name) = \(rate)") }
    }
    return taken
  }

  /// In a process of its own first, which a trap would end.
  @Test func timeline_everyFieldAndValue_isRefused() async {
    await #expect(processExitsWith: .success) { _ = HostileProjectTests.takenTimelines() }
    #expect(Self.takenTimelines() == [])
    #expect(!Self.isRefused { _ in })
  }

  /// Values in place of a time.
  static let badTimes = [
    "NaN", "Infinity", "-Infinity", "1e400", "9223372036854775808", "1", "\"\"", "\"nan\"", "\"infs\"", "\"-1s\"", "\"1e400s\"",
    "\"9223372036854775808s\"", "\"1/0s\"", "\"0/0\"", "\"NaNs\"", "\"99999999999999999999999f\"", "\"-9223372036854775808f\"",
    "\"99:99:99:99:99\"", "null", "[]", "{}", "true",
  ]
  static let badNumbers = [
    "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "\"\"", "\"nan\"", "\"1e400dB\"", "\"nandB\"", "\"infdB\"", "null", "{}",
    "[NaN]",
    "-9223372036854775809",
  ]

  /// Keys of a clip, a transition, a title and the output; `%` is where the value goes.
  static let timeKeys = [
    "clip: at: %", "clip: in: %", "clip: duration: %", "clip: fadeIn: %", "clip: fadeOut: %",
    "clip: fadeIn: { duration: % }",
    "clip: opacity: [{ at: %, value: 1 }, { at: \"1s\", value: 0 }]",
    "clip: volume: [{ at: %, value: 1 }, { at: \"1s\", value: 0 }]",
    "clip: transition: { type: \"dissolve\", duration: % }", "title: start: %", "title: duration: %", "asset: duration: %",
  ]
  static let numberKeys = [
    "clip: speed: %", "clip: opacity: %", "clip: volume: %", "clip: pan: %", "clip: scale: %", "clip: rotation: %",
    "clip: loop: %",
    "clip: position: [%, 0]", "output: frameRate: %", "clip: opacity: [{ at: \"0s\", value: % }]",
    "output: audio: { volume: % }",
    "output: audio: { sampleRate: % }", "output: audio: { loudness: % }", "asset: frameRate: %",
  ]

  static func project(_ key: String, _ value: String) -> String {
    var parts = ["clip": "", "title": "", "asset": "", "output": ""]
    let split = key.split(separator: ":", maxSplits: 1).map(String.init)
    let written = split[1].replacing("%", with: value)
    parts[split[0]] = "," + written
    let duration = written.contains("duration:") && split[0] != "clip" ? "" : "duration: \"2s\","
    return """
      { version: 1,
        output: { size: "320x180" \(written.contains("frameRate") && split[0] == "output" ? "" : ", frameRate: 25") \(parts["output"] ?? "") },
        assets: { a: { generate: "bars", size: "320x180" \(split[0] == "asset" && duration.isEmpty ? "" : ", duration: \"9s\"") \(parts["asset"] ?? "") } },
        tracks: [{ clips: [{ asset: "a", duration: "4s" }, { asset: "a" \(parts["clip"] ?? "") }] }],
        titles: [{ \(split[0] == "title" ? duration : "") layer: { bounds: [80, 80], position: [160, 90], backgroundColor: "orange" } \(parts["title"] ?? "") }],
      }
      """
  }

  static func isRefused(_ text: String) -> Bool {
    let catalog = MediaCatalog()
    do throws(CompositorError) {
      let edit = try ProjectFile(text, directory: "/").edit(catalog: catalog)
      return CompositionValidator.validate(edit, catalog: catalog).validated == nil
    } catch {
      return true
    }
  }

  static func takenProjects() -> [String] {
    var taken: [String] = []
    for key in timeKeys {
      for value in badTimes where !isRefused(project(key, value)) { taken.append("\(key) = \(value)") }
    }
    for key in numberKeys {
      for value in badNumbers where !isRefused(project(key, value)) { taken.append("\(key) = \(value)") }
    }
    return taken
  }

  @Test func project_everyKeyAndValue_isRefused() async {
    await #expect(processExitsWith: .success) { _ = HostileProjectTests.takenProjects() }
    #expect(Self.takenProjects() == [])
  }

  /// The frame around the values is in order: with one that means something it is a project.
  @Test func project_withGoodValues_isRead() throws {
    // Half a second means nothing as the start of the second clip, or as all that the first one has.
    for key in Self.timeKeys where !["clip: at", "asset: duration", "transition"].contains(where: key.contains) {
      #expect(!Self.isRefused(Self.project(key, "\"0.5s\"")), "\(key)")
    }
    for (key, value) in [("clip: opacity: %", "0.5"), ("clip: speed: %", "2"), ("output: frameRate: %", "30")] {
      #expect(!Self.isRefused(Self.project(key, value)), "\(key)")
    }
  }
}
