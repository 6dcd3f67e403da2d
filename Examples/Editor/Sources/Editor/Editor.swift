import Compositor
import Foundation

/// Joins clips with dissolves, inspects the edit before rendering it, plays it and renders it:
///
///     swift run Editor OUTFOLDER [CLIP …] [--clips COUNT] [--transition SECONDS]
///
/// Without clips it generates three, or the number given by `--clips`.
@main struct Editor {
  let simple: SimpleEdit
  let edit: Edit
  let folder: String

  static func main() async {
    do {
      let options = Options(CommandLine.arguments.dropFirst())
      try await Editor(options).run()
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  init(_ options: Options) async throws {
    let sources = options.clips.isEmpty ? try await options.makeClips() : options.clips
    simple = try SimpleEdit(sources, transition: options.transition)
    edit = try simple.edit()
    folder = options.folder
  }

  func run() async throws {
    let composition = try look()
    try await play(composition)
    let result = try await Exporter.export(composition, to: folder + "/editor.mp4", settings: ExportSettings(overwrites: true))
    print("wrote \(result.path): \(result.frameCount) frames, \(result.duration.seconds) s")
  }

  /// Prints the diagnostics of the edit and draws its diagram, before anything is decoded. `docs/debugging.md` shows the output for an
  /// invalid edit.
  func look() throws -> ValidatedComposition {
    let report = CompositionValidator.validate(edit, catalog: MediaCatalog())
    for diagnostic in report.diagnostics { print(diagnostic) }
    let counts = (simple.clips.count, edit.videoComposition.instructions.count, report.diagnostics.count)
    print("clips: \(counts.0), instructions: \(counts.1), diagnostics: \(counts.2)")
    // An invalid edit is drawn, too, with its errors marked.
    let diagram = TimelineDiagram(edit, diagnostics: report.diagnostics)
    try diagram.svg().write(toFile: folder + "/editor.svg", atomically: true, encoding: .utf8)
    return try report.get()
  }

  /// Plays the edit, in about six seconds if it is longer, and prints the position of the playhead when it enters each instruction.
  func play(_ composition: ValidatedComposition) async throws {
    let player = try Player(composition, settings: PlayerSettings(maximumSize: PixelSize(width: 320, height: 180)))
    let boundaries = edit.videoComposition.instructions.dropFirst().map(\.timeRange.start)
    let crossed = player.boundaries(boundaries)
    print(playhead(.zero), name(of: .zero))
    player.play(rate: max(1, edit.composition.duration.seconds / 6))
    for await boundary in crossed.prefix(boundaries.count) { print(playhead(boundary), name(of: boundary)) }
    while player.currentTime < player.endTime { try await Task.sleep(for: .milliseconds(10)) }
    let statistics = player.statistics
    await player.close()
    print(
      playhead(edit.composition.duration), "end: \(statistics.paintedCount) frames shown, \(statistics.droppedCount) dropped")
  }

  /// The instruction that begins at a time.
  private func name(of time: MediaTime) -> String {
    if let index = simple.transitionRanges.firstIndex(where: { $0.start == time && !$0.isEmpty }) {
      return "clip \(index) to clip \(index + 1)"
    }
    return simple.passThroughRanges.firstIndex { $0.start == time }.map { "clip \($0) alone" } ?? ""
  }

  /// `[====|     ] 2.4 s`
  private func playhead(_ time: MediaTime) -> String {
    let (width, place) = (40, Int(40 * time.seconds / edit.composition.duration.seconds))
    return "[" + String(repeating: "=", count: place) + "|" + String(repeating: " ", count: width - place)
      + "] \(time.seconds) s"
  }
}
