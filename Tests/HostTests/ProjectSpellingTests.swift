import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorOverlay
import Foundation
import Testing

/// Older spellings in a project: read as before, and told.
@Suite struct ProjectSpellingTests {
  private func project(
    _ mode: String, _ curve: String, _ curves: String, easing: String,
    keys: (curve: String, curves: String) = ("easing", "easings"), duration: String = "\"1s\""
  ) throws -> ProjectFile {
    try ProjectFile(
      """
      {
        version: 1, output: { size: "320x180", frameRate: 30 },
        assets: { a: { generate: "bars", size: "320x180", duration: "4s" } },
        tracks: [{ clips: [{ asset: "a", duration: "2s", opacity: 0.5 }, { asset: "a", duration: "2s", transition: { type: "wipe", duration: "1s", easing: \(easing) } }] }],
        titles: [{ layer: { bounds: [80, 80], position: [160, 90], backgroundColor: "orange", blendMode: \(mode),
          animations: [
            { property: "opacity", from: 0, duration: \(duration), \(keys.curve): \(curve) },
            { property: "position", values: [[0, 0], [160, 90]], \(keys.curves): [\(curves)], duration: \(duration) },
          ] } }],
      }
      """, name: "film.json5")
  }

  @Test(arguments: [
    (
      "\"colorDodge\"", "\"color-dodge\"", "\"easeInEaseOut\"", "\"ease-in-out\"", "[0.1, 0.2, 0.3, 0.4]",
      "\"cubic-bezier(0.1, 0.2, 0.3, 0.4)\""
    ),
    ("\"plusLighter\"", "\"plus-lighter\"", "\"default\"", "\"ease\"", "{ steps: 4 }", "\"steps(4, jump-end)\""),
    ("\"softLight\"", "\"soft-light\"", "\"easeIn\"", "\"ease-in\"", "\"stepStart\"", "\"step-start\""),
  ])
  func olderSpellings_readTheSameAndSayTheCurrentOne(
    _ mode: String, _ newMode: String, _ curve: String, _ newCurve: String, _ curves: String, _ newCurves: String
  ) throws {
    let old = try project(mode, curve, curves, easing: "\"easeOut\"")
    let new = try project(newMode, newCurve, newCurves, easing: "\"ease-out\"")
    #expect(new.warnings.isEmpty)
    let edits = try [old, new].map { try $0.edit(catalog: MediaCatalog()) }
    #expect(edits[0].videoComposition == edits[1].videoComposition)
    #expect(edits[0] == edits[1] && edits[0].titles.layers.count == 1)
    let warnings = old.warnings
    try #require(warnings.count == 4)
    #expect(
      warnings.map(\.location.path) == [
        "tracks[0].clips[1].transition.easing", "titles[0].layer.blendMode", "titles[0].layer.animations[0].easing",
        "titles[0].layer.animations[1].easings[0]",
      ])
    for (warning, spelling) in zip(warnings, ["\"ease-out\"", newMode, newCurve, newCurves]) {
      #expect(warning.recoverySuggestion == "Write \(spelling).", "\(warning)")
    }
    #expect(warnings[1].location.file == "film.json5:5:\(warnings[1].location.file?.split(separator: ":").last ?? "")")
  }

  @Test func olderKeysAndBareSeconds_readTheSameAndSayTheCurrentOnes() throws {
    let (mode, easing) = ("\"screen\"", "\"ease\"")
    let old = try project(mode, easing, easing, easing: easing, keys: ("curve", "curves"), duration: "1")
    let new = try project(mode, easing, easing, easing: easing)
    #expect(new.warnings.isEmpty)
    #expect(try old.edit(catalog: MediaCatalog()) == new.edit(catalog: MediaCatalog()))
    #expect(
      Set(old.warnings.map { "\($0.location.path ?? ""): \($0.recoverySuggestion ?? "")" }) == [
        "titles[0].layer.animations[0].curve: Write easing.", "titles[0].layer.animations[1].curves: Write easings.",
        "titles[0].layer.animations[0].duration: Write \"1s\".", "titles[0].layer.animations[1].duration: Write \"1s\".",
      ])
  }

  /// One older and one current spelling of the same, in a title, in a layer of a title, in a clip, or in the output.
  struct Pair: Sendable, CustomTestStringConvertible {
    enum Place { case title, layer, clip, output, settings }
    let place: Place
    let old, new: String
    /// What the warning says to write.
    let recoverySuggestion: String
    var testDescription: String { old }

    func project(_ part: String, version: Int) -> String {
      func inserted(at other: Place) -> String { place == other ? part : "" }
      return """
        { version: \(version), output: { size: "320x180", frameRate: 25, \(inserted(at: .output)) video: { \(inserted(at: .settings)) } },
          assets: { a: { generate: "bars", size: "320x180", duration: "4s", tone: 440 } },
          tracks: [{ clips: [{ asset: "a", duration: "2s", \(inserted(at: .clip)) }] }],
          titles: [{ text: "x", \(inserted(at: .title)) }, { layer: { \(inserted(at: .layer)) } }] }
        """
    }
  }

  private static func animation(_ text: String) -> String { "animations: [{ \(text) }]" }

  /// Spellings that both versions take.
  static let pairs: [Pair] = [
    Pair(place: .clip, old: "picture: false", new: "video: false", recoverySuggestion: "Write video."),
    Pair(place: .clip, old: "sound: false", new: "audio: false", recoverySuggestion: "Write audio."),
    Pair(place: .settings, old: "preset: 'fast'", new: "encoderSpeed: 'fast'", recoverySuggestion: "Write encoderSpeed."),
    Pair(
      place: .output, old: "audio: { codec: 'pcm_s24' },", new: "audio: { codec: 'pcm-s24' },",
      recoverySuggestion: "Write \"pcm-s24\"."),
    Pair(
      place: .output, old: "colorConversion: { gamutMapping: 'preserveHue' },",
      new: "colorConversion: { gamutMapping: 'preserve-hue' },", recoverySuggestion: "Write \"preserve-hue\"."),
    Pair(
      place: .output, old: "color: { primaries: 9, transfer: 16, matrix: 9, chroma: 'topLeft' },",
      new: "color: { primaries: 9, transfer: 16, matrix: 9, chroma: 'top-left' },", recoverySuggestion: "Write \"top-left\"."),
    Pair(
      place: .layer, old: "timing: { beginTime: -0.5 }", new: "timing: { beginTime: '-0.5s' }",
      recoverySuggestion: "Write \"-0.5s\"."),
    Pair(
      place: .layer, old: "timing: { duration: 0.1 }", new: "timing: { duration: '100ms' }",
      recoverySuggestion: "Write \"0.1s\"."),
    Pair(
      place: .layer, old: "timing: { repeatDuration: 1.2, duration: '1s' }",
      new: "timing: { repeatDuration: '30f', duration: '00:00:01:00' }", recoverySuggestion: "Write \"1.2s\"."),
    Pair(
      place: .layer, old: "content: { replicator: { instanceDelay: 0.04 } }",
      new: "content: { replicator: { instanceDelay: '1f' } }", recoverySuggestion: "Write \"0.04s\"."),
    Pair(
      place: .layer, old: "content: { emitter: { lifetime: 3 } }", new: "content: { emitter: { lifetime: '3s' } }",
      recoverySuggestion: "Write \"3s\"."),
    Pair(
      place: .layer, old: "content: { emitter: {} }, " + animation("property: 'emitter.lifetime', from: 1.5, duration: '1s'"),
      new: "content: { emitter: {} }, " + animation("property: 'emitter.lifetime', from: '1.5s', duration: '1s'"),
      recoverySuggestion: "Write \"1.5s\"."),
    Pair(
      place: .layer, old: "content: { emitter: { emitterPosition: ['50%', 0.25] } }",
      new: "content: { emitter: { emitterPosition: { x: '50%', y: '25%' } } }", recoverySuggestion: "Write \"25%\"."),
    Pair(
      place: .layer, old: "bounds: { origin: { x: 1, y: 2 }, size: { width: 3, height: 4 } }",
      new: "bounds: { x: 1, y: 2, width: 3, height: 4 }", recoverySuggestion: "Write { x, y, width, height }."),
    Pair(
      place: .layer,
      old: "content: { image: { image: 'a', contentsRect: { origin: { x: 0, y: 0 }, size: { width: 1, height: 0.5 } } } }",
      new: "content: { image: { image: 'a', contentsRect: { x: 0, y: 0, width: 1, height: '50%' } } }",
      recoverySuggestion: "Write { x, y, width, height }."),
    Pair(
      place: .layer, old: "content: { shape: { fillRule: 'evenOdd' } }", new: "content: { shape: { fillRule: 'even-odd' } }",
      recoverySuggestion: "Write \"even-odd\"."),
    Pair(
      place: .layer, old: "content: { shape: { fillRule: 'nonZero' } }", new: "content: { shape: { fillRule: 'non-zero' } }",
      recoverySuggestion: "Write \"non-zero\"."),
    Pair(
      place: .layer, old: "content: { image: { image: 'a', gravity: 'resizeAspectFill' } }",
      new: "content: { image: { image: 'a', gravity: 'resize-aspect-fill' } }",
      recoverySuggestion: "Write \"resize-aspect-fill\"."),
    Pair(
      place: .layer, old: "content: { image: { image: 'a', gravity: 'bottomRight' } }",
      new: "content: { image: { image: 'a', gravity: 'bottom-right' } }", recoverySuggestion: "Write \"bottom-right\"."),
    Pair(
      place: .layer, old: animation("transition: { kind: 'moveIn' }"), new: animation("transition: { kind: 'move-in' }"),
      recoverySuggestion: "Write \"move-in\"."),
    Pair(
      place: .layer, old: animation("property: 'opacity', values: [0, 1], mode: 'cubicPaced'"),
      new: animation("property: 'opacity', values: [0, 1], mode: 'cubic-paced'"), recoverySuggestion: "Write \"cubic-paced\"."),
    Pair(
      place: .layer, old: animation("property: 'position', path: 'M 0 0 L 9 9', rotation: 'autoReverse'"),
      new: animation("property: 'position', path: 'M 0 0 L 9 9', rotation: 'auto-reverse'"),
      recoverySuggestion: "Write \"auto-reverse\"."),
  ]

  @Test(arguments: pairs, [1, 2])
  func olderSpelling_inEitherVersion_readsTheSameWithOneWarning(_ pair: Pair, version: Int) throws {
    let old = try ProjectFile(pair.project(pair.old, version: version))
    let new = try ProjectFile(pair.project(pair.new, version: version))
    #expect(new.warnings.isEmpty, "\(new.warnings)")
    #expect(old.warnings.map(\.recoverySuggestion) == [pair.recoverySuggestion], "\(old.warnings)")
    #expect(try old.edit(catalog: MediaCatalog()) == new.edit(catalog: MediaCatalog()))
    #expect(old.output == new.output)
  }

  /// What a bare number means is what the version says.
  static let versions: [Pair] = [
    Pair(
      place: .layer, old: "transform: { rotationZ: 0.5235987755982988 }", new: "transform: { rotationZ: 30 }",
      recoverySuggestion: "here 30."),
    Pair(
      place: .layer, old: "sublayerTransform: { rotationY: -1.5707963267948966 }", new: "sublayerTransform: { rotationY: -90 }",
      recoverySuggestion: "here -90."),
    Pair(
      place: .layer, old: "content: { replicator: { instanceTransform: { rotationX: 0.7853981633974483 } } }",
      new: "content: { replicator: { instanceTransform: { rotationX: 45 } } }", recoverySuggestion: "here 45."),
    Pair(
      place: .layer, old: "content: { emitter: { emissionRange: 3.141592653589793 } }",
      new: "content: { emitter: { emissionRange: 180 } }", recoverySuggestion: "here 180."),
    Pair(
      place: .layer, old: "content: { emitter: { spin: 6.283185307179586 } }", new: "content: { emitter: { spin: 360 } }",
      recoverySuggestion: "here 360."),
    Pair(
      place: .layer, old: animation("property: 'transform.rotation', from: 0, to: 6.283185307179586"),
      new: animation("property: 'transform.rotation', from: 0, to: 360"), recoverySuggestion: "here 360."),
    Pair(
      place: .layer, old: animation("property: 'sublayerTransform.rotation.x', values: [0, 1.5707963267948966]"),
      new: animation("property: 'sublayerTransform.rotation.x', values: [0, 90]"), recoverySuggestion: "here 90."),
    Pair(place: .title, old: "size: 0.08", new: "size: '8%'", recoverySuggestion: "Write \"8%\"."),
    Pair(place: .title, old: "size: 0.125", new: "size: 22.5", recoverySuggestion: "Write \"12.5%\"."),
    Pair(place: .title, old: "outlineWidth: 0.004", new: "outlineWidth: '0.4%'", recoverySuggestion: "Write \"0.4%\"."),
    Pair(place: .title, old: "position: ['50%', 0.75]", new: "position: [160, '75%']", recoverySuggestion: "Write \"75%\"."),
  ]

  @Test(arguments: versions) func units_ofVersion1_areReadAsTheyWereMeant(_ pair: Pair) throws {
    let old = try ProjectFile(pair.project(pair.old, version: 1))
    let new = try ProjectFile(pair.project(pair.new, version: 2))
    #expect(new.warnings.isEmpty, "\(new.warnings)")
    #expect(
      old.warnings.count == 1 && old.warnings[0].recoverySuggestion?.hasSuffix(pair.recoverySuggestion) == true,
      "\(old.warnings)")
    #expect(try old.edit(catalog: MediaCatalog()) == new.edit(catalog: MediaCatalog()))
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
      let file = try ProjectFile(Pair(place: .layer, old: "", new: "", recoverySuggestion: "").project(text, version: 2))
      #expect(file.warnings.isEmpty)
      return try file.edit(catalog: MediaCatalog())
    }
    #expect(edits[0] == edits[1])
  }

  @Test func percent_ofAClipsPlace_isPixels() throws {
    func edit(_ transform: String) throws -> Edit {
      try ProjectFile(
        Pair(place: .clip, old: "", new: "", recoverySuggestion: "").project("transform: \(transform)", version: 2)
      )
      .edit(catalog: MediaCatalog())
    }
    #expect(try edit("{ x: '75%', y: '12.5%' }") == edit("{ x: 240, y: 22.5 }"))
    #expect(
      try edit("[{ at: 0, x: '0%' }, { at: '1s', x: '110%' }]") == edit("[{ at: 0, x: 0 }, { at: '1s', x: 352 }]"))
    #expect(try edit("{ x: '75vw', y: '12.5vmin' }") == edit("{ x: 240, y: 22.5 }"))
  }

  @Test(arguments: [
    ("titles[0].size", Pair.Place.title, "size: '8 %'", "not a length"), ("titles[0].size", .title, "size: 0.08", "outside"),
    ("titles[0].size", .title, "size: '108%'", "outside"),
    ("tracks[0].clips[0].transform.x", .clip, "transform: { x: '5' }", "not a length"),
    ("titles[1].layer.layout", .layer, "layout: { left: 1, right: 1, width: 3 }", "contradicts itself"),
    ("titles[1].layer.layout", .layer, "layout: { width: 3, height: 4, aspectRatio: 1 }", "contradicts itself"),
    ("titles[1].layer", .layer, "layout: { left: 1 }, position: [3, 4]", "contradicts position.x"),
    ("titles[1].layer", .layer, "layout: { width: 1 }, bounds: [3, 4]", "contradicts the width of its bounds"),
    ("titles[1].layer.layout.lefft", .layer, "layout: { lefft: 1 }", "no key"),
    ("titles[1].layer.layout.left", .layer, "layout: { left: '5em' }", "not a length"),
    ("titles[1].layer.anchorPoint[0]", .layer, "anchorPoint: ['5vw', 0]", "layer's own bounds"),
    ("titles[1].layer.position[0]", .layer, "position: ['half', 3]", "not a length"),
    ("titles[1].layer.timing.duration", .layer, "timing: { duration: '3' }", "not a time"),
    ("titles[1].layer.timing.beginTime", .layer, "timing: { beginTime: '--3s' }", "not a time"),
    ("titles[1].layer.timing.duration", .layer, "timing: { duration: '-3s' }", "negative time"),
    ("titles[1].layer.transform.rotationZ", .layer, "transform: { rotationZ: '30deg' }", "a number"),
    ("titles[1].layer.animations[0].esing", .layer, "animations: [{ property: 'opacity', to: 1, esing: 'ease' }]", "no key"),
    ("tracks[0].clips[0].sound", .clip, "sound: true, audio: true", "older key"),
  ])
  func mistakes_inTheDialect_areReportedAtTheirPlace(path: String, place: Pair.Place, part: String, message: String) throws {
    let error = #expect(throws: CompositorError.self) {
      try ProjectFile(Pair(place: place, old: "", new: "", recoverySuggestion: "").project(part, version: 2))
    }
    #expect(error?.location.path == path && error?.message.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  /// Stored edits keep their units, and speak the same words as projects; words of before are read.
  @Test func edit_asJSON_keepsItsRoundTripAndReadsOlderWords() throws {
    let titles = """
      content: { shape: { path: 'M 0 0 L 9 9', fillRule: 'even-odd' } }, transform: { rotationZ: 30 },
      animations: [{ property: 'opacity', values: [0, 1], mode: 'cubic-paced', easings: ['ease-in'], easing: 'steps(3)', duration: '1s' }]
      """
    let edit = try ProjectFile(Pair(place: .layer, old: "", new: "", recoverySuggestion: "").project(titles, version: 2))
      .edit(catalog: MediaCatalog())
    let data = try JSONEncoder().encode(edit)
    #expect(try JSONDecoder().decode(Edit.self, from: data) == edit)
    var text = String(decoding: data, as: UTF8.self)
    for (new, old) in [
      ("\"even-odd\"", "\"evenOdd\""), ("\"cubic-paced\"", "\"cubicPaced\""), ("\"easings\":", "\"curves\":"),
      ("\"easing\":", "\"curve\":"),
    ] {
      #expect(text.contains(new))
      text = text.replacingOccurrences(of: new, with: old)
    }
    #expect(try JSONDecoder().decode(Edit.self, from: Data(text.utf8)) == edit)
  }

  @Test func titles_takeTheModesOfSection92() throws {
    for mode in ["hue", "saturation", "color", "luminosity"] {
      let file = try project("\"\(mode)\"", "\"linear\"", "\"linear\"", easing: "\"linear\"")
      #expect(file.warnings.isEmpty)
      let title = try #require(try file.edit(catalog: MediaCatalog()).titles.layers.first)
      #expect(title.sublayers[0].blendMode.rawValue == mode)
    }
  }
}
