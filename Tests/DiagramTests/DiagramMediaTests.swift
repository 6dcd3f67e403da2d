import CompositorAPI
import CompositorDiagram
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Thumbnails, waveforms and files.
@Suite struct DiagramMediaTests {
  /// Color bars with a tone from 2 s to 6 s of a track, and a source that is missing from 6 s to 8 s.
  private func edit(missing: Bool = false) throws -> Edit {
    var edit = try Edits.clips(1, of: .seconds(8))
    let bars = MediaSource.generated(
      GeneratedSource(pattern: .bars, size: PixelSize(width: 320, height: 180), duration: .seconds(10), toneFrequency: 997))
    func clip(_ source: MediaSource, _ range: TimeRange) -> CompositionTrackSegment {
      CompositionTrackSegment(
        source: source, timeMapping: TimeMapping(source: TimeRange(start: .zero, duration: range.duration), target: range))
    }
    let gap = CompositionTrackSegment(empty: .zero ..< .seconds(2))
    var segments = [gap, clip(bars, .seconds(2) ..< .seconds(6))]
    if missing { segments.append(clip(.file(path: "/nowhere/at-all.mov"), .seconds(6) ..< .seconds(8))) }
    for track in edit.composition.tracks { try edit.composition.setSegments(segments, ofTrack: track.trackID) }
    return edit
  }

  @Test func waveform_ofATone_beginsWithIt() throws {
    var diagram = TimelineDiagram(try edit())
    #expect(try diagram.makeWaveforms(catalog: MediaCatalog()).isEmpty)
    let waveform = try #require(diagram.waveforms[3])
    let first = try #require(waveform.peaks.firstIndex { $0 > 0.01 })
    #expect(abs(Double(first) * waveform.secondsPerPeak - 2) < 2 * waveform.secondsPerPeak)
    // A peak is shorter than a period of the tone; a few together have its amplitude.
    let amplitude = waveform.peaks.max() ?? 0
    #expect(amplitude > 0.05 && amplitude <= 1)
    for start in stride(from: first + 8, to: waveform.peaks.count - 8, by: 101) {
      #expect(abs((waveform.peaks[start..<start + 8].max() ?? 0) - amplitude) < 0.05 * amplitude)
    }
    let svg = try SVGElements(diagram.svg())
    let points = try #require(svg.all("waveform").first?.attributes["points"]).split(separator: " ")
      .map { $0.split(separator: ",").compactMap { Double($0) } }
    let middle = try #require(
      svg.all("silence").first?.attributes["points"]?.split(separator: " ").first?.split(separator: ",").last)
    let two = try svg.x(2)
    for point in points where abs(point[0] - two) > 1.5 {
      #expect((abs(point[1] - (Double(middle) ?? 0)) > 0.5) == (point[0] > two))
    }
  }

  @Test func thumbnails_ofVideoTracks_areAtTheirSegments() async throws {
    var diagram = TimelineDiagram(try edit(missing: true))
    let failures = try await diagram.makeThumbnails(catalog: MediaCatalog())
    #expect(failures.map(\.code) == [.fileNotFound] && failures.first?.location.file == "/nowhere/at-all.mov")
    let svg = try SVGElements(diagram.svg())
    let pictures = svg.all("thumbnail")
    #expect(pictures.count >= 10)
    for row in ["video-1", "video-2"] {
      let own = pictures.filter { $0.row == row }
      #expect(own.first?.number("data-time") == 2 && own.allSatisfy { (2.0..<6).contains($0.number("data-time") ?? 0) })
      for (one, next) in zip(own, own.dropFirst()) {
        #expect((one.number("x") ?? 0) + (one.number("width") ?? 0) <= (next.number("x") ?? 0))
      }
      for picture in own {
        let place = try svg.x(picture.number("data-time") ?? 0)
        #expect(abs((picture.number("x") ?? 0) - place) < 0.02)
      }
    }
    let data = try #require(
      pictures.first?.attributes["href"]?.split(separator: ",").last.flatMap { Data(base64Encoded: String($0)) })
    #expect(data.prefix(3) == Data([0xff, 0xd8, 0xff]))
    let image = try diagram.image(DiagramSettings(), scale: 0.5)
    #expect(image.size.width == 640)
  }

  /// A generated clip of a minute: its source has no end of its own.
  @Test func thumbnails_ofSourcesWithoutEnd_areThereToTheEnd() async throws {
    let source = MediaSource.generated(
      GeneratedSource(
        pattern: .clock, size: PixelSize(width: 64, height: 36), frameRate: Rational(25, 1), duration: .positiveInfinity,
        toneFrequency: nil))
    let edit = try Edit(showing: source, catalog: MediaCatalog(), endlessFor: MediaTime(value: 60, timescale: 1))
    var diagram = TimelineDiagram(edit)
    let failures = try await diagram.makeThumbnails(catalog: MediaCatalog())
    #expect(failures.isEmpty, "\(failures)")
    let times = try SVGElements(diagram.svg()).all("thumbnail").compactMap { $0.number("data-time") }
    #expect(times.count >= 8 && (times.max() ?? 0) > 40, "\(times)")
  }

  @Test(arguments: DiagramFormat.allCases) func export_ofEachFormat_writesACompleteFileOnce(_ format: DiagramFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("diagram.\(format.rawValue)")
    let diagram = TimelineDiagram(try edit())
    var exporter = DiagramExporter()
    try exporter.export(diagram, to: path)
    #expect(try folder.names == ["diagram.\(format.rawValue)"])
    let written = try Data(contentsOf: URL(filePath: path))
    #expect(Array(written) == (try exporter.data(of: diagram, as: format)))
    #expect(throws: CompositorError.self) { try exporter.export(diagram, to: path) }
    exporter.overwrites = true
    try exporter.export(diagram, to: path)
    do throws(CompositorError) {
      try exporter.export(diagram, to: path, sources: [.file(path: path)])
      Issue.record("an input was replaced")
    } catch {
      #expect(error.code == .outputIsInput)
    }
  }

  @Test func project_whoseMediaAreMissing_isLaidOutByItsTimes() throws {
    let text = """
      { version: 1, assets: { a: "/nowhere/a.mov", b: "/nowhere/b.mov" }, tracks: [{ clips: [
        { asset: "a", in: "2s", duration: "5s" }, { asset: "b", duration: "3s", transition: { type: "dissolve", duration: "1s" } }] }] }
      """
    let project = try ProjectFile(text)
    #expect(throws: CompositorError.self) { try project.edit(catalog: MediaCatalog()) }
    let edit = try project.edit(catalog: .withPlaceholders)
    let diagnostics = CompositionValidator.validate(edit, catalog: MediaCatalog()).diagnostics
    #expect(diagnostics.contains { $0.code == .mediaUnavailable })
    let svg = try SVGElements(TimelineDiagram(edit, diagnostics: diagnostics).svg())
    let times = svg.all("segment").filter { $0.row?.hasPrefix("video") == true }.compactMap { $0.number("data-time") }
    #expect(times.contains(0) && times.contains(4))
    #expect(svg.root.number("data-duration") == 7)
    #expect(svg.all("diagnostic").count >= 1)
  }

  @Test func export_toAnotherExtension_isRefused() throws {
    let diagram = TimelineDiagram(try Edits.clips(1, of: .seconds(1)))
    do throws(CompositorError) {
      try DiagramExporter().export(diagram, to: "/tmp/diagram.pdf")
      Issue.record("a PDF was written")
    } catch {
      #expect(error.code == .unsupportedOutput)
    }
  }
}
