import ArgumentParser
import Compositor

/// The project, the output, and what is rendered of it: the options of `compositor render` that define a movie, which
/// `compositor plan` takes, too.
struct RenderOptions: ParsableArguments {
  @OptionGroup var project: ProjectArgument
  @OptionGroup var captions: CaptionOptions
  @OptionGroup var options: OutputOptions

  @Option(
    parsing: .unconditional,
    help:
      "The range of the timeline to render, A..B. Either may be omitted. Times as in projects: 48f, 2.5s, 1:02.5, 00:00:02:12.")
  var range: String?

  /// What the options override of the project.
  var overrides: ProjectOverrides {
    get throws {
      var overrides = try options.overrides
      (overrides.variables, overrides.ends) = (project.variables, project.ends)
      (overrides.plugins, overrides.captions) = (project.plugins.overrides, captions.overrides)
      (overrides.canvas, overrides.frameRate) = (options.encoding.size, options.encoding.fps?.rate)
      return overrides
    }
  }

  /// The files that the options name.
  var files: [String] { captions.captions + options.metadata.files }

  /// Loads the project. Warnings go to the standard error stream.
  func load() throws -> RenderableProject {
    var overrides = try overrides
    let isOfAudio = options.mediaTypes == [.audio] && project.ends == nil && captions.captions.isEmpty
    // All of the timeline is rendered, so that audio alone needn't keep the times of video.
    overrides.playsAudioAlone = range == nil && isOfAudio
    return try project.load(overrides, naming: captions.captions, isRateChosen: options.encoding.fps != nil)
  }

  /// Loads a project that a loader of these options has opened. Warnings go to the standard error stream.
  ///
  /// - Parameter row: The row of a batch that has the project's values, which warnings name; `nil` without a batch.
  func load(_ file: ProjectFile, by loader: ProjectLoader, row: String? = nil) throws(CompositorError) -> RenderableProject {
    try RenderableProject(loader.load(file), naming: files, isRateChosen: options.encoding.fps != nil, row: row)
  }
}
