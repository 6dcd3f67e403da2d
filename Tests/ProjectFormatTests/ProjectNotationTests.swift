import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorOverlay
import Foundation
import Testing

/// The notation of projects: units, enumerated values and where mistakes in them are reported.
@Suite struct ProjectNotationTests {
  /// A part of a project: of a title, of a layer of a title, of a clip, or of the output.
  struct Part: Sendable, CustomTestStringConvertible {
    enum Place { case title, layer, clip, output, settings }
    let place: Place
    let text: String
    var testDescription: String { text }

    init(_ place: Place, _ text: String) { (self.place, self.text) = (place, text) }

    var project: String {
      func inserted(at other: Place) -> String { place == other ? text : "" }
      return """
        { version: 1, output: { size: "320x180", frameRate: 25, \(inserted(at: .output)) video: { \(inserted(at: .settings)) } },
          assets: { a: { generate: "bars", size: "320x180", duration: "4s", tone: 440 } },
          tracks: [{ clips: [{ asset: "a", duration: "2s", \(inserted(at: .clip)) }] }],
          titles: [{ text: "x", \(inserted(at: .title)) }, { layer: { \(inserted(at: .layer)) } }] }
        """
    }
  }

  private static func animation(_ text: String) -> String { "animations: [{ \(text) }]" }

  /// Parts that the reader and the schema accept.
  static let parts: [Part] = [
    Part(.clip, "video: false"),
    Part(.clip, "audio: false"),
    Part(.settings, "encoderSpeed: 'fast'"),
    Part(.output, "audio: { codec: 'pcm-s24' },"),
    Part(.output, "colorConversion: { gamutMapping: 'preserve-hue' },"),
    Part(.output, "color: { primaries: 9, transfer: 16, matrix: 9, chroma: 'top-left' },"),
    Part(.layer, "timing: { beginTime: '-0.5s' }"),
    Part(.layer, "timing: { beginTime: '-12f', relativeTo: 'end' }"),
    Part(
      .layer, animation("property: 'opacity', to: 0, beginTime: '-0.5s', relativeTo: 'end', easing: 'linear(0, 1.2 50%, 1)'")),
    Part(.layer, animation("property: 'opacity', to: 0, easing: 'linear(0 , 25% 75% .25 , 1e0)'")),
    Part(.layer, animation("property: 'opacity', to: 0, easing: 'elastic-in-out'")),
    Part(.layer, animation("property: 'position', by: ['1%', 5], wiggle: { frequency: 0.5, seed: 3 }")),
    Part(.layer, animation("property: 'transform.rotation', by: 5, wiggle: {}, beginTime: '-1s', relativeTo: 'end'")),
    Part(.layer, animation("property: 'transform.scale', to: 1.3, audio: {}")),
    Part(
      .layer,
      animation(
        "property: 'opacity', from: '20%', to: 1, audio: { track: 0, band: [40, 150], attack: '1f', release: '0.3s', floor: '-40dB', ceiling: '-6dB' }"
      )),
    Part(.layer, "timing: { duration: '100ms' }"),
    Part(.layer, "timing: { repeatDuration: '30f', duration: '00:00:01:00' }"),
    Part(.layer, "content: { replicator: { instanceDelay: '1f' } }"),
    Part(.layer, "content: { emitter: { lifetime: '3s' } }"),
    Part(.layer, "content: { emitter: {} }, " + animation("property: 'emitter.lifetime', from: '1.5s', duration: '1s'")),
    Part(.layer, "content: { emitter: { emitterPosition: { x: '50%', y: '25%' } } }"),
    Part(.layer, "bounds: { x: 1, y: 2, width: 3, height: 4 }"),
    Part(.layer, "content: { image: { image: 'a', contentsRect: { x: 0, y: 0, width: 1, height: '50%' } } }"),
    Part(.layer, "content: { shape: { fillRule: 'even-odd' } }"),
    Part(.layer, "content: { shape: { fillRule: 'non-zero' } }"),
    Part(.layer, "content: { image: { image: 'a', gravity: 'resize-aspect-fill' } }"),
    Part(.layer, "content: { image: { image: 'a', gravity: 'bottom-right' } }"),
    Part(.layer, animation("transition: { kind: 'move-in' }")),
    Part(.layer, animation("property: 'opacity', values: [0, 1], mode: 'cubic-paced'")),
    Part(.layer, animation("property: 'position', path: 'M 0 0 L 9 9', rotation: 'auto-reverse'")),
    Part(.layer, "transform: { rotationZ: 30 }"),
    Part(.layer, "sublayerTransform: { rotationY: -90 }"),
    Part(.layer, "content: { replicator: { instanceTransform: { rotationX: 45 } } }"),
    Part(.layer, "content: { emitter: { emissionRange: 180 } }"),
    Part(.layer, "content: { emitter: { spin: 360 } }"),
    Part(.layer, animation("property: 'transform.rotation', from: 0, to: 360")),
    Part(.layer, animation("property: 'sublayerTransform.rotation.x', values: [0, 90]")),
    Part(.title, "size: '8%'"),
    Part(.title, "size: 22.5"),
    Part(.title, "outlineWidth: '0.4%'"),
    Part(.title, "position: [160, '75%']"),
  ]

