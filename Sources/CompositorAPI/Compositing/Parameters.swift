/// Values of a compositor's parameters, by key.
public typealias ParameterValues = [String: ParameterValue]

/// A parameter's value. As in JSON, an integer equals a floating-point number of the same value.
public enum ParameterValue: Sendable {
  /// A Boolean.
  case bool(Bool)
  /// An integer.
  case integer(Int)
  /// A number.
  case number(Double)
  /// A string, a choice or a path.
  case string(String)
  /// A list.
  case list([ParameterValue])
  /// The contents of a file; see ``ParameterDescription/Kind/file(maximumByteCount:)``.
  case data([UInt8])

  /// The value of a number or integer; `nil` for other kinds.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// The elements of a list that contains only numbers; `nil` for other values.
  public var numbers: [Double]? {
    guard case .list(let items) = self else { return nil }
    let numbers = items.compactMap(\.number)
    return numbers.count == items.count ? numbers : nil
  }

  /// The contents of a file; `nil` for other values.
  public var data: [UInt8]? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// Creates a point, in pixels of the composition.
  public static func point(_ point: Point) -> ParameterValue { .list([.number(point.x), .number(point.y)]) }

  /// Creates a color, in sRGB.
  public static func color(_ color: Color) -> ParameterValue {
    .list([color.red, color.green, color.blue, color.alpha].map { .number($0) })
  }

  /// The point of a list of two numbers; `nil` for other values.
  public var point: Point? { numbers.flatMap { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil } }

  /// The color of a list of three or four numbers, opaque without the fourth; `nil` for other values.
  public var color: Color? {
    numbers.flatMap {
      (3...4).contains($0.count) ? Color(red: $0[0], green: $0[1], blue: $0[2], alpha: $0.count == 4 ? $0[3] : 1) : nil
    }
  }
}

extension ParameterValue: Hashable {
  /// Whether both values are equal. `.integer(2)` equals `.number(2)`.
  public static func == (left: ParameterValue, right: ParameterValue) -> Bool {
    switch (left.canonical, right.canonical) {
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    default: false
    }
  }

  /// Hashes equal values alike.
  public func hash(into hasher: inout Hasher) {
    switch canonical {
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    case .data(let bytes): hasher.combine(bytes)
    }
  }

  /// The value with integral numbers as integers.
  private var canonical: ParameterValue {
    guard case .number(let value) = self, let whole = Int(exactly: value) else { return self }
    return .integer(whole)
  }
}

extension ParameterValue: Codable {
  /// The largest number of lists inside each other that are decoded. Points and colors are lists of numbers.
  private static let mostNestedLists = 8

  /// The key for a decoder's information about the time at which decoding values fails, a `ContinuousClock.Instant`. There is no
  /// such time by default.
  package static let expiryKey = CodingUserInfoKey(rawValue: "CompositorParameterValueExpiry")

  /// Decodes a JSON value.
  ///
  /// - Throws: `DecodingError` for any other value, and for more than 8 lists inside each other.
  public init(from decoder: any Decoder) throws {
    try self.init(from: decoder, depth: 0)
  }

  /// - Parameter depth: The number of lists that contain the value.
  private init(from decoder: any Decoder, depth: Int) throws {
    if let key = Self.expiryKey, let expiry = decoder.userInfo[key] as? ContinuousClock.Instant, ContinuousClock.now >= expiry {
      throw Self.error("Decoding takes too long.", decoder)
    }
    // Other kinds are found by trying, whose cost grows with the number of lists around them.
    if var elements = try? decoder.unkeyedContainer() {
      guard depth < Self.mostNestedLists else { throw Self.error("There are too many lists inside each other.", decoder) }
      var values: [ParameterValue] = []
      while !elements.isAtEnd { values.append(try ParameterValue(from: try elements.superDecoder(), depth: depth + 1)) }
      self = .list(values)
      return
    }
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
      self = .data(try container.decode(EncodedBytes.self).bytes)
    }
  }

  private static func error(_ reason: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: reason))
  }

  /// Encodes a JSON value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .data(let bytes): try container.encode(EncodedBytes(bytes))
    }
  }

  /// Bytes in JSON: `{"hex": "00ff"}`.
  private struct EncodedBytes: Codable {
    private var hex: String

    init(_ bytes: [UInt8]) {
      let digits = Array("0123456789abcdef".utf8)
      hex = String(unsafeUninitializedCapacity: bytes.count * 2) { text in
        for (index, byte) in bytes.enumerated() {
          text[2 * index] = digits[Int(byte >> 4)]
          text[2 * index + 1] = digits[Int(byte & 15)]
        }
        return bytes.count * 2
      }
    }

    /// Anything that is no digit counts as 0.
    var bytes: [UInt8] {
      let digits = hex.utf8.map { digit in
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: 0 as UInt8
        }
      }
      return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }
}

