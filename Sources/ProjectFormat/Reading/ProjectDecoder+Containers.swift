import CompositorAPI
import CompositorTimeline

/// The members of an object, for ``ProjectDecoder``.
struct ProjectKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ProjectDecoder
  let members: [(key: String, value: ProjectValue)]

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { decoder.member(key, of: members) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try required(key).value.isNull }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try required(key).decode(type) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    let part = try required(key)
    decoder.addPart(part)
    return try part.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try required(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }

  func superDecoder(forKey key: Key) throws -> any Decoder { try required(key) }

  private func required(_ key: Key) throws -> ProjectDecoder {
    guard let found = decoder.member(key, of: members) else { throw decoder.missing(key) }
    return found
  }
}

/// The elements of a list, for ``ProjectDecoder``.
struct ProjectElements: UnkeyedDecodingContainer {
  let decoder: ProjectDecoder
  let elements: [ProjectValue]
  private(set) var currentIndex = 0

  init(decoder: ProjectDecoder, elements: [ProjectValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

  mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
    let part = try next()
    decoder.addPart(part)
    return try part.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> ProjectDecoder {
    guard !isAtEnd else { throw ProjectDecoder.Mistake(error: decoder.value.error("The list is too short.")) }
    defer { currentIndex += 1 }
    return ProjectDecoder(elements[currentIndex], codingPath: codingPath)
  }
}

/// One value, for ``ProjectDecoder``.
struct ProjectScalar: SingleValueDecodingContainer {
  let decoder: ProjectDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let plain = try decoder.placing({ () throws(CompositorError) in try plain(type) }) else {
      return try decoder.decode(type)
    }
    guard let result = plain as? T else {
      throw ProjectDecoder.Mistake(error: decoder.value.error("This cannot be read."))
    }
    return result
  }

  /// Strings, numbers and Booleans; `nil` for types that decode themselves.
  private func plain(_ type: any Decodable.Type) throws(CompositorError) -> Any? {
    let value = decoder.value
    let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    if type == Bool.self { return try value.bool() }
    if type == String.self { return try value.string() }
    if type == Double.self { return try value.number(all) }
    if type == Float.self { return Float(try value.number(all)) }
    guard let integer = type as? any FixedWidthInteger.Type else { return nil }
    return try whole(integer)
  }

  private func whole<Integer: FixedWidthInteger>(_ type: Integer.Type) throws(CompositorError) -> Integer {
    let number = try decoder.value.integer(Int.min...Int.max)
    guard let whole = Integer(exactly: number) else { throw decoder.value.error("\(number) is too large here.") }
    return whole
  }
}
