import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorValidation
import CompositorTestMedia
import Foundation
import Testing

/// Ten seconds of one clip, valid: a video and an audio track, one instruction.
struct DiagnosticFixture {
  let catalog = MediaCatalog()
  var edit: Edit

  init(_ media: DescribedMedia = DescribedMedia(), video: [TimeRange] = [.seconds(0, 10)], audio: [TimeRange] = []) throws {
    catalog.provide(media, as: "clip")
    var composition = Composition()
    for (type, ranges) in [(MediaType.video, video), (.audio, audio)] {
      for range in ranges { try Self.addTrack(type, range, to: &composition) }
    }
    edit = Edit(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: [Instruction(timeRange: .seconds(0, 10), layers: [LayerInstruction(trackID: 1)])],
        frameDuration: MediaTime(value: 1, timescale: 30), renderSize: PixelSize(width: 64, height: 36)))
  }

  static func addTrack(_ type: MediaType, _ range: TimeRange, to composition: inout Composition) throws {
    let track = composition.addTrack(type)
    var segments: [CompositionTrackSegment] = []
    if range.start > .zero { segments.append(CompositionTrackSegment(empty: TimeRange(start: .zero, end: range.start))) }
    segments.append(
      CompositionTrackSegment(
        source: .custom(name: "clip"),
        timeMapping: TimeMapping(source: TimeRange(start: .zero, duration: range.duration), target: range)))
    try composition.setSegments(segments, ofTrack: track)
  }

  var instructions: [Instruction] {
    get { edit.videoComposition.instructions }
    set { edit.videoComposition.instructions = newValue }
  }

  /// Instructions that show track 1.
  mutating func setRanges(_ ranges: [TimeRange]) {
    instructions = ranges.map { Instruction(timeRange: $0, layers: [LayerInstruction(trackID: 1)]) }
  }

  func diagnostics() -> [ValidationDiagnostic] { CompositionValidator.validate(edit, catalog: catalog).diagnostics }

  /// The only diagnostic, which has the code; the edit is valid without a warning once its fix was made.
  func check(
    _ code: ValidationDiagnostic.Code, instruction: Int?, says words: [String], fix title: String?, isSafe: Bool = false
  ) throws {
    let found = diagnostics()
    #expect(found.map(\.code) == [code], "\(found.map(\.description))")
    let diagnostic = try #require(found.first)
    #expect(diagnostic.instruction == instruction)
    for word in words { #expect(diagnostic.description.contains(word), "\(word) in: \(diagnostic)") }
    #expect(diagnostic.cause?.isEmpty == false && diagnostic.recoverySuggestion?.isEmpty == false)
    #expect(diagnostic.fix?.title == title)
    guard let fix = diagnostic.fix else { return }
    #expect(fix.isSafe == isSafe)
    #expect(try JSONDecoder().decode(DiagnosticFix.self, from: JSONEncoder().encode(fix)) == fix)
    let mended = CompositionValidator.validate(try edit.applying(fix), catalog: catalog).diagnostics
    #expect(mended.isEmpty, "after “\(fix.title)”: \(mended.map(\.description))")
  }
}
