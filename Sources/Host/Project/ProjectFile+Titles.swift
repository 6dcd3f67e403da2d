import BuiltinCompositors
public import CompositorAPI
import MediaIO
public import Overlay

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
    return try TitleOverlay(root, canvas: video.renderSize, fonts: library, images: try pictures(of: root))
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

  /// The pictures that a tree names, from the assets.
  func pictures(of root: Layer) throws(CompositorError) -> [String: Frame] {
    var images: [String: Frame] = [:]
    for name in root.imageNames { images[name] = try picture(named: name) }
    return images
  }

  /// The first picture of an asset, as R, G, B, A.
  private func picture(named name: String) throws(CompositorError) -> Frame {
    guard let source = assets[name], !source.isTitles else {
      throw CompositorError(
        .fileNotFound, "A title shows the picture \(quoted(name)), which is no picture among the assets.",
        remedy: remedy(for: name, among: assets.filter { !$0.value.isTitles }.keys.sorted()), at: ErrorLocation(file: text.name)
      )
    }
    let reader = try MediaOpener.openVideo(source)
    guard let decoded = try reader.frame(at: reader.info.timeRange.start) else {
      throw CompositorError(.noFrame, "The asset \(quoted(name)) has no picture.", at: ErrorLocation(file: text.name))
    }
    var attributes = decoded.frame.attributes
    attributes.color = .sRGB
    return try FrameConverter.convert(
      decoded.frame, to: .rgba16, attributes: attributes, pool: FramePool(maximumOutstanding: 4))
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
      guard let root = try titles.root(asset) else { continue }
      let media = try TitleMedia(
        root, size: size, frameRate: rate, duration: settings.duration, color: file.output.color ?? .bt709, fonts: fonts,
        images: try file.pictures(of: root))
      catalog.provide(media, as: ProjectReader.titlesName(asset.value.path))
    }
  }
}
