import CompositorAPI

/// Settings of shadows, borders and outlines that aren't drawn, because the key that switches them on is missing: in CSS, a shadow has
/// no opacity of its own. The edit doesn't tell a default from what is written, so the text is checked.
struct MissingSwitches {
  private let document: JSON5Node

  init(_ document: JSON5Node) { self.document = document }

  /// The warnings, one for each switch that an object lacks. A switch that is written as 0 is off on purpose.
  func diagnostics() -> [ValidationDiagnostic] {
    (clips + layers + titles + captions).flatMap { object in
      found(in: object.node, path: object.path, switches: object.switches)
    } + document.titleLayers.flatMap { found(inTree: $0.layer, path: $0.path, animated: $0.layer.animatedNames) }
  }

  /// A key without which others change nothing.
  private struct Switch {
    let key: String
    let part: String
    let dependents: [String]
    /// A value for the advice.
    let example: String

    static let shadow = Switch(
      key: "shadowOpacity", part: "shadow", dependents: ["shadowColor", "shadowOffset", "shadowRadius"], example: "0.5")
    static let border = Switch(key: "borderWidth", part: "border", dependents: ["borderColor"], example: "4")
    static let outline = Switch(key: "outlineWidth", part: "outline", dependents: ["outlineColor"], example: "\"0.4%\"")
    /// The widths of captions are in ems.
    static let captionOutline = Switch(key: "outlineWidth", part: "outline", dependents: ["outlineColor"], example: "0.1")
  }

  private typealias Object = (node: JSON5Node, path: String, switches: [Switch])

  private var clips: [Object] {
    objects("tracks").flatMap { track, path in
      (track.member("clips")?.elements ?? []).enumerated().map { ($1, "\(path).clips[\($0)]", [.shadow, .border]) }
    }
  }

  private var layers: [Object] {
    objects("instructions").flatMap { instruction, path in
      (instruction.member("layers")?.elements ?? []).enumerated().map { ($1, "\(path).layers[\($0)]", [.shadow, .border]) }
    }
  }

  private var titles: [Object] {
    let own = objects("titles").map { ($0.node, $0.path, [Switch.outline]) }
    return own
      + (document.member("assets")?.members ?? []).flatMap { asset in
        (asset.value.member("titles")?.elements ?? []).enumerated().map { index, title in
          (title, "assets.\(asset.key).titles[\(index)]", [Switch.outline])
        }
      }
  }

  private var captions: [Object] {
    objects("captions").compactMap { captions, path in
      // The whole style of captions that players draw has a warning of its own.
      if case .string("track")? = captions.member("as")?.value { return nil }
      return captions.member("style").map { ($0, "\(path).style", [.captionOutline]) }
    }
  }

  private func objects(_ key: String) -> [(node: JSON5Node, path: String)] {
    (document.member(key)?.elements ?? []).enumerated().map { ($1, "\(key)[\($0)]") }
  }

  /// - Parameter animated: The names of properties that animations of the title change, from whichever layer.
  private func found(inTree node: JSON5Node, path: String, animated: Set<String>) -> [ValidationDiagnostic] {
    let switches = [Switch.shadow, .border, .outline].filter { !animated.contains($0.key) }
    return found(in: node, path: path, switches: switches)
      + node.elements.enumerated().flatMap { found(inTree: $1, path: "\(path)[\($0)]", animated: animated) }
      + node.members.flatMap { found(inTree: $0.value, path: "\(path).\($0.key)", animated: animated) }
  }

  private func found(in node: JSON5Node, path: String, switches: [Switch]) -> [ValidationDiagnostic] {
    let written = node.members.map(\.key)
    return switches.compactMap { needed in
      let idle = written.filter(needed.dependents.contains)
      guard let first = idle.first, !written.contains(needed.key) else { return nil }
      let names = idle.dropLast().joined(separator: ", ") + (idle.count > 1 ? " and " : "") + (idle.last ?? "")
      return ValidationDiagnostic(
        .effectUnchanging, severity: .warning,
        "\(names) \(idle.count > 1 ? "change" : "changes") nothing: without \(needed.key) there is no \(needed.part).",
        cause: "\(needed.key) is 0 by default.",
        recoverySuggestion: "Write \(needed.key), too, such as \(needed.example), or remove \(idle.count > 1 ? "them" : "it").",
        path: "\(path).\(first)")
    }
  }
}

extension JSON5Node {
  /// The names of all properties that animations in a tree change, without the part that they belong to: `outlineWidth` for
  /// `text.outlineWidth`.
  fileprivate var animatedNames: Set<String> {
    var names = elements.reduce(into: Set<String>()) { $0.formUnion($1.animatedNames) }
    for member in members {
      if member.key == "property", case .string(let name) = member.value.value {
        names.insert(name.split(separator: ".").last.map(String.init) ?? name)
      } else {
        names.formUnion(member.value.animatedNames)
      }
    }
    return names
  }
}
