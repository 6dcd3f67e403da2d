import CompositorAPI
import CompositorPlugins
import CompositorTimeline

extension ProjectSchema {
  /// Keys of effects that are not parameters, though parameters are written beside them: no effect can have a parameter of such a
  /// name.
  package static var keysBesideParameters: [String] {
    var keys: [String] = []
    for key in ["effectUse", "effect"].flatMap({ shape($0).keys.map(\.key) }) where !keys.contains(key) { keys.append(key) }
    return keys
  }
}

extension ObjectShape {
  /// The parameters of built-in effects: conditions that refuse other keys beside them. Effects of plugins have any keys.
  ///
  /// `nil` for audio effects, none of which are built in.
  var parametersOfEffects: JSON5Member? {
    guard name == "effectUse" || name == "effect" else { return nil }
    let own = keys.map(\.key)
    let conditions = CompositorRegistry.builtIn.descriptors(for: .effect).map { descriptor -> JSON5Node in
      let keys = own + descriptor.parameters.flatMap { [$0.key] + $0.aliases }
      let names = Self.member("enum", [descriptor.id.shortName, descriptor.id.rawValue].map { JSON5Node(.string($0)) })
      let used = JSON5Node(
        .object([
          JSON5Member(
            "properties", JSON5Node(.object([JSON5Member("use", JSON5Node(.object([names])))]))),
          Self.member("required", [JSON5Node(.string("use"))]),
        ]))
      let allowed = JSON5Node(.object([Self.member("enum", keys.map { JSON5Node(.string($0)) })]))
      return JSON5Node(
        .object([
          JSON5Member("if", used), JSON5Member("then", JSON5Node(.object([JSON5Member("propertyNames", allowed)]))),
        ]))
    }
    return conditions.isEmpty ? nil : Self.member("allOf", conditions)
  }

  private static func member(_ key: String, _ elements: [JSON5Node]) -> JSON5Member {
    JSON5Member(key, JSON5Node(.array(elements)))
  }
}
