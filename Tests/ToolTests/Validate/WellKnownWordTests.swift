import Foundation
import Testing

/// Words of other tools, and of other places of a project: what is said, and what `--fix-unsafe` writes.
@Suite struct WellKnownWordTests {
  /// Where the mistaken part stands.
  enum Place: Sendable {
    case output, clip, clipTransform, crop, title, layer, layerTransform, instanceTransform, sublayerTransform, property

    func project(_ text: String) -> String {
      let layer = { (members: String) in "titles: [{ layer: { bounds: [20, 20], position: [32, 24], \(members) } }]" }
      let clip = { (members: String) in "tracks: [{ clips: [{ asset: 'a', duration: '1s', \(members) }] }]" }
      let (output, tracks, titles): (String, String, String) =
        switch self {
        case .output: (text, clip(""), "")
        case .clip: ("", clip(text), "")
        case .clipTransform: ("", clip("transform: { \(text) }"), "")
        case .crop: ("", clip("crop: { \(text) }"), "")
        case .title: ("", clip(""), "titles: [{ text: 'x', \(text) }]")
        case .layer: ("", clip(""), layer(text))
        case .layerTransform: ("", clip(""), layer("transform: { \(text) }"))
        case .sublayerTransform: ("", clip(""), layer("sublayerTransform: { \(text) }"))
        case .instanceTransform:
          ("", clip(""), layer("content: { replicator: { instanceCount: 2, instanceTransform: { \(text) } } }"))
        case .property:
          ("", clip(""), layer("animations: [{ property: '\(text)', from: 0, to: 1, duration: '1s' }]"))
        }
      return """
        { version: 1, output: { size: '64x48', frameRate: 25, \(output) }, assets: { a: { generate: 'color', color: 'red' } },
          \(tracks), \(titles) }
        """
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var place: Place
    var written: String
    var says: String
    /// What is written in its place; `nil` if nothing is.
    var fix: String?
    var testDescription: String { "\(written) in \(place)" }

    init(_ place: Place, _ written: String, _ says: String, fix: String? = nil) {
      (self.place, self.written, self.says, self.fix) = (place, written, says, fix)
    }
  }

  private static let turned: [Row] = [Place.layerTransform, .instanceTransform, .sublayerTransform].flatMap { place in
    [
      Row(place, "rotation: 45", "Did you mean \"rotationZ\"?", fix: "rotationZ: 45"),
      Row(place, "rotate: 45", "Did you mean \"rotationZ\"?", fix: "rotationZ: 45"),
      Row(place, "angle: 45", "Did you mean \"rotationZ\"?", fix: "rotationZ: 45"),
      Row(place, "scale: 2", "Did you mean both \"scaleX\" and \"scaleY\"?"),
      Row(place, "translation: 2", "Did you mean both \"translationX\" and \"translationY\"?"),
      Row(place, "x: 3", "Did you mean \"translationX\"?", fix: "translationX: 3"),
      Row(place, "translateY: 3", "Did you mean \"translationY\"?", fix: "translationY: 3"),
      Row(place, "rotatoinX: 3", "Did you mean \"rotationX\"?", fix: "rotationX: 3"),
      Row(place, "scaleZ: 3", "Possible: "),
    ]
  }

