import CompositorAPI
import CompositorHost
import CompositorMediaWriting
import CompositorTimeline

/// A value of a project with its location, for reading with located error messages.
struct ProjectValue {
  let node: JSON5Node
  let path: NodePath
  let text: SourceText
  /// Receives observations about the project; `nil` if nothing is recorded.
  var notes: ProjectNotes?
  /// The shape that the schema gives the value; `nil` if the schema doesn't describe it.
  var shape: ValueShape?

  /// The root of a document.
  static func root(of document: JSON5Node, _ text: SourceText, notes: ProjectNotes? = nil) -> ProjectValue {
    ProjectValue(node: document, path: .root, text: text, notes: notes)
  }

  /// A value inside this one.
  func inner(_ node: JSON5Node, _ path: NodePath, shape: ValueShape? = nil) -> ProjectValue {
    ProjectValue(node: node, path: path, text: text, notes: notes, shape: shape)
  }

  func error(_ message: String, recoverySuggestion: String? = nil) -> CompositorError {
    error(message, advice: recoverySuggestion.map { Advice($0) })
  }

  /// The same with advice that may be a value to write.
  func error(_ message: String, advice: Advice?) -> CompositorError {
    located(message + (node.variableOrigin ?? ""), advice: advice)
  }

  private func located(_ message: String, advice: Advice?) -> CompositorError {
    let place = path.description
    return text.error(message, advice: advice, atByte: node.offset, path: place.isEmpty ? nil : place)
  }

  /// The error for a value of the wrong kind.
  ///
  /// - Parameter wanted: The kind, as the message names it.
  func mismatch(_ wanted: String, advice: Advice? = nil) -> CompositorError {
    error("Expected \(wanted), but found \(node.kind).", advice: advice)
  }

  /// The error for a value that isn't a list.
  private func notList() -> CompositorError {
    var isObject = false
    if case .object = node.value { isObject = true }
    if path.isKey("cornerRadii"), let advice = DisplacedPart.advice(onRadii: node) { return mismatch("a list", advice: advice) }
    return mismatch("a list", advice: isObject ? "Write it in brackets: [{ … }]." : "Write it in brackets: [ ].")
  }

  /// The error for a value that isn't an object.
  ///
  /// - Parameter summary: What the object describes, for the message.
  private func notObject(_ summary: String?, advice: Advice?) -> CompositorError {
    mismatch("an object" + (summary.map { " (\($0))" } ?? ""), advice: advice ?? "Write its keys in braces: { }.")
  }

  /// Adds this value's location to errors.
  func placing<T>(_ body: () throws(CompositorError) -> T) throws(CompositorError) -> T {
    do {
      return try body()
    } catch {
      // A located error has already said where its value comes from.
      throw error.location.documents.isEmpty
        ? self.error(error.message, advice: error.advice) : located(error.message, advice: error.advice)
    }
  }

  func object(_ shape: ObjectShape) throws(CompositorError) -> ProjectObject {
    guard case .object(let written) = node.value else {
      var advice: Advice?
      if case .string(let text) = node.value { advice = DisplacedPart.advice(onText: text, for: shape) }
      throw notObject(shape.summary, advice: advice)
    }
    return ProjectObject(value: self, shape: shape, members: try checked(written, shape))
  }

  /// The members, checked for valid keys.
  private func checked(_ members: [JSON5Member], _ shape: ObjectShape) throws(CompositorError) -> [JSON5Member] {
    for member in members where shape.others == nil && !shape.hasKey(member.key) {
      throw error("There is no key \(quoted(member.key)) here.", ofKey: member, in: shape)
    }
    return members
  }

  /// The values of arbitrary keys, in text order.
  func map() throws(CompositorError) -> [(key: String, value: ProjectValue)] {
    guard case .object(let members) = node.value else {
      var advice: Advice?
      if case .string(let text) = node.value, path.isKey("font") {
        advice = DisplacedPart.advice(onText: text, for: ProjectSchema.shape("font"))
      }
      if path.isKey("padding") { advice = DisplacedPart.advice(onPadding: node) }
      throw notObject(nil, advice: advice)
    }
    return members.map { ($0.key, inner($0.value, .key(path, $0.key))) }
  }

