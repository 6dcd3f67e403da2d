import CompositorAPI
import Foundation
import Testing

/// Every value of an edit survives JSON.
@Suite struct CodableTests {
  func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(Value.self, from: data) == value, "\(String(decoding: data, as: UTF8.self))")
  }

  @Test func time_json_isOneReadableString() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let times = [time(1001, 30000), .invalid, .indefinite, .positiveInfinity, .negativeInfinity]
    let data = try encoder.encode(times)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"["1001/30000","invalid","indefinite","+infinity","-infinity"]"#)
    #expect(try JSONDecoder().decode([MediaTime].self, from: data) == times)
    #expect(try JSONDecoder().decode([MediaTime].self, from: Data(#"[5, "2.5"]"#.utf8)) == [time(5), time(5, 2)])
    for bad in [#"["1/0"]"#, #"["soon"]"#, "[1.5]", "[null]"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([MediaTime].self, from: Data(bad.utf8)) }
    }
  }

  @Test func composition_everyKindOfSegment_roundTrips() throws {
    var composition = Composition()
    composition.naturalSize = Size(width: 1440.5, height: 1080)
    let video = composition.addTrack(.video, preferredTrackID: 5)
    let gone = composition.addTrack(.audio)
    try composition.removeTrack(gone)
    let pattern = GeneratedSource(
      pattern: .gradient(from: .black, to: .white, angleDegrees: 30), duration: .positiveInfinity, toneFrequency: 440)
    let sources: [MediaSource] = [
      clipA, .generated(pattern), .custom(name: "camera"),
      .imageSequence(pattern: "f_%04d.png", first: 7, frameRate: Rational(30000, 1001)),
    ]
    for media in sources { try composition.insert(source(media, 1, 3), at: .invalid, inTrack: video) }
    try composition.insertEmpty(range(1, 2), inTrack: video)
    try composition.insertFreezeFrame(
      of: MediaPosition(source: clipB, trackIndex: 1, time: time(1, 3)), duration: time(2), at: .zero, inTrack: video)
    try composition.setPreferredTransform(.rotation(radians: .pi / 2), ofTrack: video)
    try composition.setEnabled(false, ofTrack: video)
    try roundTrip(composition)
    var decoded = try JSONDecoder().decode(Composition.self, from: JSONEncoder().encode(composition))
    #expect(decoded.addTrack(.audio, preferredTrackID: gone) != gone)
  }

  @Test func composition_badSegments_isRefused() throws {
    let (composition, _) = try composition([source(clipA, 0, 4), source(clipA, 0, 4)])
    let text = String(decoding: try JSONEncoder().encode(composition), as: UTF8.self)
    let gap = text.replacingOccurrences(of: #""start":"4\/1""#, with: #""start":"5\/1""#)
    #expect(gap != text)
    #expect(throws: CompositorError.self) { try JSONDecoder().decode(Composition.self, from: Data(gap.utf8)) }
  }

  @Test func videoComposition_rampsAndParameters_roundTrips() throws {
    var layer = LayerInstruction(trackID: 2)
    try layer.opacity.setRamp(from: 0, to: 0.1 + 0.2, timeRange: range(1, 2))
    try layer.transform.set(.rotation(radians: 1), at: time(1, 3))
    try layer.crop.setRamp(from: .infinite, to: Rect(x: 1, y: 2, width: 3, height: 4.5), timeRange: range(0, 1))
    var instruction = Instruction(timeRange: range(0, 5), layers: [layer])
    instruction.parameters = [
      "amount": .number(2), "count": .integer(3), "angle": .number(0.1), "name": .string("é"), "on": .bool(true),
      "points": .list([.number(1), .list([.number(-0.5)])]),
    ]
    instruction.backgroundColor = .white
    instruction.containsTweeningOverride = false
    instruction.additionalTrackIDs = [9]
    var passing = Instruction(timeRange: range(5, 6), passthroughTrackID: 2)
    passing.effects = [EffectReference("org.example.glow")]
    var endless = Instruction(timeRange: TimeRange(start: time(6), duration: .positiveInfinity))
    endless.compositor = "org.example.other"
    var video = VideoComposition(
      instructions: [instruction, passing, endless], frameDuration: time(1001, 30000),
      renderSize: PixelSize(width: 5, height: 7))
    video.renderScale = 0.5
    video.colorPrimaries = .bt2020
    video.blending = .linear
    video.colorConversion.toneMapping = .hable
    video.colorConversion.diffuseWhite = 100
    try roundTrip(video)
  }

  @Test func audioMix_ramps_roundTrips() throws {
    var parameters = AudioMixInputParameters(trackID: 3)
    parameters.volume = try PropertyTimelineTests.volume()
    try roundTrip(AudioMix(inputParameters: [parameters]))
  }

  @Test func timeline_overlappingInFile_isRefused() throws {
    let entries = ["[0, 2]", "[1, 2]"].map { _ in #"{"timeRange": {"start": "0/1", "duration": "2/1"}, "start": 0, "end": 1}"# }
    let text = #"{"defaultValue": 1, "ramps": ["# + entries.joined(separator: ",") + "]}"
    #expect(throws: CompositorError.self) {
      try JSONDecoder().decode(PropertyTimeline<Double>.self, from: Data(text.utf8))
    }
  }

  /// Values come from processes of plugins, too: their cost is bounded.
  @Test func parameterValue_ofManyListsInsideEachOther_isRefused() throws {
    func lists(_ depth: Int) -> Data {
      Data((String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
    }
    try roundTrip(JSONDecoder().decode(ParameterValue.self, from: lists(8)))
    for depth in [9, 500] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(ParameterValue.self, from: lists(depth)) }
    }
    try roundTrip(ParameterValue.list([.list([]), .data([0, 255]), .bool(false), .string(""), .number(0.5)]))
  }

  @Test func parameterValue_afterItsExpiry_isRefused() throws {
    let text = Data("[".utf8) + Data(repeatElement("\"\",", count: 1_000_000).joined().utf8) + Data("1]".utf8)
    let decoder = JSONDecoder()
    let start = ContinuousClock.now
    decoder.userInfo[try #require(ParameterValue.expiryKey)] = start + .milliseconds(100)
    #expect(throws: DecodingError.self) { try decoder.decode(ParameterValue.self, from: text) }
    // Reading the text itself is quick.
    print("refused after \(ContinuousClock.now - start)")
  }

  @Test func smallValues_roundTrip() throws {
    for format in PixelFormat.all { try roundTrip([format]) }
    for orientation in Orientation.allCases { try roundTrip(orientation) }
    try roundTrip(SourcePlacement(size: PixelSize(width: 3, height: 4), pixelAspectRatio: Rational(16, 15)))
    try roundTrip(TimeMapping(emptyEdit: range(0, 1)))
    try roundTrip(ErrorLocation(file: "a", path: "b[0]", track: 1, instruction: 2, time: time(1, 3), compositor: .layer))
    try roundTrip(ErrorLocation(file: "a", documents: [DocumentPosition(file: "b", line: 3, column: 14)]))
    try roundTrip(ParameterDescription("k", .number(minimum: 0, maximum: 1, unit: "px"), default: .number(1), summary: "s"))
    try roundTrip(Rect.infinite)
  }
}
