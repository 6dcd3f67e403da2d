public import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
public import CompositorOverlay
import CompositorTimeline
import CompositorValidation

extension ProjectFile {
  /// The font files that the project lists.
  package var fonts: [String] { draft.fonts }

  /// Loads the system's fonts and the files that the project lists, to share between variants of a project.
  ///
  /// - Throws: `.fileNotFound`; `.unreadableMedia` if a file isn't a font.
  public func loadFonts() throws(CompositorError) -> FontLibrary {
    do {
      return try Titles(fonts: draft.fonts).loadFonts()
    } catch {
      throw locating(error)
    }
  }

  /// The image of an asset.
  func image(named name: String, canvas: PixelSize, catalog: MediaCatalog) throws(CompositorError) -> Frame {
    try Titles(images: assets.filter { !$0.value.isTitles }.mapValues { $0.sized(for: canvas) }).image(
      named: name, catalog: catalog, colors: draft.sourceColors)
  }

  /// The diagnostic with the project's key path instead of the edit's.
  package func locating(_ diagnostic: ValidationDiagnostic) -> ValidationDiagnostic {
    var result = diagnostic
    result.path = diagnostic.path.map { path(ofTitle: $0) ?? $0 }
    if origin == .project, let node = result.path.flatMap(document.node) {
      result.name(itemOf: node)
      let position = text.position(ofByte: node.offset)
      (result.file, result.line, result.column) = (text.name, position.line, position.column)
    }
    return result
  }

  /// The project's key path for a location in the titles of its edit; `nil` for other locations.
  func path(ofTitle path: String) -> String? {
    let steps = DocumentPath(path)
    if steps.key(at: 0) == "titles", steps.key(at: 1) == "fonts" { return steps.dropFirst(1).description }
    guard let (index, rest) = Titles.layerIndex(inPath: path) else { return nil }
    let title = "titles[\(index)]"
    // Locations inside a template title mean nothing to the project's author.
    guard draft.titles.indices.contains(index), case .layer = draft.titles[index].content else { return title }
    // The tree is the first of the title's layers.
    let isInTree = rest.index(of: "sublayers", at: 0) == 0
    let isOfTemplate = isTemplate(titleAt: index)
    guard isInTree || isOfTemplate else { return title }
    let tree = DocumentPath(title) + DocumentPath(isOfTemplate ? "template.layer" : "layer")
    return (tree + rest.dropFirst(2)).description
  }
}

extension ProjectFile {
  /// The key of a title that names a missing font, or that has characters which no font has; the title itself for others.
  func resourcePath(inTitle title: String, _ subject: ErrorLocation.Subject?) -> String {
    let key = title + (subject == .characters ? ".text" : subject == .font ? ".font" : "")
    return document.existing(path: key) == key ? key : title
  }

  /// Whether a title's tree is in a separate file.
  private func isTemplate(titleAt index: Int) -> Bool {
    guard case .object(let members) = document.value,
      case .array(let titles)? = members.first(where: { $0.key == "titles" })?.value.value, titles.indices.contains(index),
      case .object(let title) = titles[index].value
    else { return false }
    return title.contains { $0.key == "template" }
  }
}

extension MediaSource {
  /// Whether it is a title asset.
  var isTitles: Bool { if case .custom = self { true } else { false } }
}

/// The title assets of a project.
struct TitleAssets {
  private let file: ProjectFile
  private let reader: ProjectReader
  private let assets: [(key: String, value: ProjectObject)]
  private let deinterlacing: [MediaSource: Deinterlacing]
  private let fonts: FontLibrary?

  /// - Throws: `.invalidProject`; the errors of loading fonts, if there are title assets.
  init(_ file: ProjectFile, fonts: FontLibrary?) throws(CompositorError) {
    self.file = file
    reader = ProjectReader(directory: file.directory)
    deinterlacing = file.draft.deinterlacing
    guard file.assets.values.contains(where: \.isTitles) else {
      (assets, self.fonts) = ([], fonts)
      return
    }
    let project = try ProjectValue.root(of: file.document, file.text)
      .object(ProjectSchema.shape("project"))
    var assets: [(String, ProjectObject)] = []
    for (name, value) in try project["assets"]?.map() ?? [] where value.isObject {
      let object = try value.object(ProjectSchema.shape("asset"))
      if object["titles"] != nil { assets.append((name, object)) }
    }
    self.assets = assets
    if assets.isEmpty || fonts != nil { self.fonts = fonts } else { self.fonts = try file.loadFonts() }
  }

