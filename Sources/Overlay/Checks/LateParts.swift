package import CompositorAPI

/// A layer or an animation of a title that begins when the title has ended, found from timings alone.
package struct LatePart: Hashable, Sendable {
  /// What begins too late.
  package enum Kind: Hashable, Sendable {
    /// A layer, which is never visible.
    case layer
    /// An animation of a property, which therefore never changes; `nil` for a transition.
    case animation(LayerProperty?)
  }

  package var kind: Kind
  /// The key path from the title.
  package var path: String
  /// The key path of the layer, from the title.
  package var layerPath: String
  /// The name of the layer in messages.
  package var name: String
  /// When it begins, in seconds of the title.
  package var begin: Double
  /// ``begin`` as it is written: in seconds of the object that contains it.
  package var written: Double
  /// Seconds of the containing object per second of the title.
  package var speed: Double
}

/// A text with animators, and the time at which its layer ends.
struct AnimatedText {
  var text: TextContent
  /// The key path of the layer, from the title.
  var path: String
  var clock: TitleClock
}

/// The time of a layer or a group of animations in a title, and when the title ends in it.
struct TitleClock {
  /// The end in seconds of the layer; infinite if there is none.
  var end: Double
  /// Its time 0, in seconds of the title.
  var zero = 0.0
  /// Its seconds per second of the title.
  var speed = 1.0

  func title(_ local: Double) -> Double { zero + local / speed }

  /// The clock of a part whose time 0 is a local time of this one.
  func inner(from begin: Double, speed factor: Double, offset: Double = 0, end: Double) -> TitleClock {
    TitleClock(end: end, zero: title(begin - offset / factor), speed: speed * factor)
  }
}

/// Follows the timings of a title's tree.
struct LateSearch {
  private(set) var found: [LatePart] = []
  private(set) var texts: [AnimatedText] = []

  /// - Parameter length: The length of the title in seconds; infinite for one without an end.
  init(_ title: Layer, length: Double) {
    guard title.timing.speed == 1, title.timing.timeOffset == 0, title.timing.stretch == nil else { return }
    visit(title, path: "", TitleClock(end: length), depth: 0)
  }

  private mutating func visit(_ layer: Layer, path: String, _ clock: TitleClock, depth: Int) {
    guard depth < Layer.maximumDepth, !layer.isHidden else { return }
    for (index, animation) in layer.animations.enumerated() {
      check(animation, path: path.appending(key: "animations[\(index)]"), of: layer, path, clock)
    }
    checkSelectors(of: layer, path: path, clock)
    var clock = clock
    switch layer.content {
    case .emitter: return  // Its sublayer lives once for each particle.
    case .replicator(let replicator):
      clock.end += max(-replicator.instanceDelay, 0) * Double(max(replicator.instanceCount, 1))
    case .text(let text) where !text.animators.isEmpty && texts.count < 1000 && !layer.changesScrambledText:
      texts.append(AnimatedText(text: text, path: path, clock: clock))
    default: break
    }
    for (index, sublayer) in layer.sublayers.enumerated() {
      enter(sublayer, path: path.appending(key: "sublayers[\(index)]"), clock, depth: depth + 1)
    }
    if let mask = layer.mask { enter(mask, path: path.appending(key: "mask"), clock, depth: depth + 1) }
  }

  private mutating func checkSelectors(of layer: Layer, path: String, _ clock: TitleClock) {
    guard case .text(let text) = layer.content else { return }
    for (index, animator) in text.animators.enumerated() {
      for (place, animation) in (animator.selector?.animations ?? []).enumerated() {
        let key = "content.text.animators[\(index)].selector.animations[\(place)]"
        check(animation, path: path.appending(key: key), of: layer, path, clock)
      }
    }
  }

  private mutating func enter(_ layer: Layer, path: String, _ clock: TitleClock, depth: Int) {
    let timing = layer.timing
    guard timing.speed > 0, !layer.isHidden else { return }
    guard timing.beginTime.isBefore(clock.end) else {
      guard timing.fillMode == .removed || timing.fillMode == .forwards, layer.contains({ $0.isMeantToShow }) else { return }
      note(.layer, path: path.appending(key: "timing"), of: layer, path, begin: timing.beginTime, clock)
      return
    }
    let reach = (clock.end - timing.beginTime) * timing.speed
    let end =
      timing.duration <= 0
      ? reach + timing.timeOffset : timing.timeOffset == 0 ? min(reach, timing.duration) : timing.duration
    visit(
      layer, path: path,
      clock.inner(from: timing.beginTime, speed: timing.speed, offset: timing.timeOffset, end: end), depth: depth)
  }

