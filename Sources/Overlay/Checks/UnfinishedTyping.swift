import CompositorAPI

/// A text that is typed too slowly for its title.
package struct UnfinishedTyping: Hashable, Sendable {
  /// The key path of the animation, from the title, and that of its layer.
  package var path, layerPath: String
  package var name: String
  /// The number of characters that are seen, and of all.
  package var count, total: Int
  /// When the animation would end, and when the layer does, in seconds of the title.
  package var neededLength, layerEnd: Double
  /// The animation's start and duration, and the end of the layer, in seconds of the layer.
  package var begin, duration, end: Double
}

/// How much of a text is typed.
struct TypingWatch {
  let path, layerPath: String
  let animation: Animation
  let clock: TitleClock
  private var reveal = 0.0
  private var text: TextContent?

  init(_ animation: Animation, path: String, layerPath: String, _ clock: TitleClock) {
    (self.animation, self.path, self.layerPath, self.clock) = (animation, path, layerPath, clock)
  }

  mutating func note(_ shown: TextContent) {
    reveal = max(reveal, shown.reveal)
    text = shown
  }

  /// The characters that the title ends too early for; `nil` if there are none.
  var unfinished: UnfinishedTyping? {
    let timing = animation.timing
    let duration = (timing.duration > 0 ? timing.duration : Animation.standardDuration) / timing.speed
    let end = timing.beginTime + duration
    guard let string = text?.runs.map(\.text).joined(), clock.end.isBefore(end), reveal < 1 else { return nil }
    let count = Int(((max(reveal, 0) + .progressTolerance) * Double(string.count)).rounded(.down))
    guard string.dropFirst(count).contains(where: { !$0.isWhitespace }) else { return nil }
    return UnfinishedTyping(
      path: path, layerPath: layerPath, name: "the text “\(string.beginningInOneLine)”", count: count, total: string.count,
      neededLength: clock.title(end), layerEnd: clock.title(clock.end), begin: timing.beginTime, duration: duration,
      end: clock.end)
  }
}

extension Layer {
  /// Collects texts that an animation types, once and forward.
  func gatherTyping(
    into found: inout [String: TypingWatch], _ clock: TitleClock, except told: Set<String>, path: String = "", depth: Int = 0
  ) {
    guard depth < Layer.maximumDepth, !isHidden, !told.contains(path), !content.isEmitter else { return }
    if case .text = content {
      for (index, animation) in animations.enumerated()
      where animation.property == .textReveal && animation.timing.speed > 0 && animation.timing.repeatCount <= 1 {
        let own = path.appending(key: "animations[\(index)]")
        found[path] = TypingWatch(animation, path: own, layerPath: path, clock)
      }
    }
    for (index, layer) in sublayers.enumerated() where layer.timing.isPlain {
      let end = layer.timing.duration > 0 ? layer.timing.duration : .infinity
      layer.gatherTyping(
        into: &found,
        clock.inner(from: layer.timing.beginTime, speed: 1, end: min(clock.end - layer.timing.beginTime, end)), except: told,
        path: path.appending(key: "sublayers[\(index)]"), depth: depth + 1)
    }
  }
}

extension LayerTiming {
  /// Whether it plays once, at its own speed.
  fileprivate var isPlain: Bool { speed == 1 && timeOffset == 0 && repeatCount <= 1 && repeatDuration <= 0 && !autoreverses }
}
