public import CompositorTimeline
import CompositorAPI

/// A timeline is encoded as the object of its project file, with paths as they are.
extension Timeline: Codable {
  /// Decodes the object of a project, as ``ProjectFile`` reads it. Paths are relative to the current directory.
  ///
  /// - Throws: `CompositorError` `.invalidProject`, with the key path of the first mistake.
  public init(from decoder: any Decoder) throws {
    let document = try DecodedDocument(from: decoder).node
    try self.init(of: ProjectFile(document.json(), name: "timeline"))
  }

  /// Encodes the object of a project.
  ///
  /// - Throws: `CompositorError` `.invalidValue`, located at what no project can hold; see ``write(to:overwriting:)``.
  public func encode(to encoder: any Encoder) throws {
    let text = try SourceText(name: "timeline", bytes: Array(projectText().utf8))
    try EncodedDocument(node: try JSON5Reader.read(text)).encode(to: encoder)
  }
}

/// The name of a member of an object.
private struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A value of a document for encoders.
private struct EncodedDocument: Encodable {
  let node: JSON5Node

  func encode(to encoder: any Encoder) throws {
    switch node.value {
    case .object(let members):
      var container = encoder.container(keyedBy: MemberName.self)
      for member in members {
        try container.encode(EncodedDocument(node: member.value), forKey: MemberName(stringValue: member.key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(EncodedDocument(node: element)) }
    case .null, .bool, .number, .string: try encodeScalar(to: encoder)
    }
  }

  private func encodeScalar(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch node.value {
    case .bool(let bool): try container.encode(bool)
    case .string(let text): try container.encode(text)
    case .number(let digits):
      if let integer = JSON5Node.integer(digits) {
        try container.encode(integer)
      } else {
        try container.encode(JSON5Node.double(digits) ?? 0)
      }
    case .null, .object, .array: try container.encodeNil()
    }
  }
}

/// A value of a document from decoders.
private struct DecodedDocument: Decodable {
  let node: JSON5Node

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: MemberName.self) {
      var members: [JSON5Member] = []
      for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
        members.append(JSON5Member(key.stringValue, try object.decode(DecodedDocument.self, forKey: key).node))
      }
      node = JSON5Node(.object(members))
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [JSON5Node] = []
      while !list.isAtEnd { elements.append(try list.decode(DecodedDocument.self).node) }
      node = .list(elements)
    } else {
      node = try DecodedDocument.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSON5Node {
    if container.decodeNil() { return JSON5Node(.null) }
    if let bool = try? container.decode(Bool.self) { return .bool(bool) }
    if let integer = try? container.decode(Int.self) { return .integer(integer) }
    if let number = try? container.decode(Double.self) { return .number(number) }
    return .text(try container.decode(String.self))
  }
}