  private mutating func check(
    _ animation: Animation, path: String, of layer: Layer, _ layerPath: String, _ clock: TitleClock
  ) {
    let timing = animation.timing
    guard timing.speed != 0 else { return }
    guard timing.beginTime.isBefore(clock.end) else {
      let property = animation.leaves.lazy.compactMap(\.property).first
      note(.animation(property), path: path, of: layer, layerPath, begin: timing.beginTime, clock)
      return
    }
    guard case .group(let members) = animation.kind else { return }
    let length = timing.duration > 0 ? timing.duration : Animation.standardDuration
    let speed = abs(timing.speed)
    let isOnce = timing.repeatCount <= 1 && timing.repeatDuration <= 0 && timing.speed > 0 && animation.easing == .linear
    let end = isOnce ? min((clock.end - timing.beginTime) * speed, length) : length
    let inner = clock.inner(from: timing.beginTime, speed: speed, end: end)
    for (index, member) in members.enumerated() {
      check(member, path: path + ".group[\(index)]", of: layer, layerPath, inner)
    }
  }

  private mutating func note(
    _ kind: LatePart.Kind, path: String, of layer: Layer, _ layerPath: String, begin: Double, _ clock: TitleClock
  ) {
    // One of a layer is enough: the others have the same mistake.
    guard found.count < 1000, !found.contains(where: { $0.layerPath == layerPath }) else { return }
    found.append(
      LatePart(
        kind: kind, path: path, layerPath: layerPath, name: layer.label, begin: clock.title(begin), written: begin,
        speed: clock.speed))
  }
}

extension Layer {
  /// Whether it has something of its own that is meant to be visible at some time, disregarding sublayers.
  var isMeantToShow: Bool {
    guard !isHidden || !animations.isEmpty, opacity > 0 || !animations.isEmpty else { return false }
    if (backgroundColor?.alpha ?? 0) > 0 || (borderWidth > 0 && borderColor.alpha > 0) { return true }
    switch content {
    case .none, .replicator: return false
    case .image, .movie, .gradient, .video, .emitter: return true
    case .shape(let shape):
      return !shape.path.isEmpty && [shape.fillColor, shape.strokeColor].contains { ($0?.alpha ?? 0) > 0 }
    case .text(let text):
      return text.generator != nil || text.runs.contains { $0.text.contains { !$0.isWhitespace } }
    }
  }

  /// Whether its text changes while random characters take the space that they need: its units cannot be determined then.
  fileprivate var changesScrambledText: Bool {
    guard case .text(let text) = content, text.animators.contains(where: { $0.scramble?.spacing == .natural }) else {
      return false
    }
    return text.generator != nil || animations.lazy.flatMap(\.leaves).contains { $0.property == .string }
  }

  /// The name of the first text in it, or its own, in messages.
  package var firstLabel: String {
    var texts: [String] = []
    _ = contains { layer in
      if layer.content.isWrittenText { texts.append(layer.label) }
      return !texts.isEmpty
    }
    return texts.first ?? label
  }

  /// Its name in messages.
  var label: String {
    switch content {
    case .text(let text) where text.generator == nil: return "the text “\(text.runs.map(\.text).joined().beginningInOneLine)”"
    case .image(let image): return "the image “\(image.image)”"
    case .movie(let movie): return "the movie “\(movie.asset)”"
    case .emitter: return name.isEmpty ? "the emitter" : "the emitter “\(name)”"
    default: return name.isEmpty ? "a layer" : "the layer “\(name)”"
    }
  }
}

extension LayerContent {
  /// Whether it is text that was written, not generated.
  var isWrittenText: Bool {
    if case .text(let text) = self { text.generator == nil && !text.runs.isEmpty } else { false }
  }
}

extension String {
  /// A key path with another key at its end.
  func appending(key: String) -> String { isEmpty ? key : "\(self).\(key)" }
}
