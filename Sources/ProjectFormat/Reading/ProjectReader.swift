import CompositorPlugins
import CompositorAPI
import CompositorExport
import CompositorMediaIO
import CompositorTimeline

/// Reads the parts of a project from its document. Pure; every mistake is reported at its location.
struct ProjectReader {
  /// The directory that paths are relative to: empty, or ending in a slash.
  let directory: String
  /// All compositors that the project may use, whose parameters are checked; `nil` for only the built-in ones, if others aren't
  /// known yet.
  var registry: CompositorRegistry?

  /// The parts that all others refer to.
  struct Header {
    var output: ProjectOutput
    var assets: [String: MediaSource]
    var deinterlacing: [MediaSource: Deinterlacing]
    var sourceColors: [MediaSource: SourceColor]
    var project: ProjectObject
  }

  func header(_ root: ProjectValue) throws(CompositorError) -> Header {
    if case .object(let members) = root.node.value, members.contains(where: { $0.key == "layer" }),
      !members.contains(where: { $0.key == "tracks" })
    {
      throw root.error(
        "This is a title template, not a project.",
        recoverySuggestion: "Show it in a project: titles: [{ template: \(quoted(root.text.name)) }].")
    }
    try ProjectReader.checkVersion(root)
    let project = try root.object(ProjectSchema.shape("project"))
    _ = try project.string("$schema")
    return Header(
      output: try project.read("output", output) ?? ProjectOutput(),
      assets: try project.read("assets", assets) ?? [:],
      deinterlacing: try project.read("assets", deinterlacing) ?? [:],
      sourceColors: try project.read("assets", sourceColors) ?? [:], project: project)
  }

  /// Checks the version first, because projects of another version have other keys, which shouldn't be reported as mistakes.
  ///
  /// - Parameter kind: What the file is, for messages.
  static func checkVersion(_ root: ProjectValue, of kind: String = "project") throws(CompositorError) {
    guard case .object(let members) = root.node.value else {
      throw root.error("A \(kind) is an object: { version: \(ProjectSchema.version), … }.")
    }
    guard let version = members.first(where: { $0.key == "version" }) else {
      throw root.error(
        "The \(kind) does not say its version.", advice: .write(.word("\(ProjectSchema.version)"), key: "version"))
    }
    let value = ProjectValue(node: version.value, path: .key(.root, "version"), text: root.text)
    let found = try value.integer(0...Int(Int32.max))
    guard found == ProjectSchema.version else {
      throw value.error(
        "This is version \(found) of the project format; this program reads version \(ProjectSchema.version).",
        advice: .write(.word("\(ProjectSchema.version)"), key: "version"))
    }
  }

  private func assets(_ value: ProjectValue) throws(CompositorError) -> [String: MediaSource] {
    var assets: [String: MediaSource] = [:]
    for (name, value) in try value.map() { assets[name] = try asset(value) }
    return assets
  }

  private func asset(_ value: ProjectValue) throws(CompositorError) -> MediaSource {
    if value.isText { return .file(path: try path(value)) }
    let object = try value.object(ProjectSchema.shape("asset"))
    try object.exclude("file", "images", "generate", "titles")
    let rate = try object.read("frameRate", frameRate)
    if let file = object["file"] {
      try allow(["file", "deinterlace", "color", "peakLuminance", "alpha"], in: object)
      return .file(path: try path(file))
    }
    if let images = object["images"] {
      try allow(["images", "first", "missing", "frameRate", "color", "peakLuminance", "alpha"], in: object)
      return .imageSequence(
        pattern: try path(images), first: try object.integer("first"), frameRate: rate ?? Rational(30, 1),
        missing: try object.choice("missing", MissingImages.self) ?? .error)
    }
    if let pattern = object["generate"] { return .generated(try generated(pattern, object, rate ?? Rational(30, 1))) }
    if object["titles"] != nil {
      try allow(["titles", "size", "frameRate", "duration"], in: object)
      _ = try titleSettings(object)
      return .custom(name: ProjectReader.titlesName(value.path))
    }
    throw value.error("The asset has no media.", recoverySuggestion: "Give it one of file, images, generate or titles.")
  }

