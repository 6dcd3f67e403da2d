import CompositorAPI
import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting

/// Rejects movies that cannot be joined from parts, with a recovery suggestion.
enum PlanLimits {
  /// Containers that parts can be joined to.
  private static let containers: [MovieContainer] = [.mp4, .mov, .m4v, .mkv, .webm]

  /// Checks the settings, before anything is read.
  static func check(_ settings: ExportSettings, output: OutputName) throws(CompositorError) {
    switch output {
    case .images:
      throw refusal(
        "Numbered images are not joined.", "Render ranges with \(setting: .timeRange), or plan a movie.", output)
    case .audio: throw refusal("Audio alone is rendered in one piece.", "Use \(operation: .render).", output)
    case .stream: throw refusal("A stream cannot be made of parts.", "Name a movie.", output)
    case .movie: break
    }
    if let container = output.container, !containers.contains(container) {
      throw refusal(
        "A .\(container.rawValue) file cannot be made of parts.",
        "Plan \(containers.map { ".\($0.rawValue)" }.joined(separator: ", ")), and convert the movie.", output)
    }
    guard settings.passthrough == nil else {
      throw refusal(
        "Copying without encoding gains nothing by parts.", "Render it without a plan, with \(setting: .passthrough).", output)
    }
    guard !settings.video.isTwoPass else {
      throw refusal("Two passes measure a movie as a whole.", "Choose a constant quality, or a bit rate in one pass.", output)
    }
    try checkBytes(settings, output)
  }

  /// Checks a row of a batch, which is a movie of its own.
  static func check(row settings: ExportSettings, output: OutputName) throws(CompositorError) {
    switch output {
    case .images: throw refusal("Rows of a plan are one file each.", "Plan movies, or render the batch without a plan.", output)
    case .stream: throw refusal("A stream cannot be planned.", "Name a file.", output)
    case .movie, .audio: break
    }
    try checkBytes(settings, output)
  }

  /// Checks that machines encode the same bytes.
  private static func checkBytes(_ settings: ExportSettings, _ output: OutputName) throws(CompositorError) {
    guard settings.video.encoder == .software else {
      throw refusal("The bytes that a device encodes differ from machine to machine.", "Choose the software encoder.", output)
    }
  }

  /// Checks what depends on the frames.
  static func check(_ outline: ExportOutline) throws(CompositorError) {
    guard outline.settings.video.codec == .vp9, outline.description.video?.format.hasAlpha == true else { return }
    throw CompositorError(
      .unsupportedOutput, "VP9 with alpha cannot be made of parts.",
      recoverySuggestion: "Plan ProRes 4444 or FFV1, and convert the movie.")
  }

  private static func refusal(_ message: String, _ advice: Advice, _ output: OutputName) -> CompositorError {
    CompositorError(
      .unsupportedOutput, message, advice: advice, at: ErrorLocation(file: output.path))
  }
}
