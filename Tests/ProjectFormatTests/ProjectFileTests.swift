import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import Testing

@Suite struct ProjectFileTests {
  /// A project that says nothing wrong, with `change` made to it.
  static func project(_ from: String = "", _ to: String = "") -> String {
    let text = """
      {
        version: 1,
        output: { size: "640x360", frameRate: 25 },
        assets: { a: { generate: "bars" }, b: "b.mp4" },
        tracks: [
          { name: "main", clips: [
            { asset: "a", duration: "2s" },
            { asset: "a", duration: "2s", transition: { type: "dissolve", duration: "1s" } },
          ] },
        ],
      }
      """
    return from.isEmpty ? text : text.replacingOccurrences(of: from, with: to)
  }

  struct Mistake: Sendable, CustomStringConvertible {
    var from, to, place, path, message, recoverySuggestion: String

    init(_ from: String, _ to: String, _ place: String, _ path: String, _ message: String, _ recoverySuggestion: String) {
      (self.from, self.to, self.place, self.path, self.message, self.recoverySuggestion) = (
        from, to, place, path, message, recoverySuggestion
      )
    }

    var description: String { "\(path): \(message)" }
  }

  static let mistakes: [Mistake] = [
    Mistake("version: 1,", "", "1:1", "", "does not say its version", "version: 1"),
    Mistake("version: 1", "version: 2", "2:12", "version", "version 2", "version: 1"),
    Mistake("version: 1", "version: 0", "2:12", "version", "version 0", "version: 1"),
    Mistake("frameRate", "framerate", "3:30", "output.framerate", "no key \"framerate\"", "Did you mean \"frameRate\"?"),
    Mistake("\"640x360\"", "\"640*360\"", "3:19", "output.size", "not a size", "Write \"640x360\"."),
    Mistake("\"640x360\"", "\"99999x1\"", "3:19", "output.size", "1 to 16384", ""),
    Mistake("25 }", "0 }", "3:41", "output.frameRate", "ratio", "30000/1001"),
    Mistake("\"bars\"", "\"bras\"", "4:28", "assets.a.generate", "\"bras\"", "Did you mean \"bars\"?"),
    Mistake(
      "generate: \"bars\"", "generate: \"bars\", angle: 3", "4:36", "assets.a.angle", "means nothing",
      "Possible: generate"),
    Mistake(
      "generate: \"bars\"", "generate: \"bars\", file: \"x\"", "4:36", "assets.a.file", "exclude each other", "Keep one"),
    Mistake("{ generate: \"bars\" }", "{ size: \"8x8\" }", "4:16", "assets.a", "no media", "file, images, generate or titles"),
    Mistake(
      "{ asset: \"a\", duration: \"2s\" }", "{ asset: \"aa\", duration: \"2s\" }", "7:16", "tracks[0].clips[0].asset",
      "no asset \"aa\"",
      "Did you mean \"a\"?"),
    Mistake("\"2s\" }", "2 }", "7:31", "tracks[0].clips[0].duration", "no unit", "48f"),
    Mistake("\"2s\" }", "\"2\" }", "7:31", "tracks[0].clips[0].duration", "not a time", "\"2s\" for seconds"),
    Mistake("\"2s\" }", "\"00:00:00:25\" }", "7:31", "tracks[0].clips[0].duration", "from 0 to 24", ""),
    Mistake(
      "duration: \"2s\" }", "duraton: \"2s\" }", "7:21", "tracks[0].clips[0].duraton", "no key", "Did you mean \"duration\"?"),
    Mistake(
      "\"dissolve\"", "\"desolve\"", "8:57", "tracks[0].clips[1].transition.type", "not possible", "Did you mean \"dissolve\"?"),
    Mistake(
      "type: \"dissolve\", duration: \"1s\"", "type: \"dissolve\"", "8:49", "tracks[0].clips[1].transition",
      "\"duration\" is missing", "How long"),
    Mistake(
      "type: \"dissolve\"", "type: \"dissolve\", direction: \"up\"", "8:49", "tracks[0].clips[1].transition", "no direction",
      "push"),
    Mistake(
      "duration: \"1s\"", "duration: \"3s\"", "8:49", "tracks[0].clips[1].transition", "3 s, longer than the 2 s before it",
      "Shorten"),
    Mistake(
      "duration: \"2s\" }", "duration: \"2s\", volume: -6 }", "7:45", "tracks[0].clips[0].volume", "outside", "\"-6dB\""),
    Mistake(
      "duration: \"2s\" }", "duration: \"2s\", borderColor: \"oragne\" }", "7:50", "tracks[0].clips[0].borderColor",
      "not a color", "Did you mean \"orange\"?"),
    Mistake(
      "{ type: \"dissolve\", duration: \"1s\" }", "\"dissolve\"", "8:49", "tracks[0].clips[1].transition",
      "Expected an object (a transition), but found a string", "in braces"),
    Mistake(
      "duration: \"2s\" }", "duration: \"2s\", opacity: 1.5 }", "7:46", "tracks[0].clips[0].opacity", "outside 0 to 1", ""),
    Mistake("duration: \"2s\" }", "duration: \"2s\", opacity: NaN }", "7:46", "tracks[0].clips[0].opacity", "finite", ""),
    Mistake(
      "duration: \"2s\" }", "duration: \"2s\", opacity: [{ at: \"1s\", value: 1 }, { at: \"1s\", value: 0 }] }", "7:77",
      "tracks[0].clips[0].opacity[1].at", "rising", "after 1"),
    Mistake(
      "duration: \"2s\" }", "duration: \"2s\", transform: { x: 1, matrix: [1,0,0,1,0,0] } }", "7:56",
      "tracks[0].clips[0].transform.matrix", "exclude", ""),
    Mistake(
      "duration: \"2s\" }", "duration: \"2s\", transform: { matrix: [1,0,0,1] } }", "7:58",
      "tracks[0].clips[0].transform.matrix", "4 values", ""),
    Mistake(
      "duration: \"2s\" }", "duration: \"2s\", speed: 20000 }", "7:44", "tracks[0].clips[0].speed", "20000", "1/10000 to 10000"),
    Mistake(
      "],\n}", "],\n  instructions: [{ duration: \"3s\", layers: [] }],\n}", "11:17", "instructions", "exclude each other",
      "two tracks"),
    Mistake(
      "],\n}", "],\n  effects: [{ at: \"9s\", duration: \"1s\", compositor: \"x\" }],\n}", "11:13", "effects[0]", "not inside",
      ""),
    Mistake(
      "tracks: [", "tracks: [ { name: \"main\", clips: [{ asset: \"a\", duration: \"1s\" }] },", "6:13", "tracks[1].name",
      "\"main\" of a track before", ""),
  ]

