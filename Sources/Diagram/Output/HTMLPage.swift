import CompositorAPI

/// A self-contained page: the diagram, the instructions as a table, and the diagnostics as a list. Without scripts. Marks of
/// diagnostics and instructions link to their list entries, and are therefore accessible by keyboard.
struct HTMLPage {
  private let recording: DiagramRecording
  private let settings: DiagramSettings

  init(_ diagram: TimelineDiagram, _ settings: DiagramSettings) {
    recording = DiagramRecording(diagram, settings)
    self.settings = settings
  }

  var document: String {
    let title = SVGWriter.escaped(DiagramText.clean(settings.title, limit: 300))
    var svg = SVGWriter(recording, theme: settings.theme)
    svg.isLinked = true
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      \(style)
      </style>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      <p>\(SVGWriter.escaped(recording.summary))</p>
      <div class="diagram" tabindex="0" role="region" aria-label="Timeline">
      \(svg.document)</div>
      \(diagnostics)
      \(instructions)
      </main>
      </body>
      </html>

      """
  }

  private var style: String {
    func colors(dark: Bool) -> String {
      let pairs: [(String, DiagramColor)] = [
        ("background", .background), ("band", .band), ("text", .text), ("muted", .mutedText), ("grid", .grid),
        ("error", .error),
        ("warning", .warning),
      ]
      return pairs.map { "--\($0):\($1.notation(dark: dark))" }.joined(separator: ";")
    }
    let dark = settings.theme == .auto ? "@media (prefers-color-scheme: dark){:root{\(colors(dark: true))}}\n" : ""
    return """
      :root{color-scheme:\(settings.theme == .auto ? "light dark" : settings.theme.rawValue);\(colors(dark: settings.theme == .dark))}
      \(dark)body{margin:0;padding:16px;background:var(--background);color:var(--text);font:14px/1.45 system-ui,sans-serif}
      .diagram{overflow-x:auto}
      svg{display:block;max-width:none}
      table{border-collapse:collapse}
      th,td{text-align:left;vertical-align:top;padding:3px 12px 3px 0;border-bottom:1px solid var(--grid)}
      td.time{font-variant-numeric:tabular-nums;white-space:nowrap}
      .error>strong{color:var(--error)}
      .warning>strong{color:var(--warning)}
      :target{background:var(--band);outline:2px solid var(--text)}
      a:focus-visible{outline:2px solid var(--text)}
      """
  }

  private var diagnostics: String {
    let all = recording.context.diagnostics
    guard !all.isEmpty else { return "<h2>Diagnostics</h2>\n<p>None: the edit is valid.</p>" }
    let items = all.enumerated().map { index, diagnostic in
      let parts = [
        "<strong>\(diagnostic.severity.rawValue)</strong>: \(written(diagnostic.message))",
        diagnostic.file.map { file in
          let place = [file, diagnostic.line?.description, diagnostic.column?.description].compactMap(\.self)
          return "<br>Place: \(written(place.joined(separator: ":")))\(diagnostic.path.map { " (\(written($0)))" } ?? "")"
        },
        recording.context.range(ofDiagnostic: index).map { "<br>Time: \(written(DiagramText.range($0)))" },
        diagnostic.cause.map { "<br>Likely cause: \(written($0))" },
        diagnostic.recoverySuggestion.map { "<br>\(written($0))" },
        diagnostic.fixText.map { "<br>\(written($0))" },
      ]
      let time = diagnostic.movieTime.map { " data-time=\"\($0.value)/\($0.timescale)\"" } ?? ""
      return
        "<li id=\"diagnostic-\(index)\" class=\"\(diagnostic.severity.rawValue)\" data-code=\"\(diagnostic.code.rawValue)\"\(time)>"
        + "\(parts.compactMap { $0 }.joined())</li>"
    }
    return "<h2>Diagnostics</h2>\n<ol>\n\(items.joined(separator: "\n"))\n</ol>"
  }

  private var instructions: String {
    let all = recording.context.edit.videoComposition.instructions
    guard !all.isEmpty else { return "" }
    let rows = all.enumerated().map { index, instruction in
      let range = instruction.timeRange
      let times = [range.start, range.end, range.duration].map { "<td class=\"time\">\(written(DiagramText.exact($0)))</td>" }
      return "<tr id=\"instruction-\(index)\"><th scope=\"row\">\(index)</th>\(times.joined())"
        + "<td>\(written(instruction.composerText))</td><td>\(written(instruction.layerText(recording.names)))</td></tr>"
    }
    return """
      <h2>Instructions</h2>
      <table>
      <thead><tr><th scope="col">Index</th><th scope="col">Start</th><th scope="col">End</th><th scope="col">Duration</th>\
      <th scope="col">Compositor</th><th scope="col">Layers</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      """
  }

  private func written(_ text: String) -> String { SVGWriter.escaped(DiagramText.clean(text, limit: 2000)) }
}

extension TimelineDiagram {
  /// The diagram as a self-contained page: the SVG, all diagnostics, and all instructions with their exact times. Without
  /// scripts or external resources.
  public func html(_ settings: DiagramSettings = .init()) -> String { HTMLPage(self, settings).document }
}
