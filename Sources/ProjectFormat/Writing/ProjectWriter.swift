import CompositorAPI
import CompositorTimeline

/// Writes a timeline as the document of a project. The inverse of ``ProjectReader``, file by file: ``ProjectWriter/clip(_:at:)`` is
/// that of the clips that ``TimelineReader`` reads. Values at their defaults are left out.
struct ProjectWriter {
  let timeline: Timeline
  let assets: WrittenAssets
  /// How the project names a file, from the path in the timeline.
  let path: (String) -> String
  /// The trees of titles, by the title's index.
  private let trees: [Int: JSON5Node]

  /// - Throws: `.invalidValue`, located at the title, if a layer cannot be written.
  init(_ timeline: Timeline, path: @escaping (String) -> String = { $0 }) throws(CompositorError) {
    self.timeline = timeline
    self.path = path
    trees = try WrittenLayers.trees(of: timeline)
    assets = WrittenAssets(of: timeline, shown: WrittenLayers.assetNames(in: Array(trees.values)))
  }

  /// The project, with all values in the order in which people write them.
  ///
  /// - Throws: `.invalidValue`, located at what no project can hold.
  func document() throws(CompositorError) -> JSON5Node {
    var project = WrittenObject("project")
    project.set("version", .integer(ProjectSchema.version))
    project.set("output", try output())
    project.set("assets", try assetsNode())
    project.set("fonts", timeline.fonts.map { .text(path($0)) })
    var tracks: [JSON5Node] = []
    for (index, item) in timeline.tracks.enumerated() { tracks.append(try track(item, at: "tracks[\(index)]")) }
    project.set("tracks", .list(tracks))
    if let instructions = timeline.instructions {
      var written: [JSON5Node] = []
      for (index, item) in instructions.enumerated() { written.append(try instruction(item, at: "instructions[\(index)]")) }
      project.set("instructions", .list(written))
    }
    var effects: [JSON5Node] = []
    for (index, item) in timeline.effects.enumerated() { effects.append(try effect(item, at: "effects[\(index)]")) }
    project.set("effects", effects)
    var titles: [JSON5Node] = []
    for (index, item) in timeline.titles.enumerated() {
      titles.append(try title(item, tree: trees[index], at: "titles[\(index)]"))
    }
    project.set("titles", titles)
    var captions: [JSON5Node] = []
    for (index, item) in timeline.captions.enumerated() { captions.append(try self.captions(item, at: "captions[\(index)]")) }
    project.set("captions", captions)
    return project.node.escapingVariables
  }

  /// The error for what no project can hold.
  static func unsupported(_ what: String, at path: String, _ suggestion: String? = nil) -> CompositorError {
    CompositorError(
      .invalidValue, "A project file cannot hold \(what).", recoverySuggestion: suggestion, at: ErrorLocation(path: path))
  }

  /// A property that is constant, or has keyframes with further keys.
  ///
  /// - Parameters:
  ///   - keyframe: The name of the keyframes' shape.
  ///   - write: Adds the value to a keyframe.
  func animated<Value>(
    _ animated: Animated<Value>, _ keyframe: String, constant: (Value) -> JSON5Node,
    _ write: (Value, inout WrittenObject) -> Void
  ) -> JSON5Node {
    switch animated {
    case .constant(let value): constant(value)
    case .keyframes(let keyframes): self.keyframes(keyframes, keyframe, write)
    }
  }

  /// The same for values that are written under the key `value`.
  func animated<Value>(
    _ animated: Animated<Value>, _ keyframe: String, _ value: @escaping (Value) -> JSON5Node
  ) -> JSON5Node {
    self.animated(animated, keyframe, constant: value) { $1.set("value", value($0)) }
  }

  /// A list of keyframes.
  func keyframes<Value>(
    _ keyframes: [Keyframe<Value>], _ shape: String, _ write: (Value, inout WrittenObject) -> Void
  ) -> JSON5Node {
    .list(
      keyframes.map { keyframe in
        var object = WrittenObject(shape)
        object.set("at", .time(keyframe.time))
        write(keyframe.value, &object)
        object.set("easing", keyframe.easing, default: .linear) { .easing($0) }
        return object.node
      })
  }
}
