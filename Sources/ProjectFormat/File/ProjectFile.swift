public import CompositorAPI
import CompositorHost
package import CompositorMedia
import CompositorMediaIO
public import CompositorMediaWriting
public import CompositorPlugins
package import CompositorTimeline

/// A project file: a timeline written by a person, its media and its output settings.
///
/// The format is JSON5, as described in `docs/project-file.md` and, for editors, by ``jsonSchema``. Reading checks the whole
/// text without opening media; ``edit(catalog:fonts:registry:)`` then reads from the media what the project leaves open.
///
/// ```swift
/// let project = try ProjectFile(contentsOf: "holiday.json5")
/// let edit = try project.edit(catalog: MediaCatalog())
/// ```
public struct ProjectFile: Sendable {
  /// The output settings.
  public private(set) var output: ProjectOutput
  /// The assets, by the name that clips use.
  public let assets: [String: MediaSource]
  /// The files of compositor plugins.
  public let pluginFiles: [PluginFile]
  package let text: SourceText
  private let written: WrittenDocument
  let directory: String
  /// The timeline as far as it is known without media and plugins.
  private(set) var draft: Timeline
  /// Whether times or lengths in the draft depend on a frame rate or canvas that the media determines.
  let awaitsMedia: Bool
  /// The compositors and audio processors that the project names and that aren't built in, whether or not they are seen or
  /// heard: what plugins have to provide. They are known without media.
  public let pluginIDs: Set<CompositorID>
  /// Whether the draft uses compositors that aren't built in, or files, which are unchecked.
  let awaitsPlugins: Bool
  /// What the project is made from. Only ``ProjectOrigin/project`` has a text with places.
  package let origin: ProjectOrigin

  /// The maximum length of a project, in bytes.
  package static let maximumByteCount = 64 << 20

