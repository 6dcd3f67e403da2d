import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Begin times relative to an end. The oracle is the same project with the times worked out by hand.
@Suite struct TitleAnchorTests {
  private func project(_ title: String, clip: String = "4s", rate: String = "25") -> String {
    """
    { version: 1, output: { size: "320x180", frameRate: "\(rate)" },
      assets: { a: { generate: "bars", size: "320x180", frameRate: "\(rate)" } },
      tracks: [{ clips: [{ asset: "a", duration: "\(clip)" }] }], titles: [{ \(title) }] }
    """
  }

  private func layers(_ title: String, clip: String = "4s") throws -> [Layer] {
    try ProjectFile(project(title, clip: clip)).edit(catalog: MediaCatalog()).titles.layers
  }

  @Test(arguments: [
    // A title of its own duration, one until the movie ends, and its times in frames.
    ("duration: '3s'", "beginTime: '-0.5s', relativeTo: 'end'", "beginTime: '2.5s'"),
    ("start: '1s'", "beginTime: '-0.5s', relativeTo: 'end'", "beginTime: '2.5s'"),
    ("start: '1s', duration: '2s'", "beginTime: '-12f', relativeTo: 'end'", "beginTime: '38f'"),
    // Before the beginning.
    ("duration: '1s'", "beginTime: '-3s', relativeTo: 'end'", "beginTime: '-2s'"),
    ("duration: '3s'", "beginTime: '0.5s', relativeTo: 'start'", "beginTime: '0.5s'"),
  ]) func animations_relativeToTheEnd_areThoseWorkedOut(_ title: String, _ anchored: String, _ plain: String) throws {
    func tree(_ timing: String) -> String {
      """
      \(title), layer: { bounds: [9, 9], backgroundColor: "red",
        animations: [{ property: "opacity", from: 1, to: 0, duration: "0.5s", \(timing) }],
        mask: { bounds: [9, 9], animations: [{ property: "opacity", to: 0, \(timing) }] },
        sublayers: [{ bounds: [3, 3], timing: { \(timing), duration: "0.2s" } }] }
      """
    }
    #expect(try layers(tree(anchored)) == layers(tree(plain)))
  }

  /// The ends of layers inside: by their own duration, their parent's end, their speed and offset, and of groups.
  @Test(arguments: [
    ("timing: { beginTime: '1s', duration: '2s' }", "1.5s"), ("timing: { beginTime: '1s' }", "2.5s"),
    ("timing: { beginTime: '1s', duration: '9s' }", "2.5s"), ("timing: { beginTime: '1s', speed: 2 }", "5.5s"),
    ("timing: { beginTime: '1s', speed: 2, timeOffset: '0.25s' }", "5.75s"),
    ("timing: { duration: '2s', repeatCount: 2 }", "1.5s"), ("timing: { duration: '2s', repeatCount: 0.5 }", "0.5s"),
    ("timing: { duration: '2s', speed: -1 }", "1.5s"), ("timing: { beginTime: '-2s', relativeTo: 'end' }", "1.5s"),
    ("timing: { repeatDuration: '3s' }", "2.5s"), ("timing: { duration: '10s', autoreverses: true }", "3.5s"),
    ("timing: { duration: '4s', repeatDuration: '1.5s' }", "1s"),
  ]) func innerLayers_endWithTheirOwnTime(_ timing: String, _ begin: String) throws {
    func tree(_ time: String) -> String {
      """
      duration: "4s", layer: { bounds: [9, 9], sublayers: [{ bounds: [9, 9], backgroundColor: "red", \(timing),
        animations: [{ property: "opacity", from: 1, to: 0, duration: "0.5s", \(time) }] }] }
      """
    }
    #expect(try layers(tree("beginTime: '-0.5s', relativeTo: 'end'")) == layers(tree("beginTime: '\(begin)'")))
  }

  @Test func groups_countFromTheirOwnEnd() throws {
    func tree(_ time: String) -> String {
      """
      duration: "4s", layer: { bounds: [9, 9], backgroundColor: "red", animations: [{ beginTime: "1s", duration: "2s", group: [
        { property: "opacity", to: 0, duration: "0.5s", \(time) }, { group: [{ property: "position.x", to: 9, \(time) }] },
      ] }] }
      """
    }
    #expect(try layers(tree("beginTime: '-0.5s', relativeTo: 'end'")) == layers(tree("beginTime: '1.5s'")))
  }

