import CompositorAPI
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// The writer knows every key of the reader: a key of the table that no written project has fails here.
@Suite struct WrittenKeyTests {
  /// A value of an enumeration that isn't the default, which would be left out.
  private static func other<Word: RawRepresentable & CaseIterable & Equatable>(than standard: Word) -> String
  where Word.RawValue == String {
    "\"\(Word.allCases.first { $0 != standard }?.rawValue ?? "")\""
  }

  private static func keyframes(_ value: String, _ other: String) -> String {
    "[{ at: \"0s\", value: \(value), easing: \"ease-in\" }, { at: \"1001/30000\", value: \(other) }]"
  }

  private static let audioKeys = """
    volume: \(keyframes("0.5", "1")), fadeIn: "0.1s", fadeOut: { duration: "0.2s", easing: "equal-power" }
    """

  private static let decoration = """
    cornerRadius: \(keyframes("1", "2")), borderWidth: 2, borderColor: \(keyframes("\"red\"", "\"#12345678\"")), shadowOpacity: \
    \(keyframes("0.5", "1")), shadowOffset: \(keyframes("[1, 2]", "[3, 4]")), shadowRadius: 4, shadowColor: "blue"
    """

  private static let look = """
    fit: "fill", opacity: \(keyframes("0.5", "1")), sampling: "best", motionBlur: { exposure: "20ms", samples: 8 }, \(decoration)
    """

  private static let policy = ColorConversionPolicy.standard

  private static let output = """
    output: { size: "640x360", frameRate: 25, color: { primaries: 9, transfer: 16, matrix: 9, range: "full", chroma: \
    \(other(than: ChromaLocation.left)) }, colorConversion: { diffuseWhite: 100, hlgPeakLuminance: 2000, sdrPeakLuminance: 100, \
    toneMapping: \(other(than: policy.toneMapping)), gamutMapping: \(other(than: policy.gamutMapping)), sdrCurve: \
    \(other(than: policy.sdrCurve)), srgb: \(other(than: policy.srgb)), dithering: \(other(than: policy.dithering)) }, \
    hdrMetadata: \(other(than: HDRMetadataChoice.propagate)), peak: "measure", background: "#102030", blending: "linear", sampling: \
    "fast", format: "yuv420p10", alpha: true, audio: { \(audioKeys), mute: true, effects: [{ use: "avfilter.aecho", delays: 5, \
    parameters: { use: 3 } }], loudness: -16, limiter: { ceiling: "-2dB" }, downmix: \(other(than: AudioDownmix.standard)) }, \
    audioTracks: [{ from: "deu", tracks: [0], language: "de", title: "German", default: true }] }
    """

  private static let assets = """
    assets: { movie: { file: "a.mov", deinterlace: "double", color: { primaries: 1, transfer: 1, matrix: 1, range: "full", chroma: \
    "left" }, peakLuminance: 800, alpha: "premultiplied" }, images: { images: "%04d.png", first: 3, missing: "hold", frameRate: 24 }, \
    plain: { generate: "color", color: "red", size: "64x36", duration: "9s", tone: 440 }, \
    dusk: { generate: "gradient", from: "red", to: "blue", angle: 30 } }
    """

  private static let clip = """
    asset: "movie", at: "1s", in: "2s", duration: "3s", ends: "shortest", hold: true, speed: "1/2", reverse: true, pitch: "varispeed", \
    frames: \(other(than: FrameInterpolation.nearest)), videoTrack: 1, audioTrack: 2, video: false, \(look), transform: { x: 1, y: 2, \
    scale: 3, rotation: 4, anchor: [0, 1] }, crop: { x: "25%", y: 2, width: "100% - 20", height: 4 }, effects: [{ use: "gaussian-blur", radius: \
    \(keyframes("1", "2")), mask: { asset: "plain", in: "1s", channel: "alpha", inverted: true, hold: true, videoTrack: 1 } }], \
    \(audioKeys), mute: true, pan: \(keyframes("-1", "1")), channels: "left", audioEffects: [{ use: "avfilter.aecho" }]
    """