  /// Parts that the reader refuses. The schema refuses them too, except for values that another key determines.
  static let mistakes: [Part] = [
    Part(.clip, "picture: false"),
    Part(.clip, "sound: false"),
    Part(.settings, "preset: 'fast'"),
    Part(.output, "audio: { codec: 'pcm_s24' },"),
    Part(.output, "colorConversion: { gamutMapping: 'preserveHue' },"),
    Part(.output, "color: { primaries: 9, transfer: 16, matrix: 9, chroma: 'topLeft' },"),
    Part(.layer, "timing: { beginTime: -0.5 }"),
    Part(.layer, "timing: { duration: 0.1 }"),
    Part(.layer, animation("property: 'opacity', to: 1, audio: { floor: -40 }")),
    Part(.layer, animation("property: 'opacity', to: 1, audio: { band: [40] }")),
    Part(.layer, animation("property: 'opacity', to: 1, audio: { attack: 0.1 }")),
    Part(.layer, "timing: { repeatDuration: 1.2, duration: '1s' }"),
    Part(.layer, "content: { replicator: { instanceDelay: 0.04 } }"),
    Part(.layer, "content: { emitter: { lifetime: 3 } }"),
    Part(.layer, "content: { emitter: {} }, " + animation("property: 'emitter.lifetime', from: 1.5, duration: '1s'")),
    Part(.layer, "content: { emitter: { emitterPosition: ['50%', 0.25] } }"),
    Part(.layer, "bounds: { origin: { x: 1, y: 2 }, size: { width: 3, height: 4 } }"),
    Part(
      .layer, "content: { image: { image: 'a', contentsRect: { origin: { x: 0, y: 0 }, size: { width: 1, height: 0.5 } } } }"),
    Part(.layer, "content: { shape: { fillRule: 'evenOdd' } }"),
    Part(.layer, "content: { shape: { fillRule: 'nonZero' } }"),
    Part(.layer, "content: { image: { image: 'a', gravity: 'resizeAspectFill' } }"),
    Part(.layer, "content: { image: { image: 'a', gravity: 'bottomRight' } }"),
    Part(.layer, animation("transition: { kind: 'moveIn' }")),
    Part(.layer, animation("property: 'opacity', values: [0, 1], mode: 'cubicPaced'")),
    Part(.layer, animation("property: 'position', path: 'M 0 0 L 9 9', rotation: 'autoReverse'")),
    Part(.layer, animation("property: 'opacity', to: 1, easing: 'easeInEaseOut'")),
    Part(.layer, animation("property: 'opacity', to: 1, easing: [0.1, 0.2, 0.3, 0.4]")),
    Part(.layer, animation("property: 'opacity', to: 1, easing: { steps: 4 }")),
    Part(.layer, animation("property: 'opacity', to: 1, curve: 'ease-in'")), Part(.layer, "blendMode: 'plusLighter'"),
  ]

  @Test(arguments: parts) func part_isRead(_ part: Part) throws {
    _ = try ProjectFile(part.project).edit(catalog: MediaCatalog())
  }