  func list() throws(CompositorError) -> [ProjectValue] {
    let element = elementShape
    return try elements().enumerated().map { inner($1, .index(path, $0), shape: element) }
  }

  /// The shape of the elements of a list of any length.
  var elementShape: ValueShape? {
    for case .list(let element, _, _) in shape?.alternatives ?? [] { return element }
    return nil
  }

  /// The elements of a list, without their locations.
  func elements() throws(CompositorError) -> [JSON5Node] {
    guard case .array(let elements) = node.value else { throw notList() }
    return elements
  }

  func list(ofCount count: Int, _ wanted: String) throws(CompositorError) -> [ProjectValue] {
    let elements = try list()
    guard elements.count == count else { throw error("Expected \(wanted), but found \(elements.count) values.") }
    return elements
  }

  var isList: Bool { if case .array = node.value { true } else { false } }
  /// Whether it is a list of objects, as keyframes are, rather than one of numbers.
  var isKeyframes: Bool {
    guard case .array(let elements) = node.value, case .object? = elements.first?.value else { return false }
    return true
  }
  var isObject: Bool { if case .object = node.value { true } else { false } }
  var isText: Bool { if case .string = node.value { true } else { false } }
  var isNull: Bool { if case .null = node.value { true } else { false } }
  var isBool: Bool { if case .bool = node.value { true } else { false } }

  func string() throws(CompositorError) -> String {
    guard case .string(let string) = node.value else {
      throw mismatch("a string in quotes", advice: DisplacedPart.advice(onObjectForText: node))
    }
    return string
  }

  func bool() throws(CompositorError) -> Bool {
    guard case .bool(let bool) = node.value else { throw mismatch("true or false") }
    return bool
  }

  func choice<Choice: RawRepresentable>(_ choices: [Choice]) throws(CompositorError) -> Choice
  where Choice.RawValue == String {
    let word = try string()
    guard let choice = choices.first(where: { $0.rawValue == word }) else {
      throw error("\(quoted(word)) is not possible here.", for: word, among: choices.map(\.rawValue))
    }
    return choice
  }
}

extension ProjectValue {
  /// A number in the range that the schema gives it.
  func number() throws(CompositorError) -> Double {
    for alternative in shape?.alternatives ?? [] {
      switch alternative {
      case .number(let range): return try number(range)
      case .factor(let range): return try factor(range)
      default: continue
      }
    }
    preconditionFailure("the schema has no range of numbers for \(path)")
  }

  func number(_ range: ClosedRange<Double>) throws(CompositorError) -> Double {
    try number(range, isFactor: range.upperBound == 1)
  }

  /// A number of which 1 is 100 %, whatever its range.
  func factor(_ range: ClosedRange<Double>) throws(CompositorError) -> Double { try number(range, isFactor: true) }

  /// - Parameter isFactor: Whether 1 is 100 %, for the advice on percentages.
  private func number(_ range: ClosedRange<Double>, isFactor: Bool) throws(CompositorError) -> Double {
    if case .string(let text) = node.value, let number = WrittenNumber(text) {
      throw mismatch("a number", advice: Advice(number.advice(asFraction: isFactor)))
    }
    if case .string(let text) = node.value, let point = WrittenDecimal.withPoint(text), Double(point) != nil {
      throw mismatch("a number", advice: .write(.word(point)))
    }
    if let value = try numberOfExpression() {
      guard range.contains(value.value) else { throw outside(Self.text(range), value.plain) }
      return value.value
    }
    guard case .number(let digits) = node.value else {
      throw mismatch("a number", advice: range.upperBound < 1e5 ? "Write one from \(Self.text(range))." : nil)
    }
    guard let number = JSON5Node.double(digits), number.isFinite else { throw error("\(digits) is not a finite number.") }
    guard range.contains(number) else { throw outside(Self.text(range), digits) }
    return number
  }

