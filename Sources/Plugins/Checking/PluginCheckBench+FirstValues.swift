import CCompositorPluginProcess
import CompositorAPI

/// Checks of what a plugin keeps from its first calls: a parameter's value that came first, handlers of signals, and other state of
/// the process.
extension PluginCheckBench {
  /// The parameters of one frame.
  private struct ValueSet {
    /// The key of the only parameter that differs from the default; `nil` if there is none, or several.
    var key: String?
    var parameters: ParameterValues
  }

  /// Renders the frames for ``valuesAnew(_:)``, in a new process: the defaults come first.
  func values(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    var result = PluginCheckResult(.passed)
    let sets = valueSets(scene)
    result.frames = try frames(scene, order: [sets.count - 1] + (0..<sets.count - 1))
    return result
  }

  /// Compares the frames of ``values(_:)`` with those of a new process in which other values come first.
  func valuesAnew(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let sets = valueSets(scene)
    let anew = try frames(scene, order: Array(sets.indices))
    guard known.frames.count == anew.count else { return PluginCheckResult(.passed) }
    let (first, expected) = (Array(anew.prefix(sets.count)), Array(known.frames.prefix(sets.count)))
    if first != expected {
      // The process that began with other values shows them with the defaults, too.
      let kept = sets.indices.filter { sets[$0].key != nil && first[$0] == first.last && first.last != expected.last }
      let key = kept.count == 1 ? sets[kept[0]].key : nil
      let subject = key.map { "“\($0)”" } ?? "A parameter"
      return PluginCheckResult(
        .failed,
        "\(subject) keeps the value that came first in the process: instances with other values give other frames after it.")
    }
    guard anew == known.frames else {
      return PluginCheckResult(
        .failed, "An instance keeps the value of its first frame: other values give other frames after it.")
    }
    let isAnimated = factory.descriptor.parameters.contains { $0.isAnimatable && $0.canChange }
    return PluginCheckResult(
      .passed,
      """
      \(sets.count) sets of values gave the same frames in two new processes that began with different ones\
      \(isAnimated ? ", in one instance and in several" : "").
      """)
  }

  /// All parameters changed, then each alone, then the defaults.
  private func valueSets(_ scene: PluginCheckScene) -> [ValueSet] {
    let changes = factory.descriptor.parameters.compactMap { description in
      description.kind.otherValue(than: scene.parameters[description.key]).map { (description.key, $0) }
    }
    let all = ValueSet(
      key: changes.count == 1 ? changes[0].0 : nil, parameters: scene.parameters.merging(changes) { $1 })
    let single = known.isSlow || changes.count == 1 ? [] : changes.prefix(known.frameCount(32, in: .milliseconds(300)))
    return [all] + single.map { ValueSet(key: $0.0, parameters: scene.parameters.merging([$0]) { $1 }) }
      + [ValueSet(key: nil, parameters: scene.parameters)]
  }

  /// The frames of all sets, made in an order: each from an instance of its own, then, with the values that can change over time,
  /// all from one. `nil` if the compositor refuses.
  private func frames(_ scene: PluginCheckScene, order: [Int]) throws -> [UInt64?] {
    let sets = valueSets(scene)
    var frames = [UInt64?](repeating: nil, count: sets.count * 2)
    for index in order {
      var changed = scene
      changed.parameters = sets[index].parameters
      frames[index] = try hash { try self.compose(self.make(changed), changed.request()) }
    }
    let moving = factory.descriptor.parameters.filter { $0.isAnimatable && $0.canChange }.map(\.key)
    guard !moving.isEmpty else { return frames }
    var instance: (any FrameComposer)?
    _ = try refusable {
      instance = try self.make(scene)
      return PluginCheckResult(.passed)
    }
    guard let instance else { return frames }
    for index in order {
      var later = scene
      for key in moving { later.parameters[key] = sets[index].parameters[key] }
      later.askers.note(instance, of: later)
      frames[sets.count + index] = try hash { try self.compose(instance, later.request()) }
    }
    return frames
  }

  private func hash(_ frame: () throws -> Frame) throws -> UInt64? {
    var hash: UInt64?
    _ = try refusable {
      hash = try frame().sampleHash
      return PluginCheckResult(.passed)
    }
    return hash
  }

  // MARK: Signals

  /// Renders a frame, and compares the handlers of all signals with those from before the plugin was opened.
  func signals(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let result = try attempt(scene)
    return Self.changedSignal ?? result
  }

  /// The fault of a plugin that has changed how a signal is handled; `nil` if it has not.
  static var changedSignal: PluginCheckResult? {
    var name = [CChar](repeating: 0, count: 32)
    guard module_signals_changed(&name, name.count) != 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return PluginCheckResult(.failed, "The plugin changed how \(text) is handled, and did not restore it.")
  }

  /// Renders a frame, and compares the state of the process with that from before the plugin was opened.
  func process(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let result = try attempt(scene)
    return Self.changedState ?? result
  }

  /// The fault of a plugin that has changed the state of the process; `nil` if it has not.
  static var changedState: PluginCheckResult? {
    let changed: String
    switch module_state_changed() {
    case MODULE_STATE_FOLDER: changed = "changed the working folder"
    case MODULE_STATE_MASK: changed = "changed the mask of new files (umask)"
    case MODULE_STATE_ENVIRONMENT: changed = "changed the environment"
    case MODULE_STATE_TIMER: return PluginCheckResult(.failed, "The plugin left a timer running (setitimer, alarm).")
    default: return nil
    }
    return PluginCheckResult(.failed, "The plugin \(changed), and did not restore it.")
  }
}

extension ParameterDescription.Kind {
  /// A valid value other than `value`: of numbers one between it and the end that is farther away. `nil` if there is none.
  func otherValue(than value: ParameterValue?) -> ParameterValue? {
    guard hasRange else { return nil }
    switch (self, value) {
    case (.number(let minimum, let maximum, _), .number(let number)?):
      let end = maximum - number >= number - minimum ? maximum : minimum
      let middle = number / 2 + end / 2
      return middle == number ? nil : .number(middle)
    case (.integer(let minimum, let maximum), .integer(let number)?):
      let end = Double(maximum) - Double(number) >= Double(number) - Double(minimum) ? maximum : minimum
      guard end != number else { return nil }
      let middle = Int(exactly: ((Double(number) + Double(end)) / 2).rounded()) ?? end
      return .integer(middle == number || middle < minimum || middle > maximum ? end : middle)
    default: return extremes.last { $0 != value }
    }
  }
}
