import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import Foundation
import Testing

/// Title templates whose beginning and end keep their speed in titles of another duration.
@Suite struct ProtectedTemplateTests {
  private static let template = """
    {
      version: 1, duration: "4s", protect: { start: "1s", end: "0.5s" },
      layer: {
        bounds: ["100%", "100%"], position: ["50%", "50%"],
        animations: [
          { property: "opacity", from: 0, to: 1, duration: "1s", fillMode: "both" },
          { property: "position.x", from: 0, to: 100, duration: "${duration}" },
          { property: "opacity", to: 0, beginTime: "-0.5s", relativeTo: "end", duration: "0.5s", fillMode: "forwards" },
        ],
      },
    }
    """

  private func title(_ keys: String, template: String = template) throws -> TimelineTitle {
    let folder = try TemporaryFolder()
    try Data(template.utf8).write(to: URL(fileURLWithPath: folder.file("t.json5")))
    let path = folder.file("p.json5")
    let project = """
      { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { a: { generate: "color", duration: "60s" } },
        tracks: [{ clips: [{ asset: "a" }] }], titles: [{ template: "t.json5", \(keys) }] }
      """
    try Data(project.utf8).write(to: URL(fileURLWithPath: path))
    return try #require(try ProjectFile(contentsOf: path).timeline(catalog: MediaCatalog()).titles.first)
  }

  /// The time of the template that a title shows at a time of its own.
  private func contentTime(_ title: TimelineTitle, at time: Double) throws -> Double? {
    let layer = try title.layer(canvas: PixelSize(width: 320, height: 180), end: .seconds(60))
    return layer.timing.sample(at: time + title.start.seconds, standardDuration: .infinity)?.time
  }

  private static let cases: [(length: Double, times: [(Double, Double)])] = [
    // Twice the own duration: the middle of 2.5 s lasts 6.5 s.
    (8.0, [(0.0, 0.0), (0.5, 0.5), (1, 1), (4.25, 2.25), (7.5, 3.5), (7.75, 3.75)]),
    // The own duration.
    (4.0, [(0, 0), (1, 1), (2.25, 2.25), (3.5, 3.5), (3.75, 3.75)]),
    // The middle lasts half a second.
    (2.0, [(0.5, 0.5), (1, 1), (1.25, 2.25), (1.5, 3.5), (1.75, 3.75)]),
    // No time is left for the middle.
    (1.5, [(0.5, 0.5), (0.96, 0.96), (1, 3.5), (1.25, 3.75)]),
    // Both parts are shortened in proportion: to 0.5 s and 0.25 s.
    (0.75, [(0.25, 0.5), (0.48, 0.96), (0.5, 3.5), (0.625, 3.75)]),
  ]

  /// The beginning and the end keep their speed; what is between has that of the durations' difference.
  @Test(arguments: cases)
  func times_ofATemplate_areThoseOfItsParts(length: Double, times: [(Double, Double)]) throws {
    let title = try title("start: \"2s\", duration: \"\(length)s\"")
    #expect(title.duration == .seconds(length) && (title.stretch == nil) == (length == 4))
    for (time, wanted) in times {
      let found = try #require(try contentTime(title, at: time))
      #expect(abs(found - wanted) < 1e-9, "at \(time) of \(length): \(found)")
    }
    #expect(try contentTime(title, at: length) == nil && contentTime(title, at: -0.1) == nil)
  }

  /// `${duration}` and begin times relative to the end are those of the template.
  @Test func animations_ofAStretchedTitle_haveTheTemplatesTimes() throws {
    let title = try title("duration: \"8s\"")
    let layer = try title.layer(canvas: PixelSize(width: 320, height: 180), end: .seconds(60))
    let animations = try #require(layer.sublayers.first).animations
    #expect(animations[1].timing.duration == 4 && animations[2].timing.beginTime == 3.5)
    #expect(title.stretch == TimeStretch(start: 1, end: 0.5, duration: 4))
  }

  @Test func title_withoutADuration_hasTheTemplates() throws {
    let title = try title("start: 0")
    #expect(title.duration == .seconds(4) && title.stretch == nil)
  }

  @Test func middle_thatIsEmpty_isHeld() throws {
    let all = Self.template.replacing("start: \"1s\"", with: "start: \"3.5s\"")
    let title = try title("duration: \"8s\"", template: all)
    for (time, wanted) in [(3.0, 3.0), (5, 3.5), (7.5, 3.5), (7.75, 3.75)] {
      #expect(abs(try #require(try contentTime(title, at: time)) - wanted) < 1e-9)
    }
  }

  @Test func layer_withAStretch_isEncodedWithIt() throws {
    var timing = LayerTiming(duration: 8)
    timing.stretch = TimeStretch(start: 1, end: 0.5, duration: 4)
    #expect(try JSONDecoder().decode(LayerTiming.self, from: JSONEncoder().encode(timing)) == timing)
    timing.stretch?.end = 4
    #expect(throws: (any Error).self) { _ = try JSONDecoder().decode(LayerTiming.self, from: JSONEncoder().encode(timing)) }
  }

  @Test(arguments: [
    ("duration: \"4s\"", "duration: \"1.2s\"", "last 1.5 s, longer than the template, which lasts 1.2 s"),
    ("duration: \"4s\", ", "", "has a duration of its own"), ("end: \"0.5s\"", "middle: 0", "no key \"middle\""),
    ("start: \"1s\"", "start: null", "a time"), ("end: \"0.5s\"", "end: null", "a time"),
  ])
  func mistake_ofProtectedParts_isLocated(from: String, to: String, message: String) throws {
    // Without ${duration}, which has no value then.
    let plain = Self.template.replacing("${duration}", with: "4s").replacing(from, with: to)
    let error = try #require(throws: CompositorError.self) { _ = try title("start: 0", template: plain) }
    #expect(error.message.contains(message), "\(error.message)")
    #expect(error.location.path?.hasPrefix("protect") == true, "\(error)")
    #expect(error.location.place?.contains("t.json5:2:") == true)
  }
}
