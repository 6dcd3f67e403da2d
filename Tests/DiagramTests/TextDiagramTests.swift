import CompositorAPI
import CompositorDiagram
import CompositorValidation
import Foundation
import Testing

@Suite struct TextDiagramTests {
  private func diagram(_ count: Int) throws -> TimelineDiagram { TimelineDiagram(try Edits.clips(count, of: .seconds(2))) }

  @Test(arguments: [1, 4, 60, 500], [40, 80, 120, 200]) func text_ofAnyWidth_keepsToItsColumns(_ count: Int, _ columns: Int)
    throws
  {
    let text = try diagram(count).text(columns: columns)
    for line in text.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
    #expect(text.contains("Video 1") && text.contains("Instructions") && text.hasSuffix("\n"))
  }

  @Test func text_inASCII_hasNothingElse() throws {
    let text = try diagram(5).text(isASCII: true).replacing("…", with: "")
    #expect(text.replacing("×", with: "").replacing("·", with: "").utf8.allSatisfy { $0 < 128 }, "\(text)")
  }

  @Test func boxes_ofText_areAtTheirTimes() throws {
    let text = try diagram(4).text(DiagramSettings(time: .seconds(4)), columns: 94)
    let lines = text.split(separator: "\n").map { Array($0) }
    let row = try #require(lines.first { String($0).hasPrefix("Audio 3") })
    // 80 columns for 8 s behind 14 of the label.
    #expect(row.indices.filter { row[$0] == "├" } == [14, 34, 54, 74])
    #expect(row.indices.filter { row[$0] == "┤" } == [33, 53, 73, 93])
    let ruler = try #require(lines.first { $0.contains("▼") })
    #expect(ruler.firstIndex(of: "▼") == 54)
  }

  @Test func diagnostics_inText_areMarkedAndListed() throws {
    let edit = try Edits.faultyEditor()
    let diagnostics = CompositionValidator.validate(edit, catalog: Edits.catalog).diagnostics
    let text = TimelineDiagram(edit, diagnostics: diagnostics).text(columns: 80)
    #expect(text.contains("!") && text.contains("1 error: "))
    for line in text.split(separator: "\n") { #expect(line.count <= 80) }
  }
}

@Suite struct HTMLDiagramTests {
  @Test func page_ofAnEdit_isSelfContainedAndLinked() throws {
    let edit = try Edits.faultyEditor()
    let diagnostics = CompositionValidator.validate(edit, catalog: Edits.catalog).diagnostics
    let page = TimelineDiagram(edit, diagnostics: diagnostics).html(DiagramSettings(title: "a & b", theme: .auto))
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<title>a &amp; b</title>"))
    #expect(!page.contains("<script") && !page.contains("src=") && !page.contains("url(http"))
    let ids = Set(page.matches(of: /\sid="([^"]+)"/).map { String($0.1) })
    let links = page.matches(of: /href="#([^"]+)"/).map { String($0.1) }
    #expect(!links.isEmpty && links.allSatisfy(ids.contains), "\(links)")
    for index in 0..<5 { #expect(links.contains("instruction-\(index)")) }
    for index in diagnostics.indices { #expect(ids.contains("diagnostic-\(index)") && links.contains("diagnostic-\(index)")) }
    #expect(page.contains("prefers-color-scheme: dark"))
  }
}

@Suite struct DiagramColorTests {
  private func luminance(_ color: UInt32) -> Double {
    let parts = [16, 8, 0].map { shift -> Double in
      let value = Double(color >> UInt32(shift) & 255) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// WCAG 2.1, 1.4.3.
  private func contrast(_ first: UInt32, _ second: UInt32) -> Double {
    let (one, two) = (luminance(first), luminance(second))
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  @Test func text_onEveryFill_hasContrast() {
    let fills: [DiagramColor] =
      [.background, .band, .audioFill, .titleFill, .captionFill, .errorFill, .warningFill] + (0..<6).map { .trackFill($0) }
    for fill in fills {
      #expect(contrast(DiagramColor.text.light, fill.light) >= 4.5 && contrast(DiagramColor.text.dark, fill.dark) >= 4.5)
    }
    let strokes: [DiagramColor] =
      [.mutedText, .error, .warning, .playhead, .audio, .title, .caption] + (0..<6).map { .track($0) }
    for stroke in strokes {
      for behind in [DiagramColor.background, .band] {
        #expect(contrast(stroke.light, behind.light) >= 4.5 && contrast(stroke.dark, behind.dark) >= 4.5, "\(stroke)")
      }
      // Numbers of diagnostics are in the background's color.
      #expect(contrast(stroke.light, DiagramColor.background.light) >= 4.5)
    }
  }
}
