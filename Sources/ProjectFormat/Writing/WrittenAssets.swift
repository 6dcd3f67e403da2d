import CompositorAPI
import CompositorMediaIO
import CompositorTimeline

/// The media of a timeline, each under a name for a project's `assets`.
struct WrittenAssets {
  /// The media by name, in the order in which they are written.
  private(set) var sources: [(name: String, source: MediaSource)] = []
  private var names: [MediaSource: String] = [:]
  private var taken: Set<String> = []

  /// - Parameter shown: The names of the images and movies that title layers show, which they name themselves.
  init(of timeline: Timeline, shown: Set<String>) {
    for (name, source) in timeline.images.sorted(by: { $0.key < $1.key }) where shown.contains(name) {
      sources.append((name, source))
      taken.insert(name)
      names[source] = names[source] ?? name
    }
    for clip in timeline.tracks.flatMap(\.clips) { add(clip.source) }
    for mask in timeline.masks { add(mask.source) }
    let corrected = Set(timeline.deinterlacing.keys).union(timeline.sourceColors.keys)
    for source in corrected.sorted(by: { $0.description < $1.description }) { add(source) }
  }

  /// The name of media of the timeline.
  func name(of source: MediaSource) -> String {
    guard let name = names[source] else { preconditionFailure("\(source) has no name") }
    return name
  }

  private mutating func add(_ source: MediaSource) {
    guard names[source] == nil else { return }
    let stem = WrittenAssets.stem(of: source)
    let name = ([stem] + (2...).lazy.prefix(taken.count + 1).map { "\(stem)-\($0)" }).first { !taken.contains($0) } ?? stem
    taken.insert(name)
    names[source] = name
    sources.append((name, source))
  }

  /// A short name of media: a file's without its extension, with letters, digits and hyphens only.
  private static func stem(of source: MediaSource) -> String {
    let text: Substring
    switch source {
    case .file, .imageSequence:
      let file = source.description.split(separator: "/").last ?? ""
      text = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    case .generated: text = source.description.split(separator: ":").last ?? ""
    case .custom(let name): text = name[...]
    }
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "media" : words.joined(separator: "-")
  }
}

extension ProjectWriter {
  /// The value of `assets`.
  func assetsNode() throws(CompositorError) -> JSON5Node? {
    var members: [JSON5Member] = []
    for (name, source) in assets.sources { members.append(JSON5Member(name, try asset(source, named: name))) }
    return members.isEmpty ? nil : JSON5Node(.object(members))
  }

  private func asset(_ source: MediaSource, named name: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("asset")
    switch source {
    case .file(let path):
      let color = timeline.sourceColors[source] ?? SourceColor()
      let mode = timeline.deinterlacing[source] ?? .off
      guard color != SourceColor() || mode != .off else { return .text(self.path(path)) }
      object.set("file", .text(self.path(path)))
      object.set("deinterlace", deinterlacing(mode))
      set(color, in: &object)
    case .imageSequence(let pattern, let first, let rate, let missing):
      object.set("images", .text(path(pattern)))
      object.set("first", first.map { .integer($0) })
      object.set("missing", missing, default: .error)
      object.set("frameRate", rate, default: Rational(30, 1)) { .ratio($0) }
      set(timeline.sourceColors[source] ?? SourceColor(), in: &object)
    case .generated(let generated): set(generated, in: &object)
    case .custom:
      throw ProjectWriter.unsupported(
        "the media \(quoted(source.description)), which a program provides", at: "assets.\(name)",
        "Use a file. Titles can be written over the timeline, instead of as media.")
    }
    return object.node
  }

  private func deinterlacing(_ mode: Deinterlacing) -> JSON5Node? {
    switch mode {
    case .off: nil
    case .sameRate: .text(DeinterlaceName.same.rawValue)
    case .doubleRate: .text(DeinterlaceName.double.rawValue)
    }
  }

  private func set(_ generated: GeneratedSource, in object: inout WrittenObject) {
    switch generated.pattern {
    case .bars: object.set("generate", PatternName.bars)
    case .clock: object.set("generate", PatternName.clock)
    case .color(let color):
      object.set("generate", PatternName.color)
      object.set("color", color, default: .black) { .color($0) }
    case .gradient(let first, let last, let degrees):
      object.set("generate", PatternName.gradient)
      object.set("from", first, default: .black) { .color($0) }
      object.set("to", last, default: .white) { .color($0) }
      object.set("angle", degrees, default: 0) { .number($0) }
    }
    object.set("size", generated.size.map { .size($0) })
    object.set("frameRate", generated.frameRate, default: Rational(30, 1)) { .ratio($0) }
    object.set("duration", generated.duration, default: .positiveInfinity) { .time($0) }
    object.set("tone", generated.toneFrequency.map { .number($0) })
  }

  private func set(_ color: SourceColor, in object: inout WrittenObject) {
    var tags = color
    (tags.peak, tags.alphaMode) = (nil, nil)
    if tags != SourceColor() {
      let name = ColorTags.names.first { SourceColor.named($0) == tags }
      object.set("color", name.map { .text($0) } ?? sourceColor(tags))
    }
    switch color.peak {
    case .luminance(let luminance): object.set("peakLuminance", .number(luminance))
    case .measured: object.set("peakLuminance", PeakChoice.measured)
    case nil: break
    }
    object.set("alpha", color.alphaMode.flatMap { mode in SourceAlphaName.allCases.first { $0.mode == mode } })
  }

  private func sourceColor(_ color: SourceColor) -> JSON5Node {
    var object = WrittenObject("sourceColor")
    object.set("primaries", color.primaries.map { .integer(Int($0.rawValue)) })
    object.set("transfer", color.transfer.map { .integer(Int($0.rawValue)) })
    object.set("matrix", color.matrix.map { .integer(Int($0.rawValue)) })
    object.set("range", color.range)
    object.set("chroma", color.chromaLocation)
    return object.node
  }
}