  private static let clips: [Row] = [
    Row(.clipTransform, "scaleX: 0.5", "Did you mean \"scale\" with both sides, such as [0.5, 1]?"),
    Row(.clipTransform, "scaleX: -1", "Did you mean \"scale\" with both sides, such as [0.5, 1]?"),
    Row(.clipTransform, "scaleY: 0.5", "Did you mean \"scale\" with both sides, such as [1, 0.5]?"),
    Row(.clipTransform, "rotationZ: 45", "Did you mean \"rotation\"?", fix: "rotation: 45"),
    Row(.clipTransform, "rotate: 45", "Did you mean \"rotation\"?", fix: "rotation: 45"),
    Row(.clipTransform, "rotationX: 45", "Possible: "), Row(.clipTransform, "rotationY: 45", "Possible: "),
    // A distance is no position.
    Row(.clipTransform, "translationX: 5", "Did you mean \"x\"? It is where the center is, not how far it moves."),
    Row(.clipTransform, "translateY: 5", "Did you mean \"y\"? It is where the center is, not how far it moves."),
    Row(.clip, "noAudio: true", "Write audio: false."), Row(.clip, "saturation: 0", "Possible: "),
    Row(.clipTransform, "scael: 0.5", "Did you mean \"scale\"?", fix: "scale: 0.5"),
    Row(.crop, "left: 5, right: 5", "the part that is shown"),
    Row(.crop, "x: 0, y: 0, width: 9, bottom: 5", "the part that is shown"),
    Row(.crop, "top: 5", "the part that is shown"),
    Row(.crop, "x: 0, y: 0, width: 9, h: 9", "Did you mean \"height\"?", fix: "height: 9"),
    Row(.clip, "offset: '1s'", "\"at\" (when it starts in the movie) or \"in\""),
    Row(.clip, "start: '0s'", "\"at\" (when it starts in the movie) or \"in\""),
    Row(.clip, "shadowBlur: 4", "Did you mean \"shadowRadius\"?", fix: "shadowRadius: 4"),
    Row(.clip, "opactiy: 0.5", "Did you mean \"opacity\"?", fix: "opacity: 0.5"),
    Row(.clip, "opactiy: true", "Did you mean \"opacity\"?"), Row(.clip, "efects: 3", "Did you mean \"effects\"?"),
  ]

  private static let outputs: [Row] = [
    Row(.output, "preset: 'hevc-hdr'", "Did you mean \"hevc-pq\" or \"hevc-hlg\"?"),
    Row(.output, "preset: 'h265-hdr'", "Did you mean \"hevc-pq\" or \"hevc-hlg\"?"),
    Row(.output, "preset: 'hevc-hdr10'", "Did you mean \"hevc-pq\"?", fix: "preset: 'hevc-pq'"),
    Row(.output, "preset: 'hevc-1O'", "Did you mean \"hevc-10\"?", fix: "preset: 'hevc-10'"),
    Row(.output, "preset: 'phnoe'", "Did you mean \"phone\"?", fix: "preset: 'phone'"),
    Row(.output, "color: 'bt2020-pq'", "Did you mean \"pq\"?", fix: "color: 'pq'"),
    Row(.output, "color: 'rec2100-pq'", "Did you mean \"pq\"?", fix: "color: 'pq'"),
    Row(.output, "color: 'smpte2084'", "Did you mean \"pq\"?", fix: "color: 'pq'"),
    Row(.output, "color: 'hdr10'", "Did you mean \"pq\"?", fix: "color: 'pq'"),
    Row(.output, "color: 'bt2020-hlg'", "Did you mean \"hlg\"?", fix: "color: 'hlg'"),
    Row(.output, "color: 'arib-std-b67'", "Did you mean \"hlg\"?", fix: "color: 'hlg'"),
    Row(.output, "color: 'hdr'", "Did you mean \"pq\" or \"hlg\"?"),
    Row(.output, "color: 'rec709'", "Did you mean \"bt709\"?", fix: "color: 'bt709'"),
    Row(.output, "preset: 'prores-hq'", "prores-"),
    Row(.output, "video: { codec: 'h265' }", "Did you mean \"hevc\"?", fix: "video: { codec: 'hevc' }"),
  ]

