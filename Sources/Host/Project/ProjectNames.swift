import CompositorAPI

/// Colours of an output by name.
enum OutputColorName: String, CaseIterable {
  case sdr
  case bt709
  case bt601_525 = "bt601-525"
  case bt601_625 = "bt601-625"
  case bt2020
  case displayP3 = "display-p3"
  case hlg
  case pq

  var tags: ColorTags {
    switch self {
    case .sdr, .bt709: .bt709
    case .bt601_525: .bt601_525
    case .bt601_625: .bt601_625
    case .bt2020:
      ColorTags(primaries: .bt2020, transfer: .bt2020_10, matrix: .bt2020, range: .limited, chromaLocation: .topLeft)
    case .displayP3: ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .limited)
    case .hlg: .bt2100HLG
    case .pq: .bt2100PQ
    }
  }
}

/// Patterns of generated pictures by name.
enum PatternName: String, CaseIterable {
  case color, bars, gradient, clock
}

/// Kinds of transition by name: dissolve and push, which are layers that fade and move, and those of the built-in
/// transitions, `wipe` as well as `wipe-left`.
enum TransitionName {
  private static let layered: [String: Transition.Kind] = [
    "dissolve": .dissolve, "push": .push(.left), "push-left": .push(.left), "push-right": .push(.right),
    "push-up": .push(.up), "push-down": .push(.down),
  ]

  private static let composed: [String: Transition.Kind] = {
    var kinds: [String: Transition.Kind] = [:]
    let white = ParameterValue.list([.integer(1), .integer(1), .integer(1)])
    kinds["dip-to-white"] = .builtin("builtin.dip", ["color": white])
    kinds["dip-to-black"] = .builtin("builtin.dip", [:])
    for descriptor in CompositorRegistry.builtIn.descriptors(for: .transition) {
      let name = descriptor.id.shortName
      kinds[name] = .builtin(descriptor.id, [:])
      // The first choice there is makes names of its own.
      guard let choice = descriptor.parameters.first(where: { $0.words != nil }) else { continue }
      for word in choice.words ?? [] where Int(word) == nil {
        kinds["\(name)-\(word)"] = .builtin(descriptor.id, [choice.key: .string(word)])
      }
    }
    return kinds
  }()

  /// What a name stands for; nil where there is no such name.
  static func kind(_ name: String) -> Transition.Kind? { layered[name] ?? composed[name] }

  /// Every name, sorted.
  static let all = Set(layered.keys).union(composed.keys).sorted()
}

extension ParameterDescription {
  /// The words of a choice.
  fileprivate var words: [String]? { if case .choice(let words) = kind { words } else { nil } }
}

extension CompositorID {
  private static let builtinPrefix = "builtin."

  /// A built-in compositor's name in projects: `wipe` for `builtin.wipe`.
  var shortName: String {
    rawValue.hasPrefix(Self.builtinPrefix) ? String(rawValue.dropFirst(Self.builtinPrefix.count)) : rawValue
  }
}

extension CompositorRegistry {
  /// What the compositors of a role can do, sorted by ID.
  func descriptors(for role: CompositorDescriptor.Role) -> [CompositorDescriptor] { descriptors.filter { $0.role == role } }
}

/// What is done about interlaced pictures, by name.
enum DeinterlaceName: String, CaseIterable {
  case off, same, double
}