  private static func text(_ range: ClosedRange<Double>) -> String {
    [range.lowerBound, range.upperBound].map { "\($0)".replacing(/\.0$/, with: "") }.joined(separator: " to ")
  }

  /// The integers that the schema allows.
  var integers: ClosedRange<Int> {
    for case .integer(let range) in shape?.alternatives ?? [] { return range }
    preconditionFailure("the schema has no range of integers for \(path)")
  }

  /// An integer in the range that the schema gives it.
  func integer(named names: [String: Int] = [:]) throws(CompositorError) -> Int { try integer(integers, named: names) }

  /// An integer in a range.
  ///
  /// - Parameter names: Words, in lowercase, that people write for some integers, for the advice.
  func integer(_ range: ClosedRange<Int>, named names: [String: Int] = [:]) throws(CompositorError) -> Int {
    if case .string(let text) = node.value, let number = names[text.lowercased()] ?? Int(text), range.contains(number) {
      throw mismatch("an integer", advice: .write(.word("\(number)")))
    }
    if let value = try numberOfExpression() {
      guard value.denominator == 1 else { throw error("The expression is \(value.plain), not an integer.") }
      guard range.contains(value.numerator) else { throw outside("\(range.lowerBound) to \(range.upperBound)", value.plain) }
      return value.numerator
    }
    guard case .number(let digits) = node.value else { throw mismatch("an integer") }
    guard let number = JSON5Node.integer(digits) else { throw error("\(digits) is not an integer.") }
    guard range.contains(number) else { throw outside(range.readable, digits) }
    return number
  }

  private func outside(_ range: String, _ digits: String) -> CompositorError {
    error("\(digits) is outside \(range).", recoverySuggestion: "Write a number from \(range).")
  }

  /// A number or `N/D`, as an exact ratio > 0 or ≥ 0.
  func ratio(allowingZero: Bool = false) throws(CompositorError) -> Rational {
    let ratio: Rational?
    var advice: Advice = "Write a number, or a string such as \"30000/1001\"."
    switch node.value {
    case .number(let digits): ratio = Rational(printed: digits)
    case .string(let string):
      ratio = try numberOfExpression() ?? Rational(fraction: string)
      if let number = WrittenNumber(string) { advice = Advice(number.advice(asFraction: true)) }
      if let point = WrittenDecimal.withPoint(string) { advice = .write(number: point) }
    default: throw mismatch("a number or a string such as \"30000/1001\"")
    }
    guard let ratio, ratio.numerator > 0 || (allowingZero && ratio.numerator == 0), ratio.numerator <= Int32.max,
      ratio.denominator <= Int32.max
    else {
      throw error(
        "This is not a \(allowingZero ? "" : "positive ")ratio.", advice: advice)
    }
    return ratio
  }

  /// A time; `nil` if it is in frames and `frameRate` is `nil`.
  func time(atKnownFrameRate frameRate: Rational?) throws(CompositorError) -> MediaTime? {
    let time = try time()
    return try placing { () throws(CompositorError) in try time.time(atKnownFrameRate: frameRate) }
  }

  func time() throws(CompositorError) -> ProjectTime {
    switch node.value {
    case .number(let digits) where Rational(decimal: digits)?.numerator == 0: return .seconds(.zero)
    // Seconds of an open shutter are not what an angle or a number of milliseconds means.
    case .number(let digits) where path.isKey("exposure"):
      throw error("The time \(digits) has no unit.", recoverySuggestion: FalseFriend.exposureAdvice)
    case .number(let digits):
      offer("\(digits)s")
      throw error("The time \(digits) has no unit.", recoverySuggestion: ProjectTime.forms)
    case .string(let string):
      return try placing { () throws(CompositorError) in try time(string) }
    default: throw mismatch("a time in quotes")
    }
  }

  /// Parses a string as a time, or as an expression that is one.
  func time(_ text: String) throws(CompositorError) -> ProjectTime {
    let time = try ProjectExpression.isWritten(in: text) ? ExpressionParser.value(of: text, .time).time : ProjectTime(text)
    if time.countsFrames { notes?.countsFrames = true }
    return time
  }

