public import CompositorAPI
import CompositorHost
import CompositorMediaIO
public import CompositorMediaWriting
import CompositorTimeline

/// A project: a timeline written by a person, its media and what should come out.
///
/// The format is JSON5, described in `docs/project-file.md` and, for editors, by ``jsonSchema``. Reading checks the whole
/// text and touches no media; ``edit(catalog:)`` then asks the media for what the project leaves open.
///
/// ```swift
/// let project = try ProjectFile(contentsOf: "holiday.json5")
/// let edit = try project.edit(catalog: MediaCatalog())
/// ```
public struct ProjectFile: Sendable {
  /// What should come out.
  public private(set) var output: ProjectOutput
  /// Media by the name that clips use.
  public let assets: [String: MediaSource]
  /// Files of compositor plugins that it lists.
  public let plugins: [String]
  /// Places where the project writes something in an older way, which is still understood: each says the current one.
  public let warnings: [CompositorError]
  /// Changes of the text that write what ``warnings`` ask for, by the byte that the warning is about.
  let spellingFixes: [Int: ProjectFix]
  package let text: SourceText
  private let written: WrittenDocument
  let directory: String
  /// The timeline as far as it is known without media and plugins.
  private(set) var draft: Timeline
  /// Whether times in the draft are right only at the frame rate, or lengths only on the canvas, that media will decide.
  let awaitsMedia: Bool
  /// Whether the draft names compositors that aren't built in, or files, that are unchecked.
  let awaitsPlugins: Bool
  /// Whether the project was made up for a media file, so that places in its text mean nothing to anybody.
  let isMadeUp: Bool

  /// The longest project, in bytes.
  package static let maximumByteCount = 64 << 20