  private static let animated: [Row] = [
    Row(.property, "transform.rotation.z", "Did you mean \"transform.rotation\"?", fix: "transform.rotation"),
    Row(.property, "transform.rotationZ", "Did you mean \"transform.rotation\"?", fix: "transform.rotation"),
    Row(
      .property, "sublayerTransform.rotation.z", "Did you mean \"sublayerTransform.rotation\"?",
      fix: "sublayerTransform.rotation"),
    Row(
      .property, "instanceTransform.rotation.z", "Did you mean \"instanceTransform.rotation\"?",
      fix: "instanceTransform.rotation"),
    Row(.property, "instanceTransform.translation.x", "instanceTransform.translation"),
    Row(.property, "sublayerTransform.translation.y", "sublayerTransform.translation"),
    Row(.property, "sublayerTransform.scale.x", "sublayerTransform.scale"),
    Row(.property, "transform.scale.z", "transform.scale.x"),
    Row(.property, "transform.scaleX", "Did you mean \"transform.scale.x\"?", fix: "transform.scale.x"),
    Row(.property, "opactiy", "Did you mean \"opacity\"?", fix: "opacity"),
    Row(.layer, "shadowBlur: 4", "Did you mean \"shadowRadius\"?", fix: "shadowRadius: 4"),
    Row(.property, "emitter.rate", "Did you mean \"emitter.birthRate\"?", fix: "emitter.birthRate"),
    Row(.property, "emitter.speed", "Did you mean \"emitter.velocity\"?", fix: "emitter.velocity"),
    Row(
      .layer, "content: { shape: { path: { subtract: ['M 0 0 h 9 v 9 z'] } } }", "Did you mean \"difference\"?",
      fix: "path: { difference: ['M 0 0 h 9 v 9 z'] }"),
    Row(.layer, "blendMode: 'lighter'", "Did you mean \"plus-lighter\"?", fix: "blendMode: 'plus-lighter'"),
    Row(
      .layer, "content: { emitter: { birthRate: 10, speed: 80 } }", "Did you mean \"velocity\"?",
      fix: "birthRate: 10, velocity: 80"),
    Row(.layer, "content: { emitter: { birthRate: 10, scaleRate: 1 } }", "Possible: "),
    Row(
      .layer, "content: { shape: { path: { rectangle: {} }, lineColor: 'red' } }", "Did you mean \"strokeColor\"?",
      fix: "strokeColor: 'red'"),
    Row(.title, "textColor: '#ff0000'", "Did you mean \"color\"?", fix: "color: '#ff0000'"),
    Row(.layer, "layout: { minWidth: 3 }", "Did you mean \"minimumWidth\"?", fix: "layout: { minimumWidth: 3 }"),
    Row(.layer, "layout: { maxHeight: 3 }", "Did you mean \"maximumHeight\"?", fix: "layout: { maximumHeight: 3 }"),
    Row(.layer, "flex: { flexDirection: 'column' }", "Did you mean \"direction\"?", fix: "flex: { direction: 'column' }"),
    Row(.layer, "flex: { alignItems: 'flex-end' }", "Did you mean \"end\"?", fix: "flex: { alignItems: 'end' }"),
    Row(.layer, "flex: { wrap: 'wrap' }", "Write wraps: true"), Row(.layer, "flex: { rowGap: 4 }", "lineGap"),
    Row(.layer, "layout: { center: 3 }", "Did you mean both \"centerX\" and \"centerY\"?"),
    Row(
      .layer, "animations: [{ property: 'opacity', keyframes: [0, 1], duration: '1s' }]",
      "Did you mean \"values\" with \"keyTimes\"?"),
    Row(.title, "fadeIn: '1s'", "Did you mean \"fade\"? It is how long a title fades in, and out again."),
    Row(.title, "fadeOut: '1s'", "Did you mean \"fade\"? It is how long a title fades in, and out again."),
  ]

  private static let transitions: [Row] = ["wipe-in", "wipe-out", "push-in", "push-out"].map { name in
    Row(
      .clip, "video: true }, { asset: 'a', duration: '1s', transition: { type: '\(name)', duration: '0.2s' }",
      "\(name.prefix(4))-left")
  }

  static let rows = turned + clips + outputs + animated + transitions

  @Test func rows_areMany() { #expect(Self.rows.count >= 60) }

  @Test(arguments: rows) func word_isAnswered_andWrittenOnlyIfItMeansTheSame(_ row: Row) throws {
    let scratch = try Scratch()
    let text = row.place.project(row.written)
    let file = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 65 && result.output.contains(row.says), "\(result.output)")
    #expect(result.output.contains("  fix: ") == (row.fix != nil), "\(result.output)")
    _ = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder)
    let fixed = try String(contentsOf: file, encoding: .utf8)
    guard let fix = row.fix else {
      #expect(fixed == text)
      return
    }
    #expect(fixed.contains(fix) && !fixed.contains(row.written), "\(fixed)")
  }
}
