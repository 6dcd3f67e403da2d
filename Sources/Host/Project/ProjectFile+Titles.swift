import BuiltinCompositors
public import CompositorAPI
import CompositorMediaIO
public import CompositorOverlay

extension ProjectFile {
  /// The project's titles as an overlay; nil where it has none.
  ///
  /// - Parameters:
  ///   - edit: What the project became: its canvas, frame rate and end place the titles.
  ///   - fonts: Loaded fonts, for many variants of one project; nil loads the system's and those of the project.
  /// - Throws: `.invalidProject` with its place; `.fileNotFound`, `.unreadableMedia` for fonts and pictures.
  public func overlay(for edit: Edit, fonts: FontLibrary? = nil) throws(CompositorError) -> TitleOverlay? {
    let video = edit.videoComposition
    let rate = Rational(Int(video.frameDuration.timescale), Int(video.frameDuration.value))
    let reader = TitleReader(canvas: video.renderSize, frameRate: rate, end: edit.composition.duration)
    let project = try ProjectValue(node: document, path: .root, text: text).object(ProjectSchema.shape("project"))
    guard let root = try reader.root(project) else { return nil }
    let library: FontLibrary
    if let fonts { library = fonts } else { library = try loadFonts() }
    let images = try TitleNeeds(file: self, fonts: library).images(of: root, project)
    return try TitleOverlay(root, canvas: video.renderSize, fonts: library, images: images)
  }

  /// The system's fonts and the files that the project lists.
  ///
  /// - Throws: `.fileNotFound`, `.unreadableMedia` for a file that is no font.
  public func loadFonts() throws(CompositorError) -> FontLibrary {
    let project = try ProjectValue(node: document, path: .root, text: text).object(ProjectSchema.shape("project"))
    let paths = try project.list("fonts") { value throws(CompositorError) in try value.string() } ?? []
    var provider = FontProvider.system
    for path in paths {
      let full = path.hasPrefix("/") ? path : directory + path
      provider.files.append(
        FontProvider.File(name: full, bytes: try RegularFile.bytes(of: full, maximumByteCount: 64 << 20)))
    }
    return try FontLibrary(provider)
  }

  /// The first picture of an asset, as R, G, B, A in square pixels, turned upright as the asset asks.
  func picture(named name: String) throws(CompositorError) -> Frame {
    guard let source = assets[name], !source.isTitles else {
      throw CompositorError(
        .fileNotFound, "A title shows the picture \(quoted(name)), which is no picture among the assets.",
        remedy: remedy(for: name, among: assets.filter { !$0.value.isTitles }.keys.sorted()))
    }
    let reader = try MediaOpener.openVideo(source)
    guard let decoded = try reader.frame(at: reader.info.timeRange.start) else {
      throw CompositorError(.noFrame, "The asset \(quoted(name)) has no picture.", remedy: "Name a picture or a movie.")
    }
    return try upright(decoded.frame, reader.info)
  }

  private func upright(_ frame: Frame, _ info: VideoTrackInfo) throws(CompositorError) -> Frame {
    let pool = FramePool(maximumOutstanding: 4)
    var attributes = frame.attributes
    attributes.color = .sRGB
    guard info.preferredTransform != .identity || attributes.pixelAspectRatio != .one else {
      return try FrameConverter.convert(frame, to: .rgba16, attributes: attributes, pool: pool)
    }
    attributes.pixelAspectRatio = .one
    let size = info.displaySize
    let context = RenderContext(
      size: PixelSize(width: max(Int(size.width.rounded()), 1), height: max(Int(size.height.rounded()), 1)),
      outputFormat: .rgba16, outputAttributes: attributes, pool: pool)
    var instruction = Instruction(timeRange: TimeRange(start: .zero, duration: .positiveInfinity))
    instruction.passthroughTrackID = 1
    let source = SourceFrame(
      trackID: 1, frame: frame, presentationTime: .zero, duration: .indefinite, requestedTime: .zero,
      preferredTransform: info.preferredTransform)
    return try LayerCompositor(context: context).compose(
      CompositionRequest(time: .zero, instruction: instruction, sources: [1: source], context: context))
  }
}

extension MediaSource {
  /// Whether it is an asset of titles.
  fileprivate var isTitles: Bool { if case .custom = self { true } else { false } }
}

/// The assets of a project that are titles.
struct TitleAssets {
  private let file: ProjectFile
  private let reader: ProjectReader
  private let assets: [(key: String, value: ProjectObject)]
  private let fonts: FontLibrary?

  /// - Throws: `.invalidProject`; what loading fonts throws, where there are assets of titles.
  init(_ file: ProjectFile, fonts: FontLibrary?) throws(CompositorError) {
    self.file = file
    reader = ProjectReader(directory: file.directory)
    let project = try ProjectValue(node: file.document, path: .root, text: file.text)
      .object(ProjectSchema.shape("project"))
    var assets: [(String, ProjectObject)] = []
    for (name, value) in try project["assets"]?.map() ?? [] where value.isObject {
      let object = try value.object(ProjectSchema.shape("asset"))
      if object["titles"] != nil { assets.append((name, object)) }
    }
    self.assets = assets
    if assets.isEmpty || fonts != nil { self.fonts = fonts } else { self.fonts = try file.loadFonts() }
  }

  /// Makes the assets known to a catalog.
  ///
  /// - Parameters:
  ///   - canvas: The size of those that name none.
  ///   - frameRate: The rate of those that name none.
  func provide(to catalog: MediaCatalog, canvas: PixelSize, frameRate: Rational) throws(CompositorError) {
    for (_, asset) in assets {
      let settings = try reader.titleSettings(asset, rate: frameRate)
      let (size, rate) = (settings.size ?? canvas, settings.frameRate ?? frameRate)
      let titles = TitleReader(canvas: size, frameRate: rate, end: settings.duration)
      guard let root = try titles.root(asset), let fonts else { continue }
      let images = try TitleNeeds(file: file, fonts: fonts).images(of: root, asset)
      let media = try TitleMedia(
        root, size: size, frameRate: rate, duration: settings.duration, color: file.output.color ?? .bt709, fonts: fonts,
        images: images)
      catalog.provide(media, as: ProjectReader.titlesName(asset.value.path))
    }
  }
}
