/// Values for a compositor's parameters, by key.
public typealias ParameterValues = [String: ParameterValue]

/// A parameter's value. A whole number equals the same number written as a number, as in JSON.
public enum ParameterValue: Sendable {
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A number.
  case number(Double)
  /// A text, a choice or a path.
  case string(String)
  /// A list.
  case list([ParameterValue])

  /// The number, also of an integer; nil for other kinds.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}

extension ParameterValue: Hashable {
  /// Whether both are the same value: `.integer(2)` equals `.number(2)`.
  public static func == (left: ParameterValue, right: ParameterValue) -> Bool {
    switch (left.canonical, right.canonical) {
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    default: false
    }
  }

  /// Hashes so that equal values hash alike.
  public func hash(into hasher: inout Hasher) {
    switch canonical {
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    }
  }

  /// The value with whole numbers as integers.
  private var canonical: ParameterValue {
    guard case .number(let value) = self, let whole = Int(exactly: value) else { return self }
    return .integer(whole)
  }
}

extension ParameterValue: Codable {
  /// Reads a JSON value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else {
      self = .list(try container.decode([ParameterValue].self))
    }
  }

  /// Writes a JSON value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    }
  }
}

/// What one parameter may be.
public struct ParameterDescription: Hashable, Sendable, Codable {
  /// The kind of value, with its bounds.
  public enum Kind: Hashable, Sendable, Codable {
    /// True or false.
    case bool
    /// A whole number in a closed range.
    case integer(minimum: Int, maximum: Int)
    /// A number in a closed range, with its unit (`px`, `degrees`, `fraction`).
    case number(minimum: Double, maximum: Double, unit: String)
    /// Any text.
    case string
    /// One of several words.
    case choice([String])
    /// A colour: a list of 3 or 4 numbers 0 … 1, sRGB.
    case color
    /// A point: a list of 2 numbers, in pixels of the composition.
    case point
    /// A text file of at most so many bytes. Who writes an edit gives its path; the host reads it, and the compositor is
    /// given the text.
    case textFile(maximumByteCount: Int)
  }
  /// The key.
  public var key: String
  /// Kind and bounds.
  public var kind: Kind
  /// The value where none is given; nil where one must be given.
  public var defaultValue: ParameterValue?
  /// What it does, one sentence.
  public var summary: String
  /// Whether a number may change over time: the compositor then takes it from each request's instruction.
  public var isAnimatable: Bool
  /// Other keys that mean the same, such as short ones.
  public var aliases: [String] = []
  /// What an interface shows it with, such as "Light"; empty for none.
  public var group = ""
  /// How an interface best offers it.
  public var hint = Hint.none

  /// How an interface best offers a number.
  public enum Hint: String, Hashable, Sendable, Codable, CaseIterable {
    /// As its kind suggests.
    case none
    /// On a logarithmic scale.
    case logarithmic
    /// As an angle.
    case angle
    /// As a percentage: 1 is 100 %.
    case percent
  }

  /// Describes a parameter.
  public init(
    _ key: String, _ kind: Kind, default defaultValue: ParameterValue? = nil, isAnimatable: Bool = false, summary: String
  ) {
    self.key = key
    self.kind = kind
    self.defaultValue = defaultValue
    self.summary = summary
    self.isAnimatable = isAnimatable
  }

  /// Reads a description; a parameter is not animatable unless it says so.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    key = try container.decode(String.self, forKey: .key)
    kind = try container.decode(Kind.self, forKey: .kind)
    defaultValue = try container.decodeIfPresent(ParameterValue.self, forKey: .defaultValue)
    summary = try container.decode(String.self, forKey: .summary)
    isAnimatable = try container.decodeIfPresent(Bool.self, forKey: .isAnimatable) ?? false
    aliases = try container.decodeIfPresent([String].self, forKey: .aliases) ?? []
    group = try container.decodeIfPresent(String.self, forKey: .group) ?? ""
    hint = try container.decodeIfPresent(Hint.self, forKey: .hint) ?? .none
  }
}
