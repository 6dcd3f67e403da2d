import Compositor
import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorTimeline
import CompositorOverlay
import CompositorValidation
import Foundation
import Testing

/// Titles and volumes are part of the edit: validated, explained, stored with it.
struct EditTitleTests {
  static func edit() throws -> Edit { try FrontDoorTests.movie().edit(catalog: MediaCatalog()) }

  @Test func title_inAnEdit_survivesCodable_andRendersTheSame() async throws {
    let edit = try Self.edit()
    #expect(edit.titles.layers.count == 1)
    let copy = try JSONDecoder().decode(Edit.self, from: try JSONEncoder().encode(edit))
    #expect(copy == edit)
    let times: [MediaTime] = [.seconds(1), .seconds(2)]
    let (first, second) = (try await edit.stills(at: times), try await copy.stills(at: times))
    var without = edit
    without.titles = Titles()
    let plain = try await without.stills(at: times)
    func rows(_ image: GeneratedImage) -> [UInt8] { image.frame.bytes }
    #expect(first.map(rows) == second.map(rows))
    #expect(rows(first[0]) != rows(plain[0]) && rows(first[1]) == rows(plain[1]))
  }

  @Test func edit_writtenWithoutTitles_isRead() throws {
    var edit = try Self.edit()
    edit.titles = Titles()
    var object = try #require(try JSONSerialization.jsonObject(with: try JSONEncoder().encode(edit)) as? [String: Any])
    object["titles"] = nil
    #expect(try JSONDecoder().decode(Edit.self, from: try JSONSerialization.data(withJSONObject: object)) == edit)
  }

  @Test(arguments: [
    (Layer(text: "x", size: 40, family: "No Such Family"), "titles.layers[1].sublayers[0]"),
    (
      Layer(frame: Rect(x: 0, y: 0, width: 9, height: 9), content: .image(ImageContent("missing"))),
      "titles.layers[1].sublayers[0]"
    ),
    (
      Layer(text: "x", size: 40).animated(.basic(.opacity, from: 0, timing: LayerTiming(duration: -1))),
      "titles.layers[1].sublayers[0]"
    ),
  ]) func badTitle_isFoundAtItsPlace(_ layer: Layer, _ path: String) async throws {
    var edit = try Self.edit()
    edit.titles.layers.append(Layer(canvas: FrontDoorTests.size) { layer })
    let diagnostics = await edit.validate()
    #expect(diagnostics.count == 1, "\(diagnostics)")
    let diagnostic = try #require(diagnostics.first)
    #expect(diagnostic.severity == .error && [.invalidTitle, .titleResourceMissing].contains(diagnostic.code))
    #expect(diagnostic.path?.hasPrefix(path) == true, "\(diagnostic)")
    let error = await #expect(throws: CompositorError.self) { try await edit.stills(at: [.zero]) }
    #expect([.fileNotFound, .invalidValue].contains(error?.code))
  }

  @Test func badVolume_isFoundAtItsPlace() async throws {
    var edit = try Self.edit()
    let audio = try #require(edit.composition.tracks(.audio).first?.trackID)
    let video = try #require(edit.composition.tracks(.video).first?.trackID)
    var negative = AudioMixInputParameters(trackID: audio)
    try negative.volume.set(-0.5, at: .seconds(1))
    edit.audioMix.inputParameters = [
      negative, AudioMixInputParameters(trackID: video), AudioMixInputParameters(trackID: 99),
      AudioMixInputParameters(trackID: audio),
    ]
    let diagnostics = await edit.validate().filter { $0.code == .invalidVolume }
    #expect(
      diagnostics.map(\.path) == [
        "audioMix.inputParameters[0].volume", "audioMix.inputParameters[1].trackID", "audioMix.inputParameters[2].trackID",
        "audioMix.inputParameters[3]",
      ])
    #expect(diagnostics.map(\.severity) == [.error, .error, .error, .warning])
    #expect(diagnostics[0].foundTime == .seconds(1))
  }

  @Test func explanation_showsTitlesAndVolumes() throws {
    let catalog = MediaCatalog()
    let composition = try CompositionValidator.validate(Self.edit(), catalog: catalog).get()
    let explanation = try EditExplanation(composition)
    #expect(explanation.titles.map(\.summary) == ["“Magic”"])
    #expect(explanation.titles.map(\.start) == [0.5] && explanation.titles.map(\.end) == [1.5])
    #expect(explanation.volumes.count == 2 && explanation.volumes.allSatisfy { $0.points.count > 2 })
    #expect(explanation.description.contains("“Magic”, 0.5 s to 1.5 s"))
    // Of a curve, which consists of many ramps, people see where it turns.
    #expect(explanation.description.contains("volume of track 3   0 dB at 1 s, silent at 2 s"), "\(explanation)")
  }

  /// Gains at times of the two tracks of a dissolve from 1 s to 2 s.
  @Test func transition_crossFadesTheAudio() throws {
    var movie = try FrontDoorTests.movie()
    movie.tracks[0].clips[1].volume = .keyframes([
      Keyframe(time: .zero, value: 1), Keyframe(time: .seconds(1), value: 0.5),
    ])
    let edit = try movie.edit(catalog: MediaCatalog())
    let tracks = edit.composition.tracks(.audio).map(\.trackID)
    try #require(tracks.count == 2)
    func gain(_ lane: Int, _ seconds: Double) -> Double { edit.audioMix.volume(ofTrack: tracks[lane], at: .seconds(seconds)) }
    for (time, old, new) in [
      (0.5, 1.0, nil), (1, 1, 0), (1.25, cos(.pi / 8), sin(.pi / 8) * 0.875), (1.5, cos(.pi / 4), sin(.pi / 4) * 0.75),
      (2.5, nil, 0.5),
    ]
      as [(Double, Double?, Double?)]
    {
      if let old { #expect(abs(gain(0, time) - old) < 1e-3, "old at \(time): \(gain(0, time))") }
      if let new { #expect(abs(gain(1, time) - new) < 1e-3, "new at \(time): \(gain(1, time))") }
    }
  }

  @Test func timesByFactory_areExact() {
    #expect(MediaTime.seconds(2) == MediaTime(value: 2, timescale: 1))
    #expect(MediaTime.seconds(0.5) == MediaTime(value: 1, timescale: 2))
    #expect(MediaTime.seconds(1.001) == MediaTime(value: 1001, timescale: 1000))
    #expect(MediaTime.seconds(-0.04) == MediaTime(value: -1, timescale: 25))
    #expect(MediaTime.seconds(1.0 / 3) == MediaTime(value: 333_333_333, timescale: 1_000_000_000))
    for bad in [Double.nan, .infinity, 1e300] { #expect(!MediaTime.seconds(bad).isValid) }
    #expect(MediaTime.frames(1, at: Rational(30000, 1001)) == MediaTime(value: 1001, timescale: 30000))
    #expect(MediaTime.frames(48, at: 24) == .seconds(2))
    #expect(!MediaTime.frames(1, at: 0).isValid && !MediaTime.frames(.max, at: Rational(1, 2)).isValid)
    #expect(.seconds(2) ..< .seconds(5) == TimeRange(start: .seconds(2), duration: .seconds(3)))
  }
}