  /// Reads a project file; paths in it are relative to its directory.
  ///
  /// - Throws: `.invalidProject` with `file:line:column` and the key path at the first mistake; `.fileNotFound`;
  ///   `.sourceRefused` where it is not a regular file.
  ///
  /// - Parameters:
  ///   - variables: Values for `${name}` in the project's strings; each becomes what its place wants.
  ///   - ignoringUnused: Whether a value for a name that the project does not have is no mistake.
  public init(contentsOf path: String, variables: [String: String] = [:], ignoringUnused: Bool = false) throws(CompositorError)
  {
    let bytes = try RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount)
    try self.init(
      SourceText(name: path, bytes: bytes), directory: ProjectFile.directory(of: path), variables: variables,
      ignoringUnused: ignoringUnused)
  }

  /// Reads a project from a text.
  ///
  /// - Parameters:
  ///   - text: JSON5.
  ///   - name: What messages call it.
  ///   - directory: What paths in it are relative to; nil for the current directory.
  /// - Throws: `.invalidProject` at the first mistake.
  public init(
    _ text: String, name: String = "project", directory: String? = nil, variables: [String: String] = [:],
    ignoringUnused: Bool = false
  ) throws(CompositorError) {
    try self.init(
      SourceText(name: name, bytes: Array(text.utf8)), directory: directory ?? "", variables: variables,
      ignoringUnused: ignoringUnused)
  }

  /// A project of one clip: the whole of a media file, or a still image for 5 s.
  public init(media path: String) throws(CompositorError) {
    let document = JSON5Node(
      .object([
        JSON5Member("version", JSON5Node(.number(String(ProjectSchema.version)))),
        JSON5Member("assets", JSON5Node(.object([JSON5Member("media", JSON5Node(.string(path)))]))),
        JSON5Member("tracks", JSON5Node(.array([ProjectFile.oneClipTrack]))),
      ]))
    try self.init(SourceText(name: path, bytes: []), document: document, directory: "", isMadeUp: true)
  }

  /// Opens what a person gave: a project file where the name ends in `.json5` or `.json`, a project on the standard input for `-`, else a
  /// media file as a project of one clip.
  public init(opening path: String, variables: [String: String] = [:], ignoringUnused: Bool = false) throws(CompositorError) {
    if path == "-" {
      try self.init(standardInput: variables, ignoringUnused: ignoringUnused)
    } else if path.lowercased().hasSuffix(".json5") || path.lowercased().hasSuffix(".json") {
      try self.init(contentsOf: path, variables: variables, ignoringUnused: ignoringUnused)
    } else {
      try self.init(media: path)
    }
  }

  init(
    _ text: SourceText, directory: String, variables: [String: String], ignoringUnused: Bool
  ) throws(CompositorError) {
    let document = try ProjectVariables.fill(
      try JSON5Reader.read(text), text, set: variables, ignoringUnused: ignoringUnused)
    try self.init(text, document: document, directory: directory, variables: variables, isMadeUp: false)
  }

  init(
    _ text: SourceText, document: JSON5Node, directory: String, variables: [String: String] = [:], isMadeUp: Bool,
    notes: ProjectNotes = ProjectNotes()
  ) throws(CompositorError) {
    let root = ProjectValue.root(of: document, text, notes: notes)
    let reader = ProjectReader(directory: directory)
    let header = try reader.header(root)
    self.output = header.output
    self.assets = header.assets
    self.plugins = try header.project.list("plugins", reader.path) ?? []
    self.text = text
    self.directory = directory
    self.isMadeUp = isMadeUp
    // Mistakes in titles are reported before any media is opened; times that count frames come later.
    try reader.checkTitles(header)
    self.draft = try reader.timeline(root, header, canvas: header.output.size, frameRate: header.output.frameRate)
    awaitsMedia =
      (notes.countsFrames && header.output.frameRate == nil) || (notes.measuresCanvas && header.output.size == nil)
    awaitsPlugins = notes.namesOtherCompositors || notes.namesFiles
    let isReadAgain = isMadeUp || awaitsMedia || awaitsPlugins || header.assets.values.contains(where: \.isTitles)
    written = WrittenDocument(text, variables: variables, document: isReadAgain ? document : nil)
    warnings = notes.sorted
    spellingFixes = Dictionary(
      notes.fixes.filter { $0.key.text == text.name }.map { ($0.key.offset, $0.value) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// What the text says, with its variables filled in.
  package var document: JSON5Node { written.document }

  private static let oneClipTrack = JSON5Node(
    .object([
      JSON5Member(
        "clips",
        JSON5Node(.array([JSON5Node(.object([JSON5Member("asset", JSON5Node(.string("media")))]))])))
    ]))

  /// Lays the project out on a canvas, if it leaves its size open: clips are fitted to it, percents follow it.
  package mutating func layOut(on canvas: PixelSize) {
    guard output.size == nil else { return }
    (output.size, draft.canvas) = (canvas, canvas)
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }
}

/// What a project says about its output; nil follows the first clip that shows a picture.
public struct ProjectOutput: Hashable, Sendable {
  /// The canvas.
  public var size: PixelSize?
  /// Frames a second.
  public var frameRate: Rational?
  /// Color of the frames.
  public var color: ColorTags?
  /// Whether chroma is sited as in the sources where these agree: of `hlg` and `pq` by name.
  public var followsSourceChromaSites = false
  /// Where the brightest light of PQ sources is known from, if their assets do not say.
  public var peak = PeakChoice.stated
  /// How sources of another kind (SDR, HLG, PQ) become the output's.
  public var colorConversion = ColorConversionPolicy.standard
  /// What becomes of mastering display and light levels.
  public var hdrMetadata = HDRMetadataChoice.propagate
  /// What is behind everything; nil is opaque black.
  public var background: Color?
  /// In which signal layers are mixed.
  public var blending = BlendingSpace.encoded
  /// How pictures are resampled whose clips do not say it.
  public var sampling: SamplingQuality?
  /// Format of the frames.
  public var format: PixelFormat?
  /// Bits of each component, if ``format`` says nothing.
  public var bitDepth: Int?
  /// Whether the frames keep alpha.
  public var keepsAlpha = false
  /// Whether the frames have the chroma and the bits of the finest source, as its preset says.
  public var followsSourceLayout = false
  /// How pictures are encoded.
  public var video = VideoEncodingSettings()
  /// How sound is encoded; nil for a silent movie.
  public var audio: AudioEncodingSettings? = AudioEncodingSettings()
  /// Everything about how the movie is written that has one name; the other properties have it already where the project does not say
  /// otherwise.
  public var preset: ExportPreset?
  /// Whether the project says anything about pictures' codec, so that a container's usual one is not taken instead.
  public var choosesVideoCodec = false
  /// What the file says of itself.
  public var metadata = ProjectMetadata()

  /// Everything follows the first clip; H.264 and AAC.
  public init() {}
}