  @Test(arguments: mistakes) func mistake_isRefusedAtItsPlace(_ part: Part) throws {
    let error = #expect(throws: CompositorError.self) { try ProjectFile(part.project) }
    #expect(error?.code == .invalidProject && error?.location.path != nil, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func angles_areInDegrees() throws {
    let text = """
      transform: { rotationZ: 30 }, sublayerTransform: { rotationY: -90 },
      animations: [{ property: 'transform.rotation', from: 0, to: 360, duration: '1s' }]
      """
    let edit = try ProjectFile(Part(.layer, text).project).edit(catalog: MediaCatalog())
    let layer = try #require(edit.titles.layers.last?.sublayers.first)
    #expect(abs(layer.transform.rotationZ - .pi / 6) < 1e-12 && abs(layer.sublayerTransform.rotationY + .pi / 2) < 1e-12)
    guard case .basic(_, _, let end, _) = layer.animations.first?.kind else {
      Issue.record("no animation")
      return
    }
    #expect(end == .numbers([2 * .pi]))
  }

  @Test(arguments: [
    ("bounds: [320, 90], position: [160, 45]", "bounds: ['100%', '50%'], position: ['50%', '25%']"),
    ("bounds: [32, 18, 64, 36]", "bounds: ['10%', '10%', '20%', '20%']"),
    ("position: { x: -32, y: 9 }", "position: { x: '-10%', y: '5%' }"),
    ("transform: { translationX: 80, translationY: 45 }", "transform: { translationX: '25%', translationY: '25%' }"),
    ("shadowOffset: [3.2, 1.8], cornerRadius: 9", "shadowOffset: ['1%', '1%'], cornerRadius: '5%'"),
    (
      "content: { text: { font: { size: 18 }, maximumWidth: 160 } }",
      "content: { text: { font: { size: '10%' }, maximumWidth: '50%' } }"
    ),
    (
      "position: [32, 18], cornerRadius: 32, content: { text: { font: { size: 9 }, padding: 3.2, outlineWidth: 1.8 } }",
      "position: ['10vw', '10vh'], cornerRadius: '10vmax', content: { text: { font: { size: '5vmin' }, padding: '1vmax', outlineWidth: '1vmin' } }"
    ),
    ("bounds: [18, 18], position: [-32, 3.6]", "bounds: { width: '10vmin', height: '10vmin' }, position: ['-10vmax', '2vmin']"),
    (
      "anchorPoint: [0.25, 1], content: { gradient: { colors: ['red'], startPoint: { x: 0.1, y: 0 } } }",
      "anchorPoint: ['25%', '100%'], content: { gradient: { colors: ['red'], startPoint: { x: '10%', y: '0%' } } }"
    ),
    (
      "zPosition: 18, perspective: 180, content: { emitter: { velocity: 18, acceleration: [32, 0], emitterSize: [32, 18] } }",
      "zPosition: '10%', perspective: '100vh', content: { emitter: { velocity: '10vmin', acceleration: { x: '10%', y: 0 }, emitterSize: { width: '10%', height: '10%' } } }"
    ),
    (
      "content: { shape: { path: { union: [{ rect: { width: 32, height: 18 } }, { difference: ['M 0 0 h 90 v 9 z', { circle: { center: [32, 9], radius: 3.6 } }] }] } } }",
      "content: { shape: { path: { union: [{ rect: { width: '10%', height: '10%' } }, { difference: ['M 0 0 h 90 v 9 z', { circle: { center: ['10%', 9], radius: '2%' } }] }] } } }"
    ),
    ("layout: { left: 32, width: 18, top: 1 }", "layout: { left: '10vw', width: '10vmin', top: 1 }"),
    (
      "content: { image: { image: 'a', contentsRect: [0, 0, 0.5, 1] } }, animations: [{ property: 'contentsRect', to: [0.5, 0, 0.5, 1] }]",
      "content: { image: { image: 'a', contentsRect: { x: 0, y: 0, width: '50%', height: 1 } } }, animations: [{ property: 'contentsRect', to: ['50%', 0, '50%', 1] }]"
    ),
    ("sublayers: [{ sublayers: [{ position: [160, 90] }] }]", "sublayers: [{ sublayers: [{ position: ['50%', '50%'] }] }]"),
    (
      "animations: [{ property: 'position', values: [[0, 0], [320, 180]] }, { property: 'position.y', by: 18 }]",
      "animations: [{ property: 'position', values: [[0, 0], ['100%', '100%']] }, { property: 'position.y', by: '10%' }]"
    ),
  ])
  func percent_ofTheCanvas_isPixels(pixels: String, percent: String) throws {
    let edits = try [pixels, percent].map { text in
      let file = try ProjectFile(Part(.layer, text).project)
      return try file.edit(catalog: MediaCatalog())
    }
    #expect(edits[0] == edits[1])
  }

