public import CompositorAPI

/// A point on the Earth (WGS 84), in the notation of ISO 6709: `+48.2082+016.3738/`.
public struct GeographicLocation: Hashable, Sendable {
  /// Latitude in degrees north, −90 to 90.
  public let latitude: Double
  /// Longitude in degrees east, −180 to 180.
  public let longitude: Double
  /// Altitude in meters above the ellipsoid; `nil` if unknown.
  public let altitude: Double?

  /// Creates a location.
  ///
  /// - Throws: `.invalidValue` for numbers out of range.
  public init(latitude: Double, longitude: Double, altitude: Double? = nil) throws(CompositorError) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), abs(altitude ?? 0) < 32_768 else {
      throw CompositorError(
        .invalidValue, "There is no location at \(latitude), \(longitude)\(altitude.map { ", \($0) m" } ?? "").",
        recoverySuggestion: "Give a latitude from -90 to 90 and a longitude from -180 to 180, in degrees.")
    }
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
  }

  /// Parses decimal degrees such as `+48.2082+016.3738+171.000/`; the slash is optional.
  ///
  /// - Throws: `.invalidValue` for anything else.
  public init(iso6709 text: String) throws(CompositorError) {
    var numbers: [Double] = []
    var rest = text.hasSuffix("/") ? text.dropLast() : text[...]
    while let sign = rest.first, sign == "+" || sign == "-" {
      let digits = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = Double(digits) else { break }
      numbers.append(sign == "-" ? -number : number)
      rest = rest.dropFirst(1 + digits.count)
    }
    guard rest.isEmpty, (2...3).contains(numbers.count) else {
      throw CompositorError(
        .invalidValue, "“\(text)” is not a location.",
        recoverySuggestion: "Write degrees north and east as ISO 6709 does: +48.2082+016.3738/.")
    }
    try self.init(latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
  }

  /// The location in ISO 6709 for players, to a ten-thousandth of a degree (about 11 m), as phones write it.
  public var iso6709: String {
    let height = altitude.map { Self.signed($0, wholeDigits: 3, decimals: 3) } ?? ""
    return Self.signed(latitude, wholeDigits: 2, decimals: 4) + Self.signed(longitude, wholeDigits: 3, decimals: 4) + height
      + "/"
  }

  private static func signed(_ value: Double, wholeDigits: Int, decimals: Int) -> String {
    let scale = decimals == 4 ? 10_000 : 1000
    let (whole, fraction) = Int((abs(value) * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
    func padded(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
    return (value < 0 ? "-" : "+") + padded(whole, wholeDigits) + "." + padded(fraction, decimals)
  }
}
