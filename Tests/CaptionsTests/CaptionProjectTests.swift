import CompositorAPI
import CompositorExport
import CompositorCaptions
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Captions in projects, timelines and edits.
struct CaptionProjectTests {
  private func error(_ captions: String) -> CompositorError? {
    #expect(throws: CompositorError.self) { try CaptionedProject(captions) }
  }

  @Test(arguments: [
    ("{ }", "The captions have no source"), ("{ file: \"a.srt\", asset: \"a\" }", "asset"),
    ("{ asset: \"b\" }", "There is no asset"), ("{ asset: \"a\" }", "has no subtitle tracks"),
    ("{ file: \"a.srt\", as: \"soft\" }", "soft"), ("{ file: \"a.srt\", offset: \"--1s\" }", "not a time"),
    ("{ file: \"a.srt\", offset: 1 }", "unit"), ("{ file: \"a.srt\", track: -1 }", "-1"),
    ("{ file: \"a.srt\", style: { lines: 0 } }", "0"), ("{ file: \"a.srt\", style: { width: \"200%\" } }", "100"),
    ("{ file: \"a.srt\", sytle: {} }", "style"),
  ])
  func mistakes_areReportedAtTheirPlace(captions: String, part: String) {
    let error = error(captions)
    #expect(error?.code == .invalidProject)
    #expect(error?.description.contains(part) == true, "\(String(describing: error))")
    #expect(error?.description.contains("project:3:") == true || error?.description.contains("project:") == true)
  }

  @Test func file_thatIsNotThere_isReportedAtTheCaptions() {
    let error = error("{ file: \"no-such-file.srt\" }")
    #expect(error?.code == .fileNotFound)
    #expect(error?.location.path == "captions[0]")
    #expect(error?.description.contains("no-such-file.srt") == true)
  }

  @Test func captions_ofAProject_areThoseOfTheTimelineAndTheEdit() throws {
    let path = try CaptionReadingTests.write(CaptionReadingTests.german, "project.srt")
    let project = try CaptionedProject(
      """
      { file: "\(path)", as: "both", language: "de", title: "Deutsch", offset: "12f", default: true,
        style: { font: "DejaVu Sans", size: "10%", color: "#ff0000", position: "top", align: "left", marginX: "10%", marginY: 18, \
        width: "50%", lines: 2, boxColor: "#00000000", outlineWidth: 0.1, direction: "right-to-left", weight: 700 } }
      """)
    let track = try #require(project.composition.edit.captions.first)
    #expect(track.presentation == .both && track.language == "de" && track.title == "Deutsch" && track.isDefault)
    #expect(track.offset == MediaTime(value: 12, timescale: 25))
    var style = CaptionStyle()
    (style.family, style.size, style.color) = ("DejaVu Sans", 0.1, Color(red: 1, green: 0, blue: 0))
    (style.vertical, style.horizontal, style.horizontalMargin, style.verticalMargin) = (.top, .left, 0.1, 0.1)
    (style.maximumWidth, style.maximumLineCount, style.boxColor) = (0.5, 2, Color(red: 0, green: 0, blue: 0, alpha: 0))
    (style.outlineWidth, style.direction, style.weight) = (0.1, .rightToLeft, 700)
    #expect(track.style == style)
    let explanation = try EditExplanation(project.composition)
    #expect(explanation.captions.first?.cueCount == 2)
    #expect(explanation.description.contains("captions 0  de, “Deutsch”: 2 cues"))
  }

  @Test func edit_inJSON_keepsCaptions_andHasNoneWithoutTheKey() throws {
    var edit = try CaptionedProject("").composition.edit
    edit.captions = [CaptionTrack([CaptionCue(CaptionReadingTests.range(0, 1000), "Hello")], language: "en")]
    let data = try JSONEncoder().encode(edit)
    #expect(try JSONDecoder().decode(Edit.self, from: data) == edit)
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    object["captions"] = nil
    let without = try JSONDecoder().decode(Edit.self, from: try JSONSerialization.data(withJSONObject: object))
    #expect(without.captions.isEmpty)
  }

  @Test(arguments: [
    MediaTime.invalid, .positiveInfinity, MediaTime(value: 1, timescale: 0), MediaTime(value: .max, timescale: 1),
  ])
  func times_thatAreNone_areErrors(time: MediaTime) throws {
    var edit = try CaptionedProject("").composition.edit
    let catalog = MediaCatalog()
    edit.captions = [
      CaptionTrack([
        CaptionCue(TimeRange(start: time, duration: .seconds(1)), "x"), CaptionCue(CaptionReadingTests.range(0, 1), "y"),
      ])
    ]
    let cue = CompositionValidator.validate(edit, catalog: catalog).errors.first
    edit.captions = [CaptionTrack([], offset: time)]
    let offset = CompositionValidator.validate(edit, catalog: catalog).errors.first
    // The largest number of seconds is a time; one more is none.
    guard time.isNumeric else {
      #expect(cue?.path == "captions[0].cues[0]" && offset?.path == "captions[0].offset")
      return
    }
    #expect(cue?.path == "captions[0].cues[0]", "\(String(describing: cue))")
  }
}