  @Test func percent_ofAClipsPlace_isPixels() throws {
    func edit(_ transform: String) throws -> Edit {
      try ProjectFile(
        Part(.clip, "transform: \(transform)").project
      )
      .edit(catalog: MediaCatalog())
    }
    #expect(try edit("{ x: '75%', y: '12.5%' }") == edit("{ x: 240, y: 22.5 }"))
    #expect(
      try edit("[{ at: 0, x: '0%' }, { at: '1s', x: '110%' }]") == edit("[{ at: 0, x: 0 }, { at: '1s', x: 352 }]"))
    #expect(try edit("{ x: '75vw', y: '12.5vmin' }") == edit("{ x: 240, y: 22.5 }"))
  }

  @Test(arguments: [
    ("titles[0].size", Part.Place.title, "size: '8 %'", "not a length"), ("titles[0].size", .title, "size: 0.08", "outside"),
    ("titles[0].size", .title, "size: '108%'", "outside"),
    ("tracks[0].clips[0].transform.x", .clip, "transform: { x: '5' }", "not a length"),
    ("titles[1].layer.layout", .layer, "layout: { left: 1, right: 1, width: 3 }", "contradicts itself"),
    ("titles[1].layer.layout", .layer, "layout: { width: 3, height: 4, aspectRatio: 1 }", "contradicts itself"),
    ("titles[1].layer", .layer, "layout: { left: 1 }, position: [3, 4]", "contradicts position.x"),
    ("titles[1].layer", .layer, "layout: { width: 1 }, bounds: [3, 4]", "contradicts the width of its bounds"),
    ("titles[1].layer.flex", .layer, "flex: { gap: -3 }", "a gap of -3 pixels"),
    ("titles[1].layer", .layer, "flex: {}, content: { text: { string: 'x' } }", "is a text"),
    ("titles[1].layer.flex.direction", .layer, "flex: { direction: 'rows' }", "row"),
    ("titles[1].layer.layout.lefft", .layer, "layout: { lefft: 1 }", "no key"),
    ("titles[1].layer.layout.left", .layer, "layout: { left: '5em' }", "not a length"),
    ("titles[1].layer.anchorPoint[0]", .layer, "anchorPoint: ['5vw', 0]", "layer's own bounds"),
    ("titles[1].layer.position[0]", .layer, "position: ['half', 3]", "not a length"),
    ("titles[1].layer.timing.duration", .layer, "timing: { duration: '3' }", "not a time"),
    ("titles[1].layer.timing.beginTime", .layer, "timing: { beginTime: '--3s' }", "not a time"),
    ("titles[1].layer.timing.duration", .layer, "timing: { duration: '-3s' }", "negative time"),
    ("titles[1].layer.transform.rotationZ", .layer, "transform: { rotationZ: '30deg' }", "a number"),
    ("titles[1].layer.animations[0].esing", .layer, "animations: [{ property: 'opacity', to: 1, esing: 'ease' }]", "no key"),
    ("tracks[0].clips[0].audoi", .clip, "audoi: true", "no key"),
    ("titles[1].layer.timing.duration", .layer, "timing: { duration: 3 }", "no unit"),
    ("titles[1].layer.timing.beginTime", .layer, "timing: { beginTime: -0.5 }", "no unit"),
    (
      "titles[1].layer.content.emitter.emitterPosition[1]", .layer, "content: { emitter: { emitterPosition: ['50%', 0.25] } }",
      "no unit"
    ),
    ("titles[1].layer.animations[0].easing", .layer, animation("property: 'opacity', to: 1, easing: 'easeIn'"), "not possible"),
    (
      "titles[1].layer.animations[0].easing", .layer, animation("property: 'opacity', to: 1, easing: [0, 0, 1, 1]"),
      "Expected a string"
    ),
    ("titles[1].layer.blendMode", .layer, "blendMode: 'colorDodge'", "not possible"),
  ])
  func mistakes_inTheDialect_areReportedAtTheirPlace(path: String, place: Part.Place, part: String, message: String) throws {
    let error = #expect(throws: CompositorError.self) {
      try ProjectFile(Part(place, part).project)
    }
    #expect(error?.location.path == path && error?.message.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  /// Values in the form of other programs are answered with those of projects.
  @Test(arguments: [
    ("cornerRadii: { topLeft: 20 }", "[20, 0, 0, 0]"), ("cornerRadii: 20", "[20, 20, 20, 20]"),
    ("cornerRadii: '5%'", "[\"5%\", \"5%\", \"5%\", \"5%\"]"),
    ("flex: { padding: [4, 8] }", "{ top: 4, right: 8, bottom: 4, left: 8 }"),
    ("flex: { padding: [1, 2, 3] }", "{ top: 1, right: 2, bottom: 3, left: 2 }"),
    ("flex: { padding: [1, '2%', 3, 4] }", "{ top: 1, right: \"2%\", bottom: 3, left: 4 }"),
    ("flex: { padding: { top: -1 } }", "0 to 1000000"),
  ])
  func boxValue_ofAnotherForm_isAnswered(_ part: String, _ advice: String) throws {
    let error = #expect(throws: CompositorError.self) { try ProjectFile(Part(.layer, part).project) }
    #expect(error?.recoverySuggestion?.contains(advice) == true, "\(error.map { "\($0)" } ?? "")")
  }

  /// The help on a missing key, and on a string in place of an object, says what to write.
  @Test(arguments: [
    ("effects: [{ at: '1s', use: 'color', hue: 20 }]", "such as duration: \"2s\""),
    ("tracks: [{ clips: [{ asset: 'a', effects: [{ use: 'color', hue: 20, mask: 'a' }] }] }]", "Write { asset: \"a\" }."),
  ])
  func help_saysWhatToWrite(_ part: String, _ advice: String) throws {
    let rest = part.hasPrefix("tracks") ? part : "tracks: [{ clips: [{ asset: 'a' }] }], \(part)"
    let error = #expect(throws: CompositorError.self) {
      try ProjectFile("{ version: 1, assets: { a: { generate: 'bars', duration: '2s' } }, \(rest) }")
    }
    #expect(error?.recoverySuggestion?.contains(advice) == true, "\(error.map { "\($0)" } ?? "")")
  }

  /// Stored edits have the units of the API, and the words of projects.
  @Test func edit_asJSON_keepsItsRoundTrip() throws {
    let titles = """
      content: { shape: { path: 'M 0 0 L 9 9', fillRule: 'even-odd' } }, transform: { rotationZ: 30 },
      animations: [{ property: 'opacity', values: [0, 1], mode: 'cubic-paced', easings: ['ease-in'], easing: 'steps(3)', duration: '1s' }]
      """
    let edit = try ProjectFile(Part(.layer, titles).project).edit(catalog: MediaCatalog())
    let data = try JSONEncoder().encode(edit)
    #expect(try JSONDecoder().decode(Edit.self, from: data) == edit)
    let text = String(decoding: data, as: UTF8.self)
    for word in ["\"even-odd\"", "\"cubic-paced\"", "\"easings\":", "\"easing\":"] { #expect(text.contains(word), "\(word)") }
  }

  @Test(arguments: ["hue", "saturation", "color", "luminosity", "color-dodge", "plus-lighter"])
  func layer_takesABlendMode(_ mode: String) throws {
    let edit = try ProjectFile(Part(.layer, "blendMode: '\(mode)'").project).edit(catalog: MediaCatalog())
    #expect(edit.titles.layers.contains { layer in ([layer] + layer.sublayers).contains { $0.blendMode.rawValue == mode } })
  }
}
