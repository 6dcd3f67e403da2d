import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import Testing

/// What a project says and its edit cannot hold: keyframes after the end, tracks that media does not have.
@Suite struct KeyframeCheckTests {
  /// Two clips of 4 s and 2 s with pictures and a tone.
  private static func text(
    clip: String = "", second: String = "", track: String = "", output: String = "", rest: String = ""
  ) -> String {
    """
    { version: 1, output: { size: "64x36", frameRate: 25\(output) },
      assets: { a: { generate: "clock", size: "64x36", frameRate: 25, tone: 440 },
        mute: { generate: "bars", size: "64x36", frameRate: 25 } },
      tracks: [{ name: "A", clips: [{ asset: "a", duration: "4s"\(clip) }, { asset: "a", duration: "2s"\(second) }]\(track) }]\(rest) }
    """
  }

  private static func warnings(_ text: String) throws -> [ValidationDiagnostic] {
    let catalog = MediaCatalog()
    let file = try ProjectFile(text)
    let places = ProjectPlaces(file, try file.edit(catalog: catalog), catalog: catalog)
    return file.timelineDiagnostics(places, catalog: catalog).map { places.locating($0).diagnostic }
  }

  static func ramp(_ from: String, _ to: String) -> String {
    "[{ at: '\(from)', value: 0 }, { at: '\(to)', value: 1 }]"
  }

  @Test(arguments: [
    ("opacity", KeyframeCheckTests.ramp("5s", "9s"), 0, "from 5 s to 9 s, but the clip lasts 4 s: the change never happens."),
    ("opacity", KeyframeCheckTests.ramp("4s", "5s"), 1, "never happens"),
    ("opacity", KeyframeCheckTests.ramp("0s", "9s"), 1, "cut off"),
    ("opacity", KeyframeCheckTests.ramp("0s", "4.1s"), 1, "cut off"),
    ("cornerRadius", KeyframeCheckTests.ramp("5s", "9s"), 0, "The cornerRadius changes from 5 s to 9 s"),
    ("shadowOffset", "[{ at: 0, value: [0, 0] }, { at: '9s', value: [8, 8] }]", 1, "cut off"),
    ("volume", KeyframeCheckTests.ramp("0s", "9s"), 1, "cut off"),
    ("pan", KeyframeCheckTests.ramp("5s", "9s"), 0, "never happens"),
    ("speed", "[{ at: '5s', value: 1 }, { at: '9s', value: 2 }]", 0, "never happens"),
    ("speed", "[{ at: '1s', value: 1 }, { at: '9s', value: 2 }]", 1, "cut off"),
    ("transform", "[{ at: 0, x: 0 }, { at: '2s', x: 9 }, { at: '6s', x: 0 }]", 2, "from 2 s to 6 s"),
  ])
  func clip_withKeyframesAfterItsEnd_isWarnedOf(key: String, value: String, index: Int, says: String) throws {
    let found = try Self.warnings(Self.text(clip: ", \(key): \(value)"))
    #expect(found.map(\.code) == [.rampOutsideRange] && found.map(\.severity) == [.warning])
    #expect(found.first?.path == "tracks[0].clips[0].\(key)[\(index)].at")
    #expect(found.first?.line == 4)
    #expect(found.first?.message.contains(says) == true, "\(found)")
  }

  @Test func effect_withKeyframesAfterItsClip_isWarnedOf() throws {
    let radius = "[{ at: '1s', value: 0 }, { at: '30s', value: 12 }]"
    let found = try Self.warnings(
      Self.text(clip: ", effects: [{ use: 'gaussian-blur', radius: 2 }, { use: 'gaussian-blur', radius: \(radius) }]"))
    #expect(found.map(\.path) == ["tracks[0].clips[0].effects[1].radius[1].at"] && found.first?.code == .rampOutsideRange)
    #expect(found.first?.message.contains("The radius changes from 1 s to 30 s") == true, "\(found)")
  }

  /// Half a frame is rounding; a value that is held changes nothing; what is silent is not heard.
  @Test(arguments: [
    "opacity: \(KeyframeCheckTests.ramp("0s", "4s"))", "opacity: \(KeyframeCheckTests.ramp("0s", "4.02s"))",
    "opacity: [{ at: '9s', value: 0.5 }]",
    "opacity: [{ at: 0, value: 0 }, { at: '4s', value: 1 }, { at: '9s', value: 1 }]",
    "volume: \(KeyframeCheckTests.ramp("0s", "4s"))", "mute: true, volume: \(KeyframeCheckTests.ramp("0s", "9s"))",
  ])
  func clip_withKeyframesThatAllCount_hasNoWarning(clip: String) throws {
    let found = try Self.warnings(Self.text(clip: ", " + clip))
    #expect(found.isEmpty)
  }

  @Test func keyframes_inTimesOfTheMovie_areCalledSo() throws {
    let found = try Self.warnings(Self.text(second: ", opacity: " + Self.ramp("4s", "6s")))
    #expect(found.map(\.path) == ["tracks[0].clips[1].opacity[0].at"])
    #expect(found.first?.cause == "The times are those of the movie.")
  }

