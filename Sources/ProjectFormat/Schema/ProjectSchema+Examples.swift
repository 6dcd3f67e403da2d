import CompositorAPI
import CompositorTimeline

extension KeyShape {
  /// Example values for editors: those that the summary lists after "such as", or else typical ones of the kind.
  var examples: [JSON5Node] {
    let named = named(behind: "such as ")
    return named.isEmpty ? value.examples(for: key) : named
  }

  /// The strings and numbers after a phrase of the summary.
  private func named(behind phrase: String) -> [JSON5Node] {
    var found: [JSON5Node] = []
    for match in summary.matches(of: /such as (("[^"]+"|[0-9.]+[0-9])(( or |, )("[^"]+"|[0-9.]+[0-9]))*)/) {
      for token in match.1.matches(of: /"[^"]+"|[0-9.]+[0-9]/) {
        guard let text = try? SourceText(name: key, bytes: Array(token.0.utf8)), let node = try? JSON5Reader.read(text),
          !found.contains(node)
        else { continue }
        found.append(JSON5Node(node.value))
      }
    }
    return found
  }
}

extension ValueShape {
  /// Typical values of a key.
  fileprivate func examples(for key: String) -> [JSON5Node] {
    switch self {
    case .time: ["2s", "48f", "0:02.5", "00:00:02:12"].map { JSON5Node(.string($0)) }
    case .signedTime: ["0.5s", "-0.5s"].map { JSON5Node(.string($0)) }
    case .color: ["#ff8800", "#00000080", "white"].map { JSON5Node(.string($0)) }
    case .easing: ["ease-in-out", "cubic-bezier(0.2, 0, 0, 1)", "steps(4)"].map { JSON5Node(.string($0)) }
    case .size: ["1920x1080", "1080x1920"].map { JSON5Node(.string($0)) }
    case .gain: ["-6dB"].map { JSON5Node(.string($0)) } + [JSON5Node(.number("0.5"))]
    case .decibels: [JSON5Node(.string("12dB"))]
    case .loudness: [JSON5Node(.string("-14LUFS")), JSON5Node(.string("-23LUFS"))]
    case .angle: [JSON5Node(.number("90")), JSON5Node(.number("-15"))]
    case .length, .layoutLength: [JSON5Node(.number("320")), JSON5Node(.string("50%")), JSON5Node(.string("6vmin"))]
    case .frameLength: [JSON5Node(.number("320")), JSON5Node(.string("50%"))]
    case .fraction: [JSON5Node(.number("0.5")), JSON5Node(.string("50%"))]
    case .percent: [JSON5Node(.string("50%"))]
    case .part: [JSON5Node(.number("0.5")), JSON5Node(.string("72%"))]
    case .ratio, .frameRate: [JSON5Node(.number("25")), JSON5Node(.string("30000/1001"))]
    case .text, .string: ValueShape.texts[key].map { [JSON5Node(.string($0))] } ?? []
    case .list(let element, let minimum, _):
      minimum <= 1 ? element.examples(for: key).prefix(1).map { JSON5Node(.array([$0])) } : []
    case .any(let shapes): shapes.flatMap { Array($0.examples(for: key).prefix(2)) }
    case .null, .bool, .number, .factor, .integer, .choice, .tuple, .map, .object, .animationValue, .parameter: []
    }
  }

  /// Typical strings, by key.
  private static let texts = [
    "$schema": "./compositor.schema.json", "file": "media/church.mov",
    "images": "frames/%04d.png",
    "plugins": "plugins/glow.so", "sha256": String(repeating: "0123456789abcdef", count: 4),
    "fonts": "fonts/Inter.ttf", "name": "main", "text": "Ada Lovelace", "role": "Mathematician", "font": "DejaVu Sans",
    "asset": "church", "language": "en", "title": "First chapter", "compositor": "builtin.layer", "use": "blur",
    "template": "titles/lower-third.json5", "track": "main", "metadataFrom": "church", "encoding": "windows-1252",
    "family": "DejaVu Sans", "string": "Ada Lovelace", "image": "logo", "locale": "de-DE", "currency": "EUR",
    "skeleton": "yMMMMd",
  ]
}

extension JSON5Node {
  /// A schema with the explanations of its enumerated values, for editors (`enumDescriptions`).
  func describingWords(ofKey key: String) -> JSON5Node {
    var result = self
    switch value {
    case .array(let elements): result.value = .array(elements.map { $0.describingWords(ofKey: key) })
    case .object(let members):
      var described = members.map { member in
        var member = member
        member.value = member.value.describingWords(ofKey: key)
        return member
      }
      if let words = members.first(where: { $0.key == "enum" })?.value, case .array(let choices) = words.value,
        case let texts = choices.compactMap({ ChoiceText.of($0, key: key) }), texts.count == choices.count
      {
        described.append(JSON5Member("enumDescriptions", JSON5Node(.array(texts.map { JSON5Node(.string($0)) }))))
      }
      result.value = .object(described)
    default: break
    }
    return result
  }
}
