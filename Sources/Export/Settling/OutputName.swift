package import CompositorAPI
import CompositorHost
import CompositorMediaIO
package import CompositorMediaWriting

/// The output of an export: a movie, an audio file, numbered images, or a descriptor.
package enum OutputName: Hashable, Sendable {
  case movie(path: String, MovieContainer)
  /// `.m4a`, `.wav` and other audio files.
  case audio(path: String, MovieContainer)
  /// `frame_%04d.png`, `.jpg`, `.webp`, with a number in place of `%04d`.
  case images(ImagePattern, ImageFileFormat)
  /// A descriptor to which a movie, or audio alone, is written as it is made.
  case stream(MovieStream, MovieContainer)

  /// - Throws: `.unsupportedOutput` if the extension is neither a movie's, an audio file's nor an image's.
  package init(path: String) throws(CompositorError) {
    let format = ImageFileFormat(path: path)
    if let format, let pattern = ImagePattern(path) {
      self = .images(pattern, format)
      return
    }
    // A WebP without a number may be a movie.
    guard format != .png, format != .jpeg else {
      throw CompositorError(
        .unsupportedOutput, "A sequence of images needs one number in its files' name.",
        recoverySuggestion: "Name it like frame_%04d.png, with %% for a percent sign, or ask for one frame.",
        at: ErrorLocation(file: path))
    }
    let container = try MovieContainer(path: path)
    self = container.isAudioOnly ? .audio(path: path, container) : .movie(path: path, container)
  }

  /// All files of the frames, one by one, as there may be many; none for a stream.
  func files(frameCount: Int) -> some Sequence<String> {
    let count =
      switch self {
      case .images: frameCount
      case .movie, .audio: 1
      case .stream: 0
      }
    return (0..<count).lazy.map { index in
      switch self {
      case .movie(let path, _), .audio(let path, _): path
      case .images(let pattern, _): pattern.path(number: index + 1)
      case .stream(let stream, _): stream.name
      }
    }
  }

  /// The output's folder.
  var folder: String {
    switch self {
    case .movie(let path, _), .audio(let path, _): FileName.folder(of: path)
    case .images(let pattern, _): pattern.folder
    case .stream: "."
    }
  }

  /// The path as the caller gave it.
  package var path: String {
    switch self {
    case .movie(let path, _), .audio(let path, _): path
    case .images(let pattern, _): pattern.text
    case .stream(let stream, _): stream.name
    }
  }

  /// The format of the file or the stream; `nil` for images.
  package var container: MovieContainer? {
    switch self {
    case .movie(_, let container), .audio(_, let container), .stream(_, let container): container
    case .images: nil
    }
  }

  /// How audio is encoded in it, with what the settings leave to the container; `nil` if there is none.
  package func encoding(of audio: AudioEncodingSettings?) -> AudioEncodingSettings? {
    guard let audio, let container else { return audio }
    return audio.settled(for: container)
  }

  /// The kinds of tracks that it can hold and that are rendered for it.
  package var mediaTypes: Set<MediaType> {
    guard let container else { return [.video] }
    if container.isAudioOnly { return [.audio] }
    return container.audioCodecs.isEmpty ? [.video] : [.video, .audio]
  }
}

extension OutputName {
  /// Checks that a preset writes this output: the container must be one of the preset's. Any preset with video may write an audio
  /// file, and all may write images.
  ///
  /// - Parameters:
  ///   - preset: The preset; `nil` for none, which is always possible.
  ///   - path: The output's path in errors; `nil` for its own.
  /// - Throws: `.unsupportedOutput`.
  package func check(_ preset: ExportPreset?, named path: String? = nil) throws(CompositorError) {
    guard let preset, let container else { return }
    let definition = preset.definition
    let place = ErrorLocation(file: path ?? self.path)
    let extensions = alternatives(definition.containers.map { ".\($0.rawValue)" })
    if container == .nut, preset.streamableContainer == nil {
      throw CompositorError(
        .unsupportedOutput, "The preset \(preset.rawValue) writes nothing that can be streamed.",
        recoverySuggestion: "Write a file, \(extensions), or choose another preset.", at: place)
    }
    guard !definition.containers.contains(container), !(container.isAudioOnly && definition.video != nil) else { return }
    throw CompositorError(
      .unsupportedOutput, "The preset \(preset.rawValue) writes no .\(container.rawValue) file.",
      recoverySuggestion: "Name it \(extensions), or choose another preset.", at: place)
  }
}

/// A path with a number in its last component, as ``NumberedName`` parses it.
package struct ImagePattern: Hashable, Sendable {
  let text: String
  private let names: NumberedName

  /// `nil` unless there is exactly one number, in the last component.
  init?(_ path: String) {
    guard let names = NumberedName(path), !names.suffix.contains("/") else { return nil }
    (text, self.names) = (path, names)
  }

  /// The folder of all the images.
  var folder: String { FileName.folder(of: names.prefix) }

  func path(number: Int) -> String { names.name(number) }

  /// The existing images among these numbers. Costs one scan of the folder, however many numbers there are.
  func present(in numbers: ClosedRange<Int>) -> [String] {
    let head = names.prefix.dropLast(FileName.name(of: names.prefix).count)
    return FolderListing.names(in: folder).map { head + $0 }.filter { file in
      names.number(of: file).map(numbers.contains) ?? false
    }
  }
}
