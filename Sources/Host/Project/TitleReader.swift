import CompositorAPI
import Foundation
import Overlay

/// The ready-made kinds of title, by the names that projects use.
package enum TitleName: String, CaseIterable, Sendable {
  case title, lowerThird = "lower-third", credits, caption
}

/// Reads the titles of a project. Pure; every mistake is reported with its place.
struct TitleReader {
  let canvas: PixelSize
  let frameRate: Rational
  /// Where the timeline ends; not finite where that is not known yet.
  let end: MediaTime

  /// The titles as one tree, back to front; nil where the project has none.
  func root(_ project: ProjectObject) throws(CompositorError) -> Layer? {
    let layers = try project.list("titles", title)
    guard let layers else { return nil }
    return Layer(canvas: canvas) { layers }
  }

  /// Checks the parts of a project that titles use: values of variables and names of font files are texts.
  func check(_ project: ProjectObject) throws(CompositorError) {
    _ = try root(project)
    for (_, value) in try project["variables"]?.map() ?? [] { _ = try value.string() }
    _ = try project.list("fonts") { value throws(CompositorError) in try value.string() }
  }

  private func title(_ value: ProjectValue) throws(CompositorError) -> Layer {
    let object = try value.object(ProjectSchema.shape("title"))
    let start = try object.read("start", seconds) ?? 0
    let duration = try object.read("duration", seconds) ?? max(end.seconds - start, 0)
    if let tree = object["layer"] {
      try object.exclude("layer", "text")
      var group = Layer(canvas: canvas) {}
      group.sublayers = [try layer(tree)]
      group.timing = MediaTiming(beginTime: start, duration: duration)
      return group
    }
    let text = try object.required("text").string()
    let template: TitleTemplate =
      switch try object.choice("kind", TitleName.self) ?? .title {
      case .title: .title(text)
      case .lowerThird: .lowerThird(text, role: try object.string("role") ?? "")
      case .credits: .creditsRoll(text)
      case .caption: .caption(text)
      }
    return template.layer(canvas: canvas, style: try style(object), start: start, duration: duration)
  }

  private func seconds(_ value: ProjectValue) throws(CompositorError) -> Double {
    let time = try value.time()
    return try value.placing { () throws(CompositorError) in try time.time(atFrameRate: frameRate).seconds }
  }

  private func style(_ object: ProjectObject) throws(CompositorError) -> TitleStyle {
    var style = TitleStyle()
    style.family = try object.string("font") ?? style.family
    style.weight = try object.integer("weight", 100...1000) ?? style.weight
    style.size = try object.number("size", 0.001...1)
    style.color = try object.color("color") ?? style.color
    style.outlineColor = try object.color("outlineColor") ?? style.outlineColor
    style.outlineWidth = try object.number("outlineWidth", 0...0.1) ?? style.outlineWidth
    style.boxColor = try object.color("boxColor")
    style.fade = try object.read("fade", seconds) ?? style.fade
    style.allowsFontSubstitution = try object.bool("substituteFont") ?? false
    style.position = try object.read("position") { value throws(CompositorError) in
      let parts = try value.list(ofCount: 2, "two fractions of the frame")
      return Point(x: try parts[0].number(-10...10), y: try parts[1].number(-10...10))
    }
    return style
  }

  /// A whole tree, in pixels of the canvas.
  private func layer(_ value: ProjectValue) throws(CompositorError) -> Layer {
    guard value.isObject else { throw value.error("A layer is an object.") }
    do {
      return try JSONDecoder().decode(Layer.self, from: Data(value.node.json().utf8))
    } catch let error as DecodingError {
      throw value.error(error.place, remedy: "See \"The full tree\" in docs/project-file.md.")
    } catch {
      throw value.error("The layer cannot be read: \(error)")
    }
  }
}

extension DecodingError {
  /// What is wrong and where, in words.
  fileprivate var place: String {
    let context: Context
    var what = ""
    switch self {
    case .typeMismatch(_, let found): (context, what) = (found, "This is of another kind than it should be")
    case .valueNotFound(_, let found): (context, what) = (found, "A value is missing")
    case .keyNotFound(let key, let found): (context, what) = (found, "The key \"\(key.stringValue)\" is missing")
    case .dataCorrupted(let found): (context, what) = (found, found.debugDescription)
    @unknown default: return "The layer cannot be read: \(self)"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? "\(what)." : "\(what), at layer\(path)."
  }
}

extension Layer {
  /// Names of the pictures in the tree.
  var imageNames: Set<String> {
    var names: Set<String> = []
    if case .image(let image) = content { names.insert(image.image) }
    for layer in sublayers + [mask, transitionSource].compactMap({ $0 }) { names.formUnion(layer.imageNames) }
    return names
  }
}
