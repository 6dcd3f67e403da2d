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
    var images: [String: Frame] = [:]
    for name in root.imageNames { images[name] = try picture(named: name) }
    let library: FontLibrary
    if let fonts { library = fonts } else { library = try loadFonts() }
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

  /// The first picture of an asset, as R, G, B, A.
  private func picture(named name: String) throws(CompositorError) -> Frame {
    guard let source = assets[name] else {
      throw CompositorError(
        .fileNotFound, "A title shows the picture \(quoted(name)), which is not among the assets.",
        remedy: remedy(for: name, among: assets.keys.sorted()), at: ErrorLocation(file: text.name))
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