  @Test(arguments: mistakes)
  func reading_mistake_namesPlacePathAndRecoverySuggestion(_ mistake: Mistake) throws {
    let error = try #require(throws: CompositorError.self) {
      let project = try ProjectFile(Self.project(mistake.from, mistake.to), name: "p.json5")
      let media = ClipMedia(
        picture: .init(shape: SourcePlacement(size: PixelSize(width: 640, height: 360)), end: nil))
      do throws(CompositorError) {
        _ = try project.timeline(catalog: MediaCatalog()).edit { _ in media }
      } catch {
        throw project.locating(error)
      }
    }
    #expect(error.location.place == "p.json5:\(mistake.place)" && error.location.file == "p.json5")
    #expect(error.location.path ?? "" == mistake.path)
    #expect(error.message.contains(mistake.message), "\(error.message)")
    #expect(
      mistake.recoverySuggestion.isEmpty || (error.recoverySuggestion ?? "").contains(mistake.recoverySuggestion),
      "\(error.recoverySuggestion ?? "no recoverySuggestion")")
    #expect(ProcessStatus(error.code) == .invalidProject)
  }

  /// Proves that the reader reads every key of the schema, in its place: a value of a wrong kind there is noticed there.
  @Test func schema_everyKey_isReadByTheReader() throws {
    let layerShapes = Set(LayerSample.all.keys)
    let samples: [String: (path: String, text: (String) -> String)] = [
      "project": ("", { key in "{ version: 1, tracks: [{ clips: [{ asset: 'a' }] }], assets: { a: 'x' }, \(key) }" }),
      "output": ("output.", { key in Self.wrap("output: { \(key) }") }),
      "video": ("output.video.", { key in Self.wrap("output: { video: { \(key) } }") }),
      "audio": ("output.audio.", { key in Self.wrap("output: { audio: { \(key) } }") }),
      "colorTags": ("output.color.", { key in Self.wrap("output: { color: { \(key) } }") }),
      "sourceColor": (
        "assets.a.color.",
        { key in "{ version: 1, assets: { a: { file: 'x', color: { \(key) } } }, tracks: [{ clips: [{ asset: 'a' }] }] }" }
      ),
      "colorConversion": ("output.colorConversion.", { key in Self.wrap("output: { colorConversion: { \(key) } }") }),
      "track": ("tracks[0].", { key in "{ version: 1, assets: { a: 'x' }, tracks: [{ \(key) }] }" }),
      "clip": ("tracks[0].clips[0].", { key in Self.clip("\(key)") }),
      "transition": ("tracks[0].clips[0].transition.", { key in Self.clip("transition: { \(key) }") }),
      "opacityKeyframe": ("tracks[0].clips[0].opacity[0].", { key in Self.clip("opacity: [{ \(key) }]") }),
      "lengthKeyframe": ("tracks[0].clips[0].cornerRadius[0].", { key in Self.clip("cornerRadius: [{ \(key) }]") }),
      "colorKeyframe": ("tracks[0].clips[0].borderColor[0].", { key in Self.clip("borderColor: [{ \(key) }]") }),
      "offsetKeyframe": ("tracks[0].clips[0].shadowOffset[0].", { key in Self.clip("shadowOffset: [{ \(key) }]") }),
      "speedKeyframe": ("tracks[0].clips[0].speed[0].", { key in Self.clip("speed: [{ \(key) }]") }),
      "volumeKeyframe": ("tracks[0].clips[0].volume[0].", { key in Self.clip("volume: [{ \(key) }]") }),
      "panKeyframe": ("tracks[0].clips[0].pan[0].", { key in Self.clip("pan: [{ \(key) }]") }),
      "audioFade": ("tracks[0].clips[0].fadeIn.", { key in Self.clip("fadeIn: { \(key) }") }),
      "audioEffectUse": ("tracks[0].clips[0].audioEffects[0].", { key in Self.clip("audioEffects: [{ \(key) }]") }),
      "duck": (
        "tracks[0].duck.",
        { key in "{ version: 1, assets: { a: 'x' }, tracks: [{ duck: { \(key) }, clips: [{ asset: 'a' }] }] }" }
      ),
      "limiter": ("output.audio.limiter.", { key in Self.wrap("output: { audio: { limiter: { \(key) } } }") }),
      "transform": ("tracks[0].clips[0].transform.", { key in Self.clip("transform: { \(key) }") }),
      "transformKeyframe": ("tracks[0].clips[0].transform[0].", { key in Self.clip("transform: [{ \(key) }]") }),
      "crop": ("tracks[0].clips[0].crop.", { key in Self.clip("crop: { \(key) }") }),
      "cropKeyframe": ("tracks[0].clips[0].crop[0].", { key in Self.clip("crop: [{ \(key) }]") }),
      "title": (
        "titles[0].",
        { key in
          let others = ["text: 'a'", "kind: 'lower-third'"].filter { !key.hasPrefix($0.prefix(5)) }
          return Self.wrap("titles: [{ \((others + [key]).joined(separator: ", ")) }]")
        }
      ),
      "effectMask": (
        "tracks[0].clips[0].effects[0].mask.",
        { key in Self.clip("asset: 'a', effects: [{ use: 'color', mask: { \(key) } }]") }
      ),
      "effectUse": ("tracks[0].clips[0].effects[0].", { key in Self.clip("effects: [{ \(key) }]") }),
      "parameterKeyframe": (
        "tracks[0].clips[0].effects[0].radius[0].",
        { key in Self.clip("effects: [{ use: 'gaussian-blur', radius: [{ \(key) }] }]") }
      ),
      "effect": (
        "effects[0].",
        { key in
          // Parameters are read by what the compositor says of them.
          let compositor =
            key.contains("parameters:") ? "compositor: 'builtin.layer', " : key.contains("mask:") ? "use: 'color', " : ""
          return Self.wrap("effects: [{ \(compositor)\(key) }]")
        }
      ),
      "chapter": ("output.chapters[0].", { key in Self.wrap("output: { chapters: [{ \(key) }] }") }),
      "outputAudioTrack": (
        "output.audioTracks[0].", { key in Self.wrap("output: { audioTracks: [{ \(key) }] }") }
      ),
      "cover": ("output.cover.", { key in Self.wrap("output: { cover: { \(key) } }") }),
      "captions": ("captions[0].", { key in Self.wrap("captions: [{ \(key) }]") }),
      "captionStyle": ("captions[0].style.", { key in Self.wrap("captions: [{ file: 'a.srt', style: { \(key) } }]") }),
      "variableFile": ("variables.v.", { key in Self.wrap("variables: { v: { \(key) } }") }),
      "variableObject": ("variables.v.", { key in Self.wrap("variables: { v: { \(key) } }") }),
      "listElement": ("titles[0].", { key in Self.wrap("titles: [{ text: 'a', \(key) }]") }),
      "repetition": ("titles[0].forEach.", { key in Self.wrap("titles: [{ text: 'a', forEach: { \(key) } }]") }),
      "comparison": ("titles[0].if.", { key in Self.wrap("titles: [{ text: 'a', if: { \(key) } }]") }),
      "plugin": ("plugins[0].", { key in Self.wrap("plugins: [{ \(key) }]") }),
      "instruction": ("instructions[0].", { key in Self.wrap("instructions: [{ \(key) }]") }),
      "layer": ("instructions[0].layers[0].", { key in Self.wrap("instructions: [{ layers: [{ \(key) }] }]") }),
    ]
    for shape in ProjectSchema.shapes
    where !["asset", "titleTemplate", "protectedParts"].contains(shape.name) && !layerShapes.contains(shape.name) {
      let sample = try #require(samples[shape.name], "\(shape.name) has no sample here")
      for key in shape.keys where !(shape.name == "project" && ["version", "tracks", "assets"].contains(key.key)) {
        // Keys that are required and read before this one have to stand, and be right.
        let others = shape.keys.filter { $0.isRequired && $0.key != key.key && shape.name != "project" }.map {
          "\($0.key): \(Self.right($0))"
        }
        let text = sample.text((others + ["\(key.key): null"]).joined(separator: ", "))
        let error = try #require(throws: CompositorError.self, "\(shape.name).\(key.key) is not read") {
          _ = try ProjectFile(text)
        }
        #expect(error.location.path == sample.path + key.key, "\(error)")
      }
    }
  }

  /// The same for trees of title layers, where null is the absence of a value.
  @Test func schema_everyKeyOfLayers_isReadByTheReader() throws {
    for (name, sample) in LayerSample.all {
      for key in ProjectSchema.shape(name).keys {
        var shapes = [key.value]
        if case .any(let choices) = key.value { shapes = choices }
        let wrong = shapes.contains(.bool) ? "'x'" : "true"
        let text = Self.wrap("titles: [{ layer: { \(sample.text(key.key, wrong)) } }]")
        let error = try #require(throws: CompositorError.self, "\(name).\(key.key) is not read") { _ = try ProjectFile(text) }
        // A point and a size have shorter forms, which are the ones that the message is about.
        let isShort = ["point", "size", "fractionPoint", "percentPoint"].contains(name)
        let place = isShort ? String(sample.path.dropLast()) : sample.path + key.key
        #expect(error.location.path == "titles[0].layer.\(place)", "\(error)")
      }
    }
  }

  private static func wrap(_ part: String) -> String {
    "{ version: 1, assets: { a: 'x' }, tracks: [{ clips: [{ asset: 'a' }] }], \(part) }"
  }

  private static func clip(_ part: String) -> String {
    let asset = part.hasPrefix("asset:") || part.contains(" asset:") ? "" : "asset: 'a', "
    return "{ version: 1, assets: { a: 'x' }, tracks: [{ clips: [{ \(asset)\(part) }] }] }"
  }

  private static func right(_ key: KeyShape) -> String {
    switch key.value {
    case .time: "'1s'"
    case .integer(let range): "\(range.lowerBound)"
    case .number, .factor: "1"
    case .list(.number, _, _): "[1, 1]"
    case .list: "[{ asset: 'a' }]"
    case .any: "0"
    case .gain: "1"
    default: "'a'"
    }
  }

  @Test func paths_relative_startAtTheProjectsFolder() throws {
    let project = try ProjectFile(Self.project(), name: "p", directory: "some/where/")
    #expect(project.assets["b"] == .file(path: "some/where/b.mp4"))
    let absolute = try ProjectFile(Self.project("b.mp4", "/x/b.mp4"), directory: "some/where/")
    #expect(absolute.assets["b"] == .file(path: "/x/b.mp4"))
    let address = try ProjectFile(Self.project("b.mp4", "http://x/b.mp4"), directory: "some/where/")
    #expect(address.assets["b"] == .file(path: "http://x/b.mp4"))
  }

  @Test(arguments: [
    ("29.97", Rational(30000, 1001)), ("23.976", Rational(24000, 1001)), ("59.94", Rational(60000, 1001)),
    ("25", Rational(25, 1)),
    ("'30000/1001'", Rational(30000, 1001)), ("12.5", Rational(25, 2)),
  ])
  func frameRate_everyForm_isExact(_ text: String, _ expected: Rational) throws {
    #expect(try ProjectFile(Self.project("frameRate: 25", "frameRate: \(text)")).output.frameRate == expected)
  }

  @Test func version_unknown_isToldBeforeUnknownKeys() throws {
    let error = try #require(throws: CompositorError.self) { _ = try ProjectFile("{ nonsense: 3, version: 7 }", name: "p") }
    #expect(error.message.contains("version 7"))
  }

  @Test(arguments: ["p.fifo.json5", "folder.json5", "missing.json5"])
  func opening_notAFile_isRefusedWithoutWaiting(_ name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("project-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("folder.json5"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    mkfifo(folder.appendingPathComponent("p.fifo.json5").path, 0o600)
    let error = try #require(throws: CompositorError.self) {
      _ = try ProjectFile(opening: folder.appendingPathComponent(name).path)
    }
    #expect(error.code == (name.hasPrefix("missing") ? .fileNotFound : .sourceRefused))
  }

  @Test(arguments: [
    (Rational(810_000, 13_487), Rational(60, 1)), (Rational(2997, 100), Rational(30000, 1001)),
    (Rational(24, 1), Rational(24, 1)),
    (Rational(24000, 1001), Rational(24000, 1001)), (Rational(57_600, 1), Rational(30, 1)), (Rational(50, 2), Rational(25, 1)),
    (Rational(0, 0), Rational(30, 1)),
  ])
  func outputRate_statedRateAlone_becomesOneThatPlayersKnow(_ nominal: Rational, _ expected: Rational) {
    let track = VideoTrackInfo(
      index: 0, codec: "h264", size: PixelSize(width: 16, height: 16), format: .yuv420p, attributes: FrameAttributes(),
      nominalFrameRate: nominal, timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)))
    #expect(track.outputFrameRate == expected)
  }

  @Test func exitStatus_everyCode_isDocumented() {
    let used = Set(CompositorError.Code.allCases.map { ProcessStatus($0) })
    #expect(used.isSuperset(of: [.invalidProject, .missingMedia, .unavailable, .internal, .inputOutput, .retry, .interrupted]))
    // Other codes have a status that says more.
    let internals = CompositorError.Code.allCases.filter { ProcessStatus($0) == .internal }
    #expect(internals == [.compositorFailed, .invalidCompositorOutput, .encodeFailed, .internalFault])
    #expect(ProcessStatus.allCases.map(\.rawValue) == [0, 64, 65, 66, 69, 70, 74, 75, 79, 130])
  }
}

