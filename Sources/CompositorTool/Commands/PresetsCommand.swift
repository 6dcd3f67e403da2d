import ArgumentParser
import Compositor
import Foundation

/// `compositor presets`.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List the presets for --preset and output.preset.",
    discussion: """
      EXAMPLES
        compositor presets
        compositor presets --json
        compositor render holiday.json5 --preset phone -o holiday.mp4
      """)

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    guard json else {
      let rows = [PresetTable.heading] + PresetTable.rows
      let widths = PresetTable.heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
      let lines = rows.map { row in
        zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
          .replacing(/\s+$/, with: "")
      }
      try Terminal.result(lines.joined(separator: "\n"))
      return
    }
    let data = try JSONSerialization.data(
      withJSONObject: PresetTable.objects, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    try Terminal.result(String(decoding: data, as: UTF8.self))
  }
}