  /// Projects that together have every key of a timeline.
  static let projects = [
    """
    { version: 1, \(output), \(assets), fonts: ["a.ttf"], tracks: [{ name: "speech", clips: [{ \(clip) }], \(audioKeys), mute: true, \
      pan: 0.5, channels: [1], audioEffects: [{ use: "avfilter.aecho" }], duck: { tracks: ["music"], by: "6dB", threshold: "-30dB", \
      attack: "1s", hold: "2s", release: "3s" } },
      { name: "music", duck: { while: "clips" }, clips: [{ asset: "dusk", duration: "2s", audio: false, loop: 2, \
      speed: \(keyframes("1", "\"1/2\"")), transform: [{ at: "0s", matrix: [1, 0, 0, 1, 0, 0], easing: "ease-in" }, { at: "1s", matrix: \
      [2, 0, 0, 2, 0, 0] }], crop: [{ at: "0s", x: 1, y: 2, width: 3, height: 4, easing: "ease-in" }, { at: "1s", x: 1, y: 2, width: 4, \
      height: 4 }] }, { asset: "plain", duration: "2s", transition: { type: "push", duration: "1s", direction: "up", easing: "ease-in", \
      audio: "linear" } }, { asset: "images", duration: "2s", transition: { compositor: "org.example.x", duration: "1s", parameters: \
      { a: \(keyframes("1", "2")) } }, transform: [{ at: "0s", x: 1, y: 2, scale: 3, rotation: 4, anchor: [0, 1] }] }] }],
      effects: [{ at: "0s", duration: "1s", use: "org.example.blur", mask: { asset: "plain", loop: true }, parameters: { at: 3 } },
      { at: "1s", duration: "1s", compositor: "org.example.c", parameters: { a: 1 } }],
      titles: [{ kind: "lower-third", text: "Ada", role: "Mathematician", start: "1s", duration: "2s", fade: "1s", font: "Serif", weight: \
      700, size: "10%", color: "red", outlineColor: "blue", outlineWidth: "1%", boxColor: "green", position: ["50%", "60%"], direction: \
      "right-to-left", substituteFont: true }, { layer: { content: { text: { string: "a" } } } }],
      captions: [{ file: "a.srt", track: 1, as: "both", language: "de", title: "German", offset: "-0.5s", encoding: "latin1", default: \
      true, forced: true, style: { font: "Serif", weight: 700, size: "5%", color: "red", outlineColor: "blue", outlineWidth: 0.1, \
      boxColor: "green", position: "top", align: \(other(than: CaptionPlacement.Horizontal.center)), marginX: "6%", marginY: "8%", width: \
      "70%", lines: 2, direction: "right-to-left", substituteFont: true, speakers: false } }] }
    """,
    """
    { version: 1, \(output), \(assets), tracks: [{ clips: [{ asset: "movie", duration: "4s" }] }], instructions: [{ at: "0s", duration: \
      "1s", background: "red", passthrough: 0 }, { layers: [{ track: 0, \(look), transform: { matrix: [1, 0, 0, 1, 5, 0] }, crop: { x: 1, y: 2, width: 3, \
      height: 4 }, effects: [] }], compositor: "org.example.c", parameters: { a: 1 }, tracks: [0], effects: [{ use: "gaussian-blur", \
      radius: 2 }] }] }
    """,
  ]

  /// Keys that aren't those of a timeline: how it is encoded, what a project is made from, and other notations of the same.
  private static let others: Set<String> = [
    "project.$schema", "project.variables", "project.plugins", "output.preset", "output.video", "audio.codec",
    "audio.sampleRate",
    "audio.channels", "audio.bitRate", "audio.bitDepth", "asset.titles", "captions.asset", "title.template",
    "title.variables",
  ]

  private static func visit(_ node: JSON5Node, _ shape: ValueShape, _ found: inout Set<String>) {
    switch (shape, node.value) {
    case (.object(let name), .object(let members)):
      let object = ProjectSchema.shape(name)
      for member in members {
        let key = object.keys.first { $0.key == member.key }
        if key != nil { found.insert("\(name).\(member.key)") }
        if let value = key?.value ?? object.others { visit(member.value, value, &found) }
      }
    case (.list(let element, _, _), .array(let elements)): for node in elements { visit(node, element, &found) }
    case (.map(let element), .object(let members)): for member in members { visit(member.value, element, &found) }
    case (.any(let shapes), _): for shape in shapes { visit(node, shape, &found) }
    default: break
    }
  }

  @Test func writer_writesEveryKeyOfTheTable() throws {
    var found: Set<String> = []
    for text in Self.projects {
      let timeline = try Timeline(of: try ProjectFile(text))
      let written = try timeline.projectText()
      #expect(try Timeline(of: try ProjectFile(written)) == timeline)
      let document = try JSON5Reader.read(try SourceText(name: "p", bytes: Array(written.utf8)))
      Self.visit(document, .object("project"), &found)
    }
    let metadata = Set(ProjectSchema.outputMetadataKeys.map { "output.\($0.key)" })
    let apart = Set((ProjectSchema.layers + ProjectSchema.metadataShapes + ProjectSchema.variableShapes).map(\.name))
      .union(["plugin", "video", "titleTemplate", "protectedParts"])
    for shape in ProjectSchema.shapes where !apart.contains(shape.name) {
      let missing = shape.keys.map { "\(shape.name).\($0.key)" }.filter { !found.contains($0) && !Self.others.contains($0) }
      #expect(Set(missing).isSubset(of: metadata), "never written: \(missing)")
    }
  }
}