  /// Reads a project file. Paths in it are relative to its directory.
  ///
  /// - Throws: `.invalidProject` with `file:line:column` and the key path at the first mistake; `.fileNotFound`;
  ///   `.sourceRefused` if it isn't a regular file.
  ///
  /// - Parameters:
  ///   - variables: Values for `${name}` in the project's strings. Each is converted to the required type.
  ///   - ignoringUnused: Whether to ignore values for names that the project doesn't have, rather than throwing.
  public init(contentsOf path: String, variables: [String: String] = [:], ignoringUnused: Bool = false) throws(CompositorError)
  {
    let bytes = try RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount)
    try self.init(
      SourceText(name: path, bytes: bytes), directory: ProjectFile.directory(of: path), variables: variables,
      ignoringUnused: ignoringUnused)
  }

  /// Reads a project from a string.
  ///
  /// - Parameters:
  ///   - text: The project in JSON5.
  ///   - name: The name of the project in messages.
  ///   - directory: The directory that paths are relative to; `nil` for the current directory.
  /// - Throws: `.invalidProject` at the first mistake.
  public init(
    _ text: String, name: String = "project", directory: String? = nil, variables: [String: String] = [:],
    ignoringUnused: Bool = false
  ) throws(CompositorError) {
    try self.init(
      SourceText(name: name, bytes: Array(text.utf8)), directory: directory ?? "", variables: variables,
      ignoringUnused: ignoringUnused)
  }

  /// Creates a project with one clip: a whole media file, or a still image for 5 s.
  public init(media path: String) throws(CompositorError) {
    let text = try SourceText(name: path, bytes: [])
    guard ProjectReader.isPath(path) else { throw text.error("This is not a path.", atByte: 0, path: "assets.media") }
    let source = MediaSource.file(path: path)
    var timeline = Timeline()
    timeline.tracks = [TimelineTrack(clips: [TimelineClip(source)])]
    self.init(timeline, of: .media(path), text, assets: ["media": source])
  }

  /// Whether a file's name is that of a project: it ends in `.json5` or `.json`.
  package static func isProject(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".json5") || name.hasSuffix(".json")
  }

  /// Opens a project file if the name ends in `.json5` or `.json`, a project on standard input for `-`, or a media file as a
  /// project with one clip.
  public init(opening path: String, variables: [String: String] = [:], ignoringUnused: Bool = false) throws(CompositorError) {
    if path == "-" {
      try self.init(standardInput: variables, ignoringUnused: ignoringUnused)
    } else if Self.isProject(path) {
      try self.init(contentsOf: path, variables: variables, ignoringUnused: ignoringUnused)
    } else if (try? RegularFile.beginning(of: path, count: 1)) == [UInt8(ascii: "{")] {
      // No media format starts with `{`.
      throw CompositorError(
        .invalidProject, "This is a text file, not media.", recoverySuggestion: "If it's a project, name it *.json5.",
        at: ErrorLocation(file: path))
    } else {
      try self.init(media: path)
    }
  }

  init(
    _ text: SourceText, directory: String, variables: [String: String], ignoringUnused: Bool
  ) throws(CompositorError) {
    let document = try ProjectVariables.fill(
      try JSON5Reader.read(text), text, directory: directory, set: variables, ignoringUnused: ignoringUnused)
    try self.init(text, document: document, directory: directory, variables: variables)
  }

  init(
    _ text: SourceText, document: JSON5Node, directory: String, variables: [String: String] = [:],
    notes: ProjectNotes = ProjectNotes()
  ) throws(CompositorError) {
    let root = ProjectValue.root(of: document, text, notes: notes)
    let reader = ProjectReader(directory: directory)
    let header = try reader.header(root)
    self.output = header.output
    self.assets = header.assets
    self.pluginFiles = try header.project.list("plugins", reader.pluginFile) ?? []
    self.text = text
    self.directory = directory
    origin = .project
    // Mistakes in titles are reported before any media is opened. Times in frames are resolved later.
    try reader.checkTitles(header)
    self.draft = try reader.timeline(root, header, canvas: header.output.size, frameRate: header.output.frameRate)
    awaitsMedia =
      (notes.countsFrames && header.output.frameRate == nil) || (notes.measuresCanvas && header.output.size == nil)
    pluginIDs = notes.pluginIDs
    awaitsPlugins = !pluginIDs.isEmpty || notes.namesFiles
    // The files of variables may change meanwhile.
    let isReadAgain =
      awaitsMedia || awaitsPlugins || header.assets.values.contains(where: \.isTitles) || !document.variableFiles.isEmpty
    written = WrittenDocument(text, directory: directory, variables: variables, document: isReadAgain ? document : nil)
  }

  /// Creates a project of a timeline that isn't written as one, with the default output.
  ///
  /// - Parameters:
  ///   - text: An empty text with the name that messages use.
  ///   - assets: The timeline's media, by name.
  init(_ timeline: Timeline, of origin: ProjectOrigin, _ text: SourceText, assets: [String: MediaSource]) {
    (output, self.assets, pluginFiles) = (ProjectOutput(), assets, [])
    (self.text, directory, self.origin) = (text, "", origin)
    (awaitsMedia, awaitsPlugins, pluginIDs) = (false, false, [])
    written = WrittenDocument(text, directory: "", variables: [:], document: JSON5Node(.object([])))
    draft = timeline
    output.apply(to: &draft)
  }

  /// The paths of compositor plugins.
  public var plugins: [String] { pluginFiles.map(\.path) }

  /// The parsed text with its variables filled in; an empty object without a text.
  package var document: JSON5Node { written.document }

  /// Where clips without `ends` begin and end if their video and audio differ; `nil` for the longest.
  package var ends: ClipEnds?
  /// Whether only audio is used; see ``playAudioAlone()``.
  private(set) var isAudioAlone = false

  /// Leaves out the video of a media file that has audio: the timeline then has the times of its samples. Projects keep the
  /// times of their movies.
  package mutating func playAudioAlone() { isAudioAlone = origin.isMedia }

  /// Sets the canvas if the project doesn't specify its size. Clips are fitted to it, and percentages refer to it.
  package mutating func layOut(on canvas: PixelSize) {
    guard output.size == nil else { return }
    (output.size, draft.canvas) = (canvas, canvas)
  }

  /// Sets the rate of the frames on which a media file begins and ends, if its own has no frame at its end: frames that have no steady rate,
  /// or of which the last one is shorter. Otherwise the end would be rounded twice.
  package mutating func layOut(atRate rate: Rational, catalog: MediaCatalog) {
    let clips = draft.tracks.flatMap(\.clips)
    guard origin.isMedia, output.frameRate == nil, clips.count == 1, let clip = clips.first, clip.showsVideo,
      let info = try? catalog.info(for: clip.source),
      let track = info.videoTracks.first(where: { $0.index == clip.videoTrackIndex }), !track.isStill, !track.endsWithFrame
    else { return }
    (output.frameRate, draft.frameRate) = (rate, rate)
  }

  /// Chooses the audio tracks of a media file.
  ///
  /// - Returns: Notes, one sentence each, without a capital or a full stop.
  /// - Throws: `.invalidValue` for a project; `.trackNotFound` if the file has no such track.
  package mutating func selectAudio(
    _ selection: AudioTrackSelection, catalog: MediaCatalog
  ) throws(CompositorError) -> [String] {
    guard origin.isMedia else {
      throw CompositorError(
        .invalidValue, "Audio tracks are chosen on the command line for media files only.",
        recoverySuggestion: "In a project, a clip has audioTrack, and the output has audioTracks.",
        at: ErrorLocation(file: text.name))
    }
    return try draft.selectAudio(selection, catalog: catalog)
  }

  /// The directory that paths of a project are relative to, with its slash; empty for the current one.
  static func directory(of path: String) -> String { String(FileName.prefix(of: path)) }
}