  /// A size such as `1920x1080`, each side 1 … 16,384.
  func size() throws(CompositorError) -> PixelSize {
    let form: Advice = "Write it as \"1920x1080\"."
    guard case .string(let text) = node.value else {
      let sides = node.elements.map { if case .number(let digits) = $0.value { digits } else { "" } }
      throw mismatch("a size in quotes", advice: Self.size(of: sides) ?? form)
    }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1] else {
      let sides = text.split { "xX×*:, ".contains($0) }.map(String.init)
      throw error("This is not a size.", advice: Self.size(of: sides) ?? form)
    }
    let size = PixelSize(width: width, height: height)
    guard size.isRenderable else {
      throw error("A frame has sides of 1 to \(PixelSize.renderableSides.upperBound) pixels.")
    }
    return size
  }

  /// What to write for a size in another notation, such as `[1920, 1080]` or `1920 × 1080`; `nil` for anything else.
  private static func size(of sides: [String]) -> Advice? {
    let numbers = sides.compactMap { Int($0) }
    guard numbers.count == 2, sides.count == 2, PixelSize(width: numbers[0], height: numbers[1]).isRenderable else {
      return nil
    }
    return .write(.string("\(numbers[0])x\(numbers[1])"))
  }

  func color() throws(CompositorError) -> Color {
    let word = try string()
    if let color = Color(notation: word) { return color }
    guard suggestion(for: word, among: Color.notationNames) == nil else {
      throw error("\(quoted(word)) is not a color.", for: word, among: Color.notationNames)
    }
    throw error(
      "\(quoted(word)) is not a color.",
      recoverySuggestion: "Write \"#rrggbb\", \"#rrggbbaa\" or \(Color.notationNames.joined(separator: ", ")).")
  }

  /// A keyframe's value: a number, a point or a color.
  func keyframeValue() throws(CompositorError) -> ParameterValue {
    switch node.value {
    case .number(let digits):
      let number = try number(-1e9...1e9)
      return JSON5Node.integer(digits).map { .integer($0) } ?? .number(number)
    case .string(let word):
      if let number = try numberOfExpression() { return number.parameter }
      guard let color = Color(notation: word) else { throw keyframeError(quoted(word)) }
      return .color(color)
    case .array(let elements) where (2...4).contains(elements.count):
      var numbers: [ParameterValue] = []
      for element in try list() { numbers.append(.number(try element.number(-1e9...1e9))) }
      return .list(numbers)
    default: throw keyframeError(node.kind)
    }
  }

  /// A point in fractions of the canvas: `[0.5, "25%"]`.
  func relativePoint() throws(CompositorError) -> ParameterValue {
    guard case .array(let elements) = node.value, elements.count == 2 else { return try keyframeValue() }
    var numbers: [ParameterValue] = []
    for element in try list() {
      if let value = try element.expression(.fraction) {
        numbers.append(.number(try element.placing { () throws(CompositorError) in try value.fraction.value }))
      } else if case .string(let text) = element.node.value, text.hasSuffix("%"), let percent = Double(text.dropLast()),
        percent.isFinite
      {
        numbers.append(.number(percent / 100))
      } else {
        numbers.append(.number(try element.number(-1e9...1e9)))
      }
    }
    return .list(numbers)
  }

  private func keyframeError(_ found: String) -> CompositorError {
    error(
      "\(found) cannot be a keyframe's value: numbers, points and colors change over time.",
      recoverySuggestion:
        "Write a number, a point such as [320, 180] or a color such as \"#ff8800\"; give anything else one value.")
  }

  func parameter() throws(CompositorError) -> ParameterValue {
    switch node.value {
    case .bool(let bool): return .bool(bool)
    case .string(let string): return .string(string)
    case .number(let digits):
      if let integer = JSON5Node.integer(digits) { return .integer(integer) }
      return .number(try number(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude))
    case .array:
      var values: [ParameterValue] = []
      for element in try list() { values.append(try element.parameter()) }
      return .list(values)
    case .null, .object: throw mismatch("a parameter (true or false, a number, a string or a list)")
    }
  }
}