  @Test func volumes_afterTheMovie_areWarnedOf() throws {
    let volume = ", volume: " + Self.ramp("0s", "9s")
    #expect(try Self.warnings(Self.text(track: volume)).map(\.path) == ["tracks[0].volume[1].at"])
    #expect(
      try Self.warnings(Self.text(output: ", audio: { volume: \(Self.ramp("7s", "9s")) }")).map(\.path)
        == ["output.audio.volume[0].at"])
    #expect(try Self.warnings(Self.text(track: ", volume: " + Self.ramp("3s", "6s"))).isEmpty)
  }

  @Test(arguments: [
    (KeyframeCheckTests.ramp("5s", "9s"), "", ["instructions[0].layers[0].opacity[0].at"]),
    (KeyframeCheckTests.ramp("0s", "6s"), "", ["instructions[0].layers[0].opacity[1].at"]),
    (KeyframeCheckTests.ramp("0s", "4s"), "", []),
    // The next instruction goes on with it.
    (KeyframeCheckTests.ramp("0s", "6s"), ", opacity: [{ at: 0, value: 0.67 }, { at: '2s', value: 1 }]", []),
  ])
  func layer_withKeyframesAfterItsInstruction_isWarnedOf(opacity: String, next: String, paths: [String]) throws {
    let instructions = """
      , instructions: [{ duration: "4s", layers: [{ track: "A", opacity: \(opacity) }] },
          { duration: "2s", layers: [{ track: "A"\(next) }] }]
      """
    let found = try Self.warnings(Self.text(rest: instructions))
    #expect(found.map(\.path) == paths)
  }

  // MARK: Ducking

  @Test(arguments: [
    ("duck: {}", "a", "", "none of them plays audio"), ("duck: {}", "mute", "", "none of them plays audio"),
    ("duck: { tracks: ['B'] }", "mute", "", "none of them plays audio"),
    ("duck: {}", "a", ", video: true, audio: false", "it plays no audio"),
    ("duck: {}", "a", ", mute: true", "it plays no audio"),
  ])
  func ducking_byOrOfNothing_isWarnedOf(duck: String, other: String, first: String, says: String) throws {
    let second = says.hasPrefix("none") && other == "a" ? "" : ", { name: 'B', clips: [{ asset: '\(other)', duration: '2s' }] }"
    let text = Self.text(clip: first, second: first, track: ", \(duck)").replacing("\(duck) }]", with: "\(duck) }\(second)]")
    let found = try Self.warnings(text)
    #expect(found.map(\.path) == ["tracks[0].duck"] && found.first?.code == .invalidVolume, "\(found)")
    #expect(found.first?.message.contains(says) == true, "\(found)")
  }

  @Test(arguments: ["duck: {}", "duck: { tracks: ['B'] }", "duck: { tracks: ['B', 'C'] }"])
  func ducking_ofOneTrackWithAudio_hasNoWarning(duck: String) throws {
    let others =
      "{ name: 'B', clips: [{ asset: 'a', duration: '2s' }] }, { name: 'C', clips: [{ asset: 'mute', duration: '2s' }] }"
    let text = Self.text(track: ", \(duck)").replacing("\(duck) }]", with: "\(duck) }, \(others)]")
    #expect(try Self.warnings(text).isEmpty)
  }

  /// The track A is heard from 0 to 4 s and from 4 to 6 s; the others have recovered 1.3 s later, and are lowered 0.2 s before.
  @Test(arguments: [
    ("duck: {}", "at: '7.5s'", ".duck", "no clip of them plays then"), ("duck: {}", "at: '7.2s'", nil, ""),
    ("duck: { hold: '3s' }", "at: '7.5s'", nil, ""), ("duck: { while: 'clips' }", "at: '7.5s'", ".duck", "no clip of them"),
    ("duck: { threshold: '0dB' }", "at: 0", ".duck.threshold", "it never is"),
    ("duck: { threshold: '-1dB' }", "at: 0", nil, ""),
    ("duck: { threshold: '0dB' }, volume: '6dB'", "at: 0", nil, ""),
  ])
  func ducking_thatNeverHappens_isWarnedOf(duck: String, start: String, path: String?, says: String) throws {
    let other = "{ name: 'B', clips: [{ asset: 'a', \(start), duration: '1s', video: false }] }"
    let text = Self.text(track: ", \(duck)").replacing("\(duck) }]", with: "\(duck) }, \(other)]")
    let found = try Self.warnings(text)
    #expect(found.map(\.path) == (path.map { ["tracks[0]\($0)"] } ?? []), "\(found)")
    #expect(found.first.map { $0.code == .invalidVolume && $0.message.contains(says) } ?? true, "\(found)")
  }

  // MARK: Tracks

  @Test(arguments: [
    ("a", "videoTrack", 7, "no video track 7: it has 1"), ("a", "audioTrack", 1, "no audio track 1: it has 1"),
    ("mute", "audioTrack", 7, "no audio track 7: it has none"),
  ])
  func clip_ofATrackThatIsNotThere_isRefusedAtItsKey(asset: String, key: String, index: Int, says: String) throws {
    let text = Self.text(second: ", \(key): \(index)")
      .replacing("{ asset: \"a\", duration: \"2s\"", with: "{ asset: \"\(asset)\", duration: \"2s\"")
    let error = #expect(throws: CompositorError.self) { try ProjectFile(text).edit(catalog: MediaCatalog()) }
    #expect(error?.code == .trackNotFound && error?.location.path == "tracks[0].clips[1].\(key)")
    #expect(error?.message.contains(says) == true, "\(String(describing: error))")
    let valid = text.replacing("\(key): \(index)", with: "\(key): 0")
    #expect(throws: Never.self) { try ProjectFile(valid).edit(catalog: MediaCatalog()) }
  }

  @Test func clip_thatDoesNotShowTheMissingTrack_isRead() throws {
    let text = Self.text(second: ", videoTrack: 7, video: false")
    #expect(throws: Never.self) { try ProjectFile(text).edit(catalog: MediaCatalog()) }
  }

  @Test func tracks_ofOneName_areRefusedAtTheSecond() throws {
    let text = Self.text().replacing("}] }] }", with: "}] }, { name: \"A\", clips: [{ asset: \"a\" }] }] }")
    let error = #expect(throws: CompositorError.self) { try ProjectFile(text) }
    #expect(error?.location.path == "tracks[1].name", "\(String(describing: error))")
  }
}