  /// The deinterlacing settings of assets, which must be the same for all assets of a file.
  private func deinterlacing(
    _ value: ProjectValue
  ) throws(CompositorError) -> [MediaSource: Deinterlacing] {
    var found: [MediaSource: Deinterlacing] = [:]
    for (name, value) in try value.map() {
      let object = value.isText ? nil : try value.object(ProjectSchema.shape("asset"))
      let mode: Deinterlacing =
        switch try object?.choice("deinterlace", DeinterlaceName.self) ?? .off {
        case .off: .off
        case .same: .sameRate
        case .double: .doubleRate
        }
      guard found.updateValue(mode, forKey: try asset(value)) ?? mode == mode else {
        throw value.error(
          "Another asset shows the same media with another deinterlace than \(quoted(name)).",
          recoverySuggestion: "Write the same for both.")
      }
    }
    return found.filter { $0.value != .off }
  }

  /// The color corrections of assets, which must be the same for all assets of a file.
  private func sourceColors(_ value: ProjectValue) throws(CompositorError) -> [MediaSource: SourceColor] {
    var found: [MediaSource: SourceColor] = [:]
    for (name, value) in try value.map() {
      let object = value.isText ? nil : try value.object(ProjectSchema.shape("asset"))
      let isMedia = object == nil || object?["file"] != nil || object?["images"] != nil
      let color = isMedia ? try object.map(sourceColor) ?? SourceColor() : SourceColor()
      guard found.updateValue(color, forKey: try asset(value)) ?? color == color else {
        throw value.error(
          "Another asset shows the same media with another color, peakLuminance or alpha than \(quoted(name)).",
          recoverySuggestion: "Write the same for both.")
      }
    }
    return found.filter { $0.value != SourceColor() }
  }

  /// Reports keys that don't apply to this kind of asset.
  private func allow(_ keys: [String], in object: ProjectObject) throws(CompositorError) {
    guard let stray = object.members.first(where: { !keys.contains($0.key) }) else { return }
    throw object.value.error(
      "The key \(quoted(stray.key)) means nothing for this kind of asset.", ofKey: stray, in: object.shape, among: keys)
  }

  private func generated(
    _ value: ProjectValue, _ object: ProjectObject, _ rate: Rational
  ) throws(CompositorError) -> GeneratedSource {
    let name = try value.choice(PatternName.allCases)
    let own: [String] =
      switch name {
      case .color: ["color"]
      case .gradient: ["from", "to", "angle"]
      case .bars, .clock: []
      }
    try allow(["generate", "frameRate", "size", "duration", "tone"] + own, in: object)
    func color(_ key: String, _ other: Color) throws(CompositorError) -> Color {
      try object.color(key) ?? other
    }
    let pattern: GeneratedSource.Pattern =
      switch name {
      case .color: .color(try color("color", .black))
      case .bars: .bars
      case .clock: .clock
      case .gradient:
        .gradient(
          from: try color("from", .black), to: try color("to", .white),
          angleDegrees: try object.number("angle") ?? 0)
      }
    return GeneratedSource(
      pattern: pattern,
      size: try object.size("size"),
      frameRate: rate,
      duration: try duration(object, rate) ?? .positiveInfinity,
      toneFrequency: try object.number("tone"))
  }

  /// - Parameter rate: Frames per second; `nil` if unknown, in which case a duration in frames is only checked for its syntax.
  private func duration(_ object: ProjectObject, _ rate: Rational?) throws(CompositorError) -> MediaTime? {
    try object.read("duration") { value throws(CompositorError) in
      let time = try value.time()
      return try value.placing { () throws(CompositorError) in
        guard let duration = try time.time(atKnownFrameRate: rate) else { return .positiveInfinity }
        guard duration > .zero else {
          throw CompositorError(
            .invalidValue, "A duration must be greater than 0.", recoverySuggestion: "Write a time such as \"2s\".")
        }
        return duration
      }
    }
  }