/// The description of one parameter.
public struct ParameterDescription: Hashable, Sendable, Codable {
  /// The kind of value, with its bounds.
  public enum Kind: Hashable, Sendable, Codable {
    /// A Boolean.
    case bool
    /// An integer in a closed range.
    case integer(minimum: Int, maximum: Int)
    /// A number in a closed range, with its unit (`px`, `degrees`, `fraction`).
    case number(minimum: Double, maximum: Double, unit: String)
    /// Any string.
    case string
    /// A number, or a string that contains an expression in the language of the library that evaluates it.
    case expression
    /// One of several enumerated values.
    case choice([String])
    /// An easing: a string in the syntax of ``Easing/init(_:)``.
    case easing
    /// A color: a list of 3 or 4 numbers 0 … 1, sRGB.
    case color
    /// A point: a list of 2 numbers, in pixels of the composition or in fractions of it; see
    /// ``ParameterDescription/isRelative``.
    case point
    /// A text file of limited size. The edit contains the path; the host reads the file and passes its contents to the
    /// compositor.
    case textFile(maximumByteCount: Int)
    /// Any file of limited size. The edit contains the path; the host reads the file and passes its bytes to the compositor, none
    /// if the edit names no file.
    case file(maximumByteCount: Int)

    /// The largest size of a file of either kind, in bytes; `nil` for other kinds.
    package var fileLimit: Int? {
      switch self {
      case .textFile(let limit), .file(let limit): limit
      default: nil
      }
    }

    /// Whether values of this kind can be interpolated: integers (rounded to the nearest), numbers, expressions (as numbers),
    /// colors and points.
    public var isInterpolatable: Bool {
      switch self {
      case .integer, .number, .expression, .color, .point: true
      case .bool, .string, .choice, .easing, .textFile, .file: false
      }
    }
  }
  /// The key, unique in the compositor.
  public var key: String
  /// The kind of value and its bounds.
  public var kind: Kind
  /// The value if none is given; `nil` if the parameter is required.
  public var defaultValue: ParameterValue?
  /// A one-sentence description of what the parameter does.
  public var summary: String
  /// Whether the value may change over time, in which case the compositor reads it from each request's instruction. It has no
  /// effect unless ``Kind/isInterpolatable`` is true. See ``canChange``.
  public var isAnimatable: Bool
  /// Alternative keys, such as abbreviations.
  public var aliases: [String] = []
  /// The name under which a user interface shows the parameter, such as "Blur radius"; empty for the key.
  public var label = ""
  /// The group in which a user interface shows the parameter, such as "Light"; empty for none.
  public var group = ""
  /// How a user interface should present the parameter.
  public var hint = Hint.none
  /// Whether a point is in fractions of the composition's width and height: 0.5, 0.5 is its center. Projects may write
  /// percentages then.
  public var isRelative = false

  /// How a user interface should present a number.
  public enum Hint: String, Hashable, Sendable, Codable, CaseIterable {
    /// In the standard way for its kind.
    case none
    /// On a logarithmic scale.
    case logarithmic
    /// As an angle.
    case angle
    /// As a percentage, where 1 is 100 %.
    case percent
  }

  /// Whether the parameter accepts keyframes: it is animatable, and its kind can be interpolated.
  public var canChange: Bool { isAnimatable && kind.isInterpolatable }

  /// Creates a description.
  public init(
    _ key: String, _ kind: Kind, default defaultValue: ParameterValue? = nil, isAnimatable: Bool = false, summary: String
  ) {
    self.key = key
    self.kind = kind
    self.defaultValue = defaultValue
    self.summary = summary
    self.isAnimatable = isAnimatable
  }

  /// Decodes a description. A parameter isn't animatable by default.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    key = try container.decode(String.self, forKey: .key)
    kind = try container.decode(Kind.self, forKey: .kind)
    defaultValue = try container.decodeIfPresent(ParameterValue.self, forKey: .defaultValue)
    summary = try container.decode(String.self, forKey: .summary)
    isAnimatable = try container.decodeIfPresent(Bool.self, forKey: .isAnimatable) ?? false
    aliases = try container.decodeIfPresent([String].self, forKey: .aliases) ?? []
    label = try container.decodeIfPresent(String.self, forKey: .label) ?? ""
    group = try container.decodeIfPresent(String.self, forKey: .group) ?? ""
    hint = try container.decodeIfPresent(Hint.self, forKey: .hint) ?? .none
    isRelative = try container.decodeIfPresent(Bool.self, forKey: .isRelative) ?? false
  }
}

/// Values of some of a compositor's parameters under a name, which a user interface offers together.
public struct ParameterPreset: Hashable, Sendable, Codable {
  /// The name for people, unique in the compositor.
  public var name: String
  /// A one-sentence description; empty for none.
  public var summary: String
  /// The values. Parameters that it doesn't list have their defaults.
  public var values: ParameterValues

  /// Creates a preset.
  public init(_ name: String, _ values: ParameterValues, summary: String = "") {
    (self.name, self.values, self.summary) = (name, values, summary)
  }
}