  /// Registers the assets with a catalog.
  ///
  /// - Parameters:
  ///   - canvas: The size of assets that specify none.
  ///   - frameRate: The rate of assets that specify none; if `nil`, because it isn't known yet, these are empty.
  func provide(to catalog: MediaCatalog, canvas: PixelSize, frameRate: Rational?) throws(CompositorError) {
    var provided: Set<String> = []
    for (name, _) in assets {
      try provide(name, to: catalog, canvas: canvas, frameRate: frameRate, within: [], &provided)
    }
  }

  /// Registers an asset, after those that it shows as movies.
  ///
  /// - Parameter outer: The assets that refer to it.
  private func provide(
    _ name: String, to catalog: MediaCatalog, canvas: PixelSize, frameRate: Rational?, within outer: [String],
    _ provided: inout Set<String>
  ) throws(CompositorError) {
    guard let asset = assets.first(where: { $0.key == name })?.value, provided.insert(name).inserted else { return }
    let settings = try reader.titleSettings(asset, rate: frameRate)
    let size = settings.size ?? canvas
    var followed: FollowedProperties = []
    if settings.size == nil { followed.insert(.size) }
    if settings.frameRate == nil { followed.insert(.frameRate) }
    guard let rate = settings.frameRate ?? frameRate else {
      var empty = try TitleMedia(
        Layer(canvas: size) {}, size: size, frameRate: OutputDefaults.defaultFrameRate,
        color: file.output.color ?? .bt709, fonts: fonts)
      empty.followed = followed
      catalog.provide(empty, as: ProjectReader.titlesName(asset.value.path))
      return
    }
    let reader = TitleReader(frameRate: rate, canvas: size, end: settings.duration, project: self.reader)
    guard let titles = try reader.titles(asset), let fonts else { return }
    let layers = try titles.enumerated().map { (index, title) throws(CompositorError) in
      try title.layer(canvas: size, end: settings.duration)
    }
    for (index, layer) in layers.enumerated() {
      for movie in try movies(of: layer, at: "\(asset.value.path).titles[\(index)]") {
        try check(movie, isNoneOf: outer + [name])
        try provide(movie.name, to: catalog, canvas: canvas, frameRate: frameRate, within: outer + [name], &provided)
      }
    }
    let resources = try resources(of: layers, titles, asset, on: size, fonts, catalog)
    var media = try TitleMedia(
      Layer(canvas: size) { layers }, size: size, frameRate: rate, duration: settings.duration,
      color: file.output.color ?? .bt709, blending: file.output.blending,
      colorConversion: file.output.colorConversion, fonts: fonts, images: resources.images,
      movies: resources.movies)
    media.followed = followed
    catalog.provide(media, as: ProjectReader.titlesName(asset.value.path))
  }

  /// The movies that a layer shows, with their key paths.
  private func movies(of layer: Layer, at path: String) throws(CompositorError) -> [(name: String, path: String)] {
    var movies: [(name: String, path: String)] = []
    try layer.visit { (layer, place) throws(CompositorError) in
      movies += layer.movieNames.map { ($0, place.isEmpty ? path : "\(path).\(place)") }
    }
    return movies
  }

  private func check(_ movie: (name: String, path: String), isNoneOf outer: [String]) throws(CompositorError) {
    guard outer.contains(movie.name) else { return }
    throw file.locating(
      CompositorError(
        .invalidProject, "The titles \(quoted(movie.name)) show themselves as a movie.",
        recoverySuggestion: "Show another asset.", at: ErrorLocation(path: movie.path)))
  }

  private func resources(
    of layers: [Layer], _ titles: [TimelineTitle], _ asset: ProjectObject, on canvas: PixelSize, _ fonts: FontLibrary,
    _ catalog: MediaCatalog
  ) throws(CompositorError) -> TitleResources {
    let movies = TitleMovies(
      file.assets.mapValues { $0.sized(for: canvas) }, catalog: catalog, deinterlacing: deinterlacing,
      colors: file.draft.sourceColors)
    var resources = TitleResources(fonts: fonts, canvas: canvas, movies: movies) { name throws(CompositorError) in
      try file.image(named: name, canvas: canvas, catalog: catalog)
    }
    for (index, (title, layer)) in zip(titles, layers).enumerated() {
      let path = "\(asset.value.path).titles[\(index)]"
      do throws(CompositorError) {
        if case .layer(let tree) = title.content {
          do throws(CompositorError) {
            try tree.requireNoAudioLevels()
          } catch {
            throw error.within(path + ".layer")
          }
          let length = layer.timing.duration > 0 ? layer.timing.duration : .infinity
          try resources.require(try tree.anchored(until: length), path: path + ".layer")
        } else {
          try resources.require(layer, path: path)
        }
      } catch {
        // Locations inside a template title mean nothing to the project's author.
        var location = error.location
        if case .template = title.content { location.path = path }
        throw file.locating(
          CompositorError(
            error.code, error.message, advice: error.advice, cause: error.cause, at: location))
      }
    }
    return resources
  }
}
