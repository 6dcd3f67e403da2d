/// Values for a compositor's parameters, by key.
public typealias ParameterValues = [String: ParameterValue]

/// A parameter's value. An integer equals the same number written as a number, as in JSON.
public enum ParameterValue: Sendable {
  /// True or false.
  case bool(Bool)
  /// An integer.
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

  /// The numbers of a list that contains nothing else; nil for other kinds.
  public var numbers: [Double]? {
    guard case .list(let items) = self else { return nil }
    let numbers = items.compactMap(\.number)
    return numbers.count == items.count ? numbers : nil
  }

  /// A point, in pixels of the composition.
  public static func point(_ point: Point) -> ParameterValue { .list([.number(point.x), .number(point.y)]) }

  /// A color, in sRGB.
  public static func color(_ color: Color) -> ParameterValue {
    .list([color.red, color.green, color.blue, color.alpha].map { .number($0) })
  }

  /// The point of a list of two numbers; nil for other values.
  public var point: Point? { numbers.flatMap { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil } }

  /// The color of a list of three or four numbers, opaque without the fourth; nil for other values.
  public var color: Color? {
    numbers.flatMap {
      (3...4).contains($0.count) ? Color(red: $0[0], green: $0[1], blue: $0[2], alpha: $0.count == 4 ? $0[3] : 1) : nil
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

  /// The value with integers as integers.
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
    /// An integer in a closed range.
    case integer(minimum: Int, maximum: Int)
    /// A number in a closed range, with its unit (`px`, `degrees`, `fraction`).
    case number(minimum: Double, maximum: Double, unit: String)
    /// Any text.
    case string
    /// A number, or a text that is an expression in the language of the library that evaluates it.
    case expression
    /// One of several words.
    case choice([String])
    /// An easing, a string that ``Easing/init(_:)`` reads.
    case easing
    /// A color: a list of 3 or 4 numbers 0 … 1, sRGB.
    case color
    /// A point: a list of 2 numbers, in pixels of the composition.
    case point
    /// A text file of at most so many bytes. Who writes an edit gives its path; the host reads it, and the compositor is
    /// given the text.
    case textFile(maximumByteCount: Int)

    /// Whether there are values between two values: of integers (rounded to the nearest), numbers, expressions (as numbers), colors
    /// and points.
    public var isInterpolatable: Bool {
      switch self {
      case .integer, .number, .expression, .color, .point: true
      case .bool, .string, .choice, .easing, .textFile: false
      }
    }
  }
  /// The key.
  public var key: String
  /// Kind and bounds.
  public var kind: Kind
  /// The value where none is given; nil where one must be given.
  public var defaultValue: ParameterValue?
  /// What it does, one sentence.
  public var summary: String
  /// Whether the value may change over time: the compositor then takes it from each request's instruction. Integers, numbers,
  /// expressions, colors and points can; of other kinds it has no effect. See ``canChange``.
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

  /// Whether keyframes may be given: the parameter is animatable, and of a kind that has values between two values.
  public var canChange: Bool { isAnimatable && kind.isInterpolatable }

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