/// Where an object of the schema stands in a tree of title layers.
private struct LayerSample: Sendable {
  /// From the layer to the object.
  let path: String
  /// The tree with one key of the object.
  let text: @Sendable (_ key: String, _ value: String) -> String

  private static func content(_ kind: String, _ others: String = "") -> LayerSample {
    LayerSample(path: "content.\(kind).") { key, value in
      "content: { \(kind): { \(others.hasPrefix(key + ":") ? "" : others) \(key): \(value) } }"
    }
  }

  /// A shape as a path, with the keys that it must have.
  private static func path(_ kind: String, _ required: [String]) -> LayerSample {
    LayerSample(path: "content.shape.path.\(kind).") { key, value in
      let others = required.filter { $0 != key }.map { "\($0): \($0 == "center" ? "[1, 1]" : "1")," }.joined()
      return "content: { shape: { path: { \(kind): { \(others) \(key): \(value) } } } }"
    }
  }

  /// The keys that an object must have beside one.
  private static func others(_ keys: [String], _ key: String) -> String {
    keys.filter { $0 != key }.map { "\($0): 0," }.joined()
  }

  static let all: [String: LayerSample] = [
    "titleLayer": LayerSample(path: "") { "\($0): \($1)" },
    "layerTransform": LayerSample(path: "transform.") { "transform: { \($0): \($1) }" },
    "layerFilters": LayerSample(path: "filters.") { "filters: { \($0): \($1) }" },
    "motionBlur": LayerSample(path: "motionBlur.") { key, value in
      "motionBlur: { \(key == "exposure" ? "" : "exposure: '20ms', ")\(key): \(value) }"
    },
    "layerShadow": LayerSample(path: "shadows[0].") { "shadows: [{ \($0): \($1) }]" },
    "timing": LayerSample(path: "timing.") { "timing: { \($0): \($1) }" },
    "animation": LayerSample(path: "animations[0].") { key, value in
      let values = ["keyTimes", "easings", "mode", "rotation"].contains(key) ? "values: [[0, 0], [9, 9]]," : ""
      let property = ["property", "group", "transition"].contains(key) ? "" : "property: 'position',"
      let end = ["easing", "additive", "cumulative"].contains(key) ? "to: [1, 1]," : ""
      return "animations: [{ \(property) \(values) \(end) \(key): \(value) }]"
    },
    "spring": LayerSample(path: "animations[0].spring.") {
      "animations: [{ property: 'opacity', to: 1, spring: { \($0): \($1) } }]"
    },
    "wiggle": LayerSample(path: "animations[0].wiggle.") { key, value in
      "animations: [{ property: 'opacity', by: 0.2, wiggle: { \(key == "frequency" ? "" : "frequency: 1,") \(key): \(value) } }]"
    },
    "audioLevel": LayerSample(path: "animations[0].audio.") {
      "animations: [{ property: 'opacity', to: 1, audio: { \($0): \($1) } }]"
    },
    "layerTransition": LayerSample(path: "animations[0].transition.") { "animations: [{ transition: { \($0): \($1) } }]" },
    "layerContent": LayerSample(path: "content.") { "content: { \($0): \($1) }" },
    "layerText": content("text"), "layerShape": content("shape"), "layerGradient": content("gradient", "colors: ['red'],"),
    "layerImage": content("image"), "replicator": content("replicator"), "emitter": content("emitter"),
    "font": LayerSample(path: "content.text.font.") { "content: { text: { font: { \($0): \($1) } } }" },
    "runFont": LayerSample(path: "content.text.runs[0].font.") { "content: { text: { runs: [{ font: { \($0): \($1) } }] } }" },
    "textAnimator": LayerSample(path: "content.text.animators[0].") {
      "content: { text: { string: 'a', animators: [{ \($0): \($1) }] } }"
    },
    "rangeSelector": LayerSample(path: "content.text.animators[0].selector.") {
      "content: { text: { string: 'a', animators: [{ selector: { \($0): \($1) } }] } }"
    },
    "textScramble": LayerSample(path: "content.text.animators[0].scramble.") {
      "content: { text: { string: 'a', animators: [{ scramble: { \($0): \($1) } }] } }"
    },
    "textRun": LayerSample(path: "content.text.runs[0].") { "content: { text: { runs: [{ \($0): \($1) }] } }" },
    "textDecoration": LayerSample(path: "content.text.underline.") { "content: { text: { underline: { \($0): \($1) } } }" },
    "textBackground": LayerSample(path: "content.text.background.") {
      "content: { text: { background: { \($0 == "color" ? "" : "color: 'red',") \($0): \($1) } } }"
    },
    "textGenerator": LayerSample(path: "content.text.generator.") { "content: { text: { generator: { \($0): \($1) } } }" },
    "numberGenerator": LayerSample(path: "content.text.generator.number.") {
      "content: { text: { generator: { number: { \($0 == "locale" ? "" : "locale: 'de',") \($0): \($1) } } } }"
    },
    "dateGenerator": LayerSample(path: "content.text.generator.date.") { key, value in
      let others = [("date", "'2026-11-29'"), ("locale", "'de'")].filter { $0.0 != key }.map { "\($0): \($1)," }.joined()
      return "content: { text: { generator: { date: { \(others) \(key): \(value) } } } }"
    },
    "durationGenerator": LayerSample(path: "content.text.generator.duration.") {
      "content: { text: { generator: { duration: { \($0 == "format" ? "" : "format: 's',") \($0): \($1) } } } }"
    },
    "layerMovie": content("movie", "asset: 'a',"),
    "layerPath": LayerSample(path: "content.shape.path.") { "content: { shape: { path: { \($0): \($1) } } }" },
    "circlePath": path("circle", ["center", "radius"]), "ellipsePath": path("ellipse", ["center", "radiusX", "radiusY"]),
    "rectPath": path("rect", ["width", "height"]), "polygonPath": path("polygon", []),
    "arcPath": path("arc", ["center", "radius", "start", "end"]),
    "timecodeGenerator": LayerSample(path: "content.text.generator.timecode.") { key, value in
      let rate = key == "framesPerSecond" ? "" : "framesPerSecond: 25,"
      return "content: { text: { generator: { timecode: { \(rate) \(key): \(value) } } } }"
    },
    "point": LayerSample(path: "position.") { "position: { \($0): \($1), \($0 == "x" ? "y" : "x"): 0 }" },
    "size": LayerSample(path: "content.emitter.emitterSize.") { key, value in
      "content: { emitter: { emitterSize: { \(key): \(value), \(key == "width" ? "height" : "width"): 0 } } }"
    },
    "rect": LayerSample(path: "bounds.") { "bounds: { \(others(["width", "height"], $0)) \($0): \($1) }" },
    "layout": LayerSample(path: "layout.") { "layout: { \($0): \($1) }" },
    "flex": LayerSample(path: "flex.") { "flex: { \($0): \($1) }" },
    "flexPadding": LayerSample(path: "flex.padding.") { "flex: { padding: { \($0): \($1) } }" },
    "fractionPoint": LayerSample(path: "anchorPoint.") { "anchorPoint: { \(others(["x", "y"], $0)) \($0): \($1) }" },
    "percentPoint": LayerSample(path: "content.emitter.emitterPosition.") {
      "content: { emitter: { emitterPosition: { \(others(["x", "y"], $0)) \($0): \($1) } } }"
    },
    "fractionRect": LayerSample(path: "content.image.contentsRect.") {
      "content: { image: { contentsRect: { \(others(["width", "height"], $0)) \($0): \($1) } } }"
    },
  ]
}