  /// At any rate and length, the change is in the frames that begin no earlier than half a second before the end.
  @Test(arguments: [Rational(25, 1), Rational(30000, 1001), Rational(24000, 1001)], [37, 100, 1001])
  func frames_ofTheChange_areExact(_ rate: Rational, _ count: Int) throws {
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 9, height: 9))
    let frame = Double(rate.denominator) / Double(rate.numerator)
    let timing = LayerTiming(beginTime: -12 * frame, relativeTo: .end, duration: 1, fillMode: .forwards)
    layer.animations = [.keyframes(.opacity, Keyframes([0.5], mode: .discrete), timing: timing)]
    let start = MediaTime(value: 7 * Int64(rate.denominator), timescale: Int32(rate.numerator))
    let length = MediaTime(value: Int64(count) * Int64(rate.denominator), timescale: Int32(rate.numerator))
    let title = try TimelineTitle(layer, start: start, duration: length)
      .layer(canvas: PixelSize(width: 64, height: 36), end: .positiveInfinity)
    let begin = title.timing.beginTime + title.sublayers[0].animations[0].timing.beginTime
    for index in 0..<count {
      let time = MediaTime(value: Int64(7 + index) * Int64(rate.denominator), timescale: Int32(rate.numerator)).seconds
      #expect(time.isBefore(begin) == (index < count - 12), "\(index) of \(count)")
    }
  }

  @Test func edits_ofLayers_endWithTheMovie() throws {
    var edit = try ProjectFile(project("text: 'x'")).edit(catalog: MediaCatalog())
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 90, height: 90))
    layer.backgroundColor = .white
    layer.timing = LayerTiming(beginTime: -1, relativeTo: .end)
    edit.titles.layers = [layer]
    let report = CompositionValidator.validate(edit, catalog: MediaCatalog())
    #expect(report.diagnostics.isEmpty, "\(report.diagnostics)")
  }

  @Test(arguments: [
    (
      "layer: { animations: [{ property: 'opacity', to: 0, relativeTo: 'end' }] }", "titles[0].layer.animations[0]",
      "not before it"
    ),
    (
      "layer: { animations: [{ property: 'opacity', to: 0, beginTime: '0.5s', relativeTo: 'end' }] }",
      "titles[0].layer.animations[0]", "not before it"
    ),
    ("layer: { timing: { relativeTo: 'ends' } }", "titles[0].layer.timing.relativeTo", "not possible"),
    (
      "layer: { timing: { speed: 0 }, animations: [{ property: 'opacity', to: 0, beginTime: '-1s', relativeTo: 'end' }] }",
      "titles[0].layer.animations[0]", "never ends"
    ),
    (
      "layer: { content: { emitter: {} }, sublayers: [{ timing: { beginTime: '-1s', relativeTo: 'end' } }] }",
      "titles[0].layer.sublayers[0].timing", "never ends"
    ),
    (
      """
      layer: { content: { text: { string: 'x', animators: [{
        animations: [{ property: 'opacity', to: 0, beginTime: '-1s', relativeTo: 'end' }] }] } } }
      """, "titles[0].layer.content.text.animators[0]", "no end of its own"
    ),
  ]) func mistakes_areReportedAtTheirPlace(_ title: String, _ path: String, _ message: String) throws {
    let error = #expect(throws: CompositorError.self) { try ProjectFile(project(title)) }
    #expect(error?.code == .invalidProject && error?.location.path?.hasPrefix(path) == true, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.message.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func endlessAsset_isRefusedAtItsAnimation() throws {
    let text = """
      { version: 1, output: { size: "320x180", frameRate: 25 },
        assets: { t: { titles: [{ layer: { bounds: [9, 9], backgroundColor: "red",
          animations: [{ property: "opacity", to: 0, beginTime: "-1s", relativeTo: "end" }] } }] } },
        tracks: [{ clips: [{ asset: "t", duration: "2s" }] }] }
      """
    let error = #expect(throws: CompositorError.self) { try ProjectFile(text).edit(catalog: MediaCatalog()) }
    #expect(error?.location.path == "assets.t.titles[0].layer.animations[0]" && error?.message.contains("never ends") == true)
    let mended = text.replacing("titles: [{", with: "duration: \"2s\", titles: [{")
    #expect(throws: Never.self) { try ProjectFile(mended).edit(catalog: MediaCatalog()) }
  }

  @Test func timing_asJSON_hasTheKeyOnlyIfItIsUsed() throws {
    let plain = LayerTiming(beginTime: 1)
    let anchored = LayerTiming(beginTime: -1, relativeTo: .end)
    for timing in [plain, anchored] {
      let data = try JSONEncoder().encode(timing)
      #expect(try JSONDecoder().decode(LayerTiming.self, from: data) == timing)
      #expect(String(decoding: data, as: UTF8.self).contains("relativeTo") == (timing == anchored))
    }
  }
}