/// The output settings of a project. `nil` properties follow the first clip that shows video.
public struct ProjectOutput: Hashable, Sendable {
  /// The canvas size in pixels.
  public var size: PixelSize?
  /// Frames per second.
  public var frameRate: Rational?
  /// The color of the frames.
  public var color: ColorTags?
  /// Whether the chroma location is that of the sources if they agree, for the color names `hlg` and `pq`.
  public var followsSourceChromaSites = false
  /// How the peak luminance of PQ sources is determined, unless their assets specify it.
  public var peak = PeakChoice.stated
  /// How sources of another dynamic range (SDR, HLG, PQ) are converted to the output's.
  public var colorConversion = ColorConversionPolicy.standard
  /// The mastering display and light level metadata to write.
  public var hdrMetadata = HDRMetadataChoice.propagate
  /// The color behind all layers; `nil` for opaque black.
  public var background: Color?
  /// The signal domain in which layers are blended.
  public var blending = BlendingSpace.encoded
  /// The default resampling of clips.
  public var sampling: SamplingQuality?
  /// The pixel format of the frames.
  public var format: PixelFormat?
  /// Bits per component, if ``format`` is `nil`.
  public var bitDepth: Int?
  /// Whether the frames have alpha.
  public var keepsAlpha = false
  /// Whether the frames have the chroma resolution and bit depth of the finest source, as the preset requires.
  public var followsSourceLayout = false
  /// The video encoding settings; their codec is that of the project or its preset, if either chooses one.
  public var video = VideoEncodingSettings()
  /// The audio encoding settings; `nil` for a movie without audio.
  public var audio: AudioEncodingSettings? = AudioEncodingSettings()
  /// The named preset for encoding, if any. It is already applied to the other properties, except those that the project
  /// overrides.
  public var preset: ExportPreset?
  /// The metadata of the output file.
  public var metadata = ProjectMetadata()

  /// Creates settings that follow the first clip, with the default codecs of the file to write.
  public init() {}
}