  /// The frame settings of a title asset; `nil` properties follow the output.
  func titleSettings(
    _ object: ProjectObject, rate: Rational? = nil
  ) throws(CompositorError) -> (size: PixelSize?, frameRate: Rational?, duration: MediaTime) {
    let own = try object.read("frameRate", frameRate)
    return (try object.size("size"), own, try duration(object, own ?? rate) ?? .positiveInfinity)
  }

  /// Checks the parts of a project that its titles use: title assets, at their own size and rate or the output's, as far as
  /// these are known without media.
  func checkTitles(_ header: Header) throws(CompositorError) {
    for (_, asset) in try header.project["assets"]?.map() ?? [] where asset.isObject {
      let object = try asset.object(ProjectSchema.shape("asset"))
      guard object["titles"] != nil else { continue }
      let settings = try titleSettings(object, rate: header.output.frameRate)
      let reader = TitleReader(
        frameRate: settings.frameRate ?? header.output.frameRate, canvas: settings.size ?? header.output.size,
        end: settings.duration.isNumeric ? settings.duration : nil, project: self)
      _ = try reader.titles(object)
    }
  }

  /// The name under which a title asset is registered.
  static func titlesName(_ asset: NodePath) -> String { asset.description }

  /// Whether a string can be the path of a file.
  static func isPath(_ path: String) -> Bool { !path.isEmpty && !path.utf8.contains(0) }

  /// A path, resolved against the project's directory. A URL is left unchanged, for the media reader to reject.
  func path(_ value: ProjectValue) throws(CompositorError) -> String {
    let path = try value.string()
    guard Self.isPath(path) else { throw value.error("This is not a path.") }
    let scheme = path.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
    let isAddress = scheme.count > 1 && scheme.count < path.utf8.count && path.utf8[scheme.endIndex] == UInt8(ascii: ":")
    return path.hasPrefix("/") || isAddress ? path : directory + path
  }

  /// Frames per second, 1/100 … 1000. 23.976, 29.97 and the like are interpreted as the ratios over 1001 that they abbreviate.
  func frameRate(_ value: ProjectValue) throws(CompositorError) -> Rational {
    let ratio = try value.ratio()
    guard ExportSettings.frameRates.contains(ratio.value) else {
      throw value.error(
        "\(ratio) is not a frame rate.",
        recoverySuggestion: "Write a number from 0.01 to 1000, or a string such as \"30000/1001\".")
    }
    let written: String =
      switch value.node.value {
      case .number(let text), .string(let text): text
      default: ""
      }
    return FrameRateValue.standard(ratio, written: written)
  }
}

extension ProjectReader {
  /// The error for a file of the project that cannot be opened, at the place of its path.
  ///
  /// - Parameters:
  ///   - error: The error of opening it.
  ///   - kind: What the file is: a template, a table.
  ///   - path: The path as written.
  ///   - advice: The suggestion if no file of a similar name is there.
  func error(
    _ error: CompositorError, reading kind: String, at path: ProjectValue, otherwise advice: String
  ) throws(CompositorError) -> CompositorError {
    let written = try path.string()
    guard error.code == .fileNotFound else {
      return path.error(
        "The \(kind) \(quoted(written)) cannot be read. \(error.message)", recoverySuggestion: error.recoverySuggestion)
    }
    let place = try self.path(path)
    let near = PathAdvice.neighbor(ofMissing: place).map { "Did you mean \(quoted(FileName.prefix(of: written) + $0))?" }
    return path.error(
      "There is no \(kind) \(quoted(written)).", recoverySuggestion: PathAdvice.advice(onMissing: place) ?? near ?? advice)
  }

  /// The suggestion for an unknown asset.
  static func adviceOnAsset(_ name: String, among names: [String]) -> String {
    guard names.isEmpty else { return recoverySuggestion(for: name, among: names) }
    return "Add it to the project's assets: assets: { \(quoted(name)): \"movie.mp4\" }."
  }
}
