import CompositorPlugins
package import CompositorAPI

/// Kinds of transitions by name: dissolve and push, which are layers that fade and move, and the built-in transitions, such as
/// `wipe` and `wipe-left`.
package enum TransitionName {
  private static let layered: [String: Transition.Kind] = [
    "dissolve": .dissolve, "push": .push(.left), "push-left": .push(.left), "push-right": .push(.right),
    "push-up": .push(.up), "push-down": .push(.down),
  ]

  private static let composed: [String: Transition.Kind] = {
    var kinds: [String: Transition.Kind] = [:]
    let white = ParameterValue.list([.integer(1), .integer(1), .integer(1)])
    kinds["dip-to-white"] = .compositor("builtin.dip", ["color": white])
    kinds["dip-to-black"] = .compositor("builtin.dip")
    for descriptor in CompositorRegistry.builtIn.descriptors(for: .transition) {
      let name = descriptor.id.shortName
      kinds[name] = .compositor(descriptor.id)
      // The first choice parameter provides additional names.
      guard let choice = descriptor.parameters.first(where: { $0.words != nil }) else { continue }
      for word in choice.words ?? [] where Int(word) == nil {
        kinds["\(name)-\(word)"] = .compositor(descriptor.id, [choice.key: .string(word)])
      }
    }
    return kinds
  }()

  /// The kind of transition with a name; `nil` if there is none.
  package static func kind(_ name: String) -> Transition.Kind? { layered[name] ?? composed[name] }

  /// The color that a transition goes through by its name, with the word for it in the name; `nil` if the name states none.
  package static func color(of name: String) -> (word: String, color: Color)? {
    switch name {
    case "dip-to-white": ("white", .white)
    case "dip-to-black": ("black", .black)
    default: nil
    }
  }

  /// Every name, sorted.
  package static let all = Set(layered.keys).union(composed.keys).sorted()
}

extension ParameterDescription {
  /// The values of a choice; `nil` for other kinds of parameters.
  fileprivate var words: [String]? { if case .choice(let words) = kind { words } else { nil } }
}

extension CompositorID {
  private static let builtinPrefix = "builtin."

  /// A built-in compositor's name in projects: `wipe` for `builtin.wipe`.
  package var shortName: String {
    rawValue.hasPrefix(Self.builtinPrefix) ? String(rawValue.dropFirst(Self.builtinPrefix.count)) : rawValue
  }
}

extension CompositorRegistry {
  /// The descriptors of a role, sorted by ID.
  package func descriptors(for role: CompositorDescriptor.Role) -> [CompositorDescriptor] {
    descriptors.filter { $0.role == role }
  }
}
