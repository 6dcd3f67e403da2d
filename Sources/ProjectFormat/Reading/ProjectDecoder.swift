import CompositorAPI
import CompositorTimeline

extension ProjectValue {
  /// Decodes the value. Keys that the type doesn't request are mistakes, as everywhere in a project, and every mistake is
  /// reported at its location.
  func decoded<T: Decodable>(as type: T.Type) throws(CompositorError) -> T {
    do {
      return try ProjectDecoder(self).decode(type)
    } catch let mistake as ProjectDecoder.Mistake {
      throw mistake.error
    } catch {
      throw self.error("This cannot be read: \(error)")
    }
  }
}

/// A decoder for a value of a project, which records the requested keys.
final class ProjectDecoder: Decoder {
  /// A mistake with its location.
  struct Mistake: Error {
    let error: CompositorError
  }

  let value: ProjectValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// The requested keys.
  private var asked: Set<String> = []
  /// The keys that exist, whether or not they were requested.
  private var known: Set<String> = []
  private var nested: [ProjectDecoder] = []

  init(_ value: ProjectValue, codingPath: [any CodingKey] = []) {
    self.value = value
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let members = try placing { () throws(CompositorError) in try value.map() }
    if let keys = type as? any (CodingKey & CaseIterable).Type { known.formUnion(ProjectDecoder.names(of: keys)) }
    return KeyedDecodingContainer(ProjectKeys<Key>(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    ProjectElements(decoder: self, elements: try placing { () throws(CompositorError) in try value.list() })
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ProjectScalar(decoder: self) }

  /// Decodes a value.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    do {
      if let words = ProjectDecoder.words(of: type) { try value.requireWord(among: words) }
      let result = try T(from: self)
      try requireKnownKeys()
      return result
    } catch let mistake as Mistake {
      throw mistake
    } catch let error as CompositorError {
      throw Mistake(
        error: error.location.file == nil ? value.error(error.message, advice: error.advice) : error)
    } catch let error as DecodingError {
      // An unknown key best explains why other keys don't fit.
      try placing { () throws(CompositorError) in try requireKnownKeys() }
      if type is Easing.Type, case .string(let word) = value.node.value {
        throw Mistake(
          error: value.error("\(quoted(word)) is not possible here.", for: word, among: Easing.spellings))
      }
      throw Mistake(error: value.error("\(error.reason)."))
    }
  }

  /// The value of a key, if present. Records that it was requested.
  func member(_ key: any CodingKey, of members: [(key: String, value: ProjectValue)]) -> ProjectDecoder? {
    asked.insert(key.stringValue)
    guard let found = members.first(where: { $0.key == key.stringValue }) else { return nil }
    return ProjectDecoder(found.value, codingPath: codingPath + [key])
  }

  /// Registers an object inside this one that is decoded as a part of it.
  func addPart(_ part: ProjectDecoder) { nested.append(part) }

  func placing<T>(_ body: () throws(CompositorError) -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw Mistake(error: error)
    }
  }

  /// The error for a missing key, which may be present with another spelling.
  func missing(_ key: any CodingKey) -> Mistake {
    do throws(CompositorError) {
      if !known.isEmpty { try value.requireKeys(asked: known, known: known) }
    } catch {
      return Mistake(error: error)
    }
    return Mistake(error: value.error("The key \(quoted(key.stringValue)) is missing."))
  }

  private func requireKnownKeys() throws(CompositorError) {
    for part in nested { try part.requireKnownKeys() }
    guard !asked.isEmpty || !known.isEmpty, value.isObject else { return }
    try value.requireKeys(asked: asked, known: known.union(asked))
  }

  private static func names<Keys: CodingKey & CaseIterable>(of keys: Keys.Type) -> [String] { keys.allCases.map(\.stringValue) }

  /// The enumerated values of a type; `nil` for other types.
  private static func words(of type: any Decodable.Type) -> [String]? {
    func words<Choice: CaseIterable>(_ type: Choice.Type) -> [String] {
      type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }
    guard let choice = type as? any CaseIterable.Type else { return nil }
    let found = words(choice)
    return found.isEmpty ? nil : found
  }
}

extension ProjectValue {
  fileprivate func requireWord(among words: [String]) throws(CompositorError) {
    let word = try string()
    guard !words.contains(word) else { return }
    throw error("\(quoted(word)) is not possible here.", for: word, among: words)
  }

  fileprivate func requireKeys(asked: Set<String>, known: Set<String>) throws(CompositorError) {
    guard case .object(let members) = node.value else { return }
    for member in members where !asked.contains(member.key) {
      let exists = known.contains(member.key)
      guard exists else {
        throw error("There is no key \(quoted(member.key)) here.", ofKey: member, in: ObjectShape(ofType: known.sorted()))
      }
      let others = members.map(\.key).filter { asked.contains($0) }.map(quoted).joined(separator: ", ")
      throw text.error(
        "The key \(quoted(member.key)) means nothing beside \(others).", recoverySuggestion: "Remove it.",
        atByte: member.keyOffset,
        path: NodePath.key(path, member.key).description)
    }
  }
}

extension ObjectShape {
  /// The shape of a type that reads itself: only the names of its keys are known.
  fileprivate init(ofType keys: [String]) {
    self.init("", "a value", keys.map { KeyShape($0, .parameter, "") })
  }
}

extension DecodingError {
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, _): return "The key \(quoted(key.stringValue)) is missing"
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      let text = found.debugDescription
      return text.isEmpty
        ? "This cannot be read" : text.prefix(1).uppercased() + (text.hasSuffix(".") ? text.dropLast() : text[...]).dropFirst()
    @unknown default: return "This cannot be read"
    }
  }
}
