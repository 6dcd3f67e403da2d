import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Numbers and dates as locales write them, compared with those of another program, `Intl` of Node.
struct LocaleTextTests {
  /// A row of Fixtures/locale-texts.json.
  private struct Row: Decodable {
    let locale, text: String
    let style, currency, dateStyle, timeStyle, skeleton: String?
    let value: Double?
    let minimum, maximum: Int?

    var generator: TextGenerator {
      get throws {
        guard let style else {
          return .date(
            try DateFormat(
              "2026-11-29T18:30:15", locale: locale, dateStyle: DateFormat.Style(rawValue: dateStyle ?? ""),
              timeStyle: DateFormat.Style(rawValue: timeStyle ?? ""), skeleton: skeleton == "" ? nil : skeleton))
        }
        return .localizedNumber(
          try NumberFormat(
            locale: locale, style: try #require(NumberFormat.Style(rawValue: style)), currency: currency ?? "",
            fractionDigits: minimum == -1 ? nil : minimum, maximumFractionDigits: maximum == -1 ? nil : maximum))
      }
    }
  }

  private static func rows() throws -> [Row] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/locale-texts.json")
    return try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
  }

  @Test func texts_areThoseOfIntl() throws {
    let rows = try Self.rows()
    #expect(rows.count > 500)
    for row in rows {
      var text = try row.generator.text(value: row.value ?? 0, at: 0)
      // Node writes a plain space before AM and PM, for pages that expect it.
      if row.timeStyle != nil { text = text.replacing("\u{202f}", with: " ") }
      #expect(text == row.text, "\(row)")
    }
  }

  private static func text(
    _ value: Double, _ locale: String = "en-US", _ style: NumberFormat.Style = .decimal, currency: String = "",
    digits: Int? = nil, most: Int? = nil, integers: Int = 1, groups: Bool = true, _ rounding: NumberRounding = .nearest
  ) throws -> String {
    TextGenerator.localizedNumber(
      try NumberFormat(
        locale: locale, style: style, currency: currency, fractionDigits: digits, maximumFractionDigits: most,
        minimumIntegerDigits: integers, isGrouped: groups, rounding: rounding)
    ).text(value: value, at: 0)
  }

  @Test func numbers_areRoundedAsWithoutALocale() throws {
    for rounding in NumberRounding.allCases {
      for digits in 0...3 {
        let plain = TextGenerator.number(
          fractionDigits: digits, minimumIntegerDigits: 2, grouping: ",", rounding: rounding)
        for value in [0, 0.5, -0.5, 2.675, -2.675, 9.9999999999, 1e6 - 1e-9, -0.0004, 1234.5678, -98765.4321, 4e15] {
          let text = try Self.text(value, digits: digits, integers: 2, rounding)
          #expect(text == plain.text(value: value, at: 0), "\(value), \(digits) digits, \(rounding)")
        }
      }
    }
  }

  @Test func numbers_haveTheDigitsThatAreAskedFor() throws {
    #expect(try Self.text(1234.5, digits: 0, most: 2) == "1,234.5")
    #expect(try Self.text(1234, digits: 0, most: 2) == "1,234")
    #expect(try Self.text(1234.5, groups: false) == "1235")
    #expect(try Self.text(7, "ar-EG", integers: 3) == "٠٠٧")
    #expect(try Self.text(0.5, "en-US", .percent) == "50%")
    #expect(try Self.text(1_250_000, "en-US", .compact) == "1.3M")
    #expect(try Self.text(999_999.9, "en-US", .compact, .floor) == "999K")
    #expect(try Self.text(12.5, "de-DE", .currency, currency: "eur", digits: 0) == "13\u{a0}€")
    #expect(try Self.text(.infinity).hasPrefix("9,") && Self.text(.nan) == "0")
  }

  @Test func locales_thatDoNotExist_areErrors() throws {
    for generator in [
      TextGenerator.localizedNumber(try NumberFormat(locale: "xx")),
      .localizedNumber(try NumberFormat(locale: "de", style: .currency, currency: "ZQX")),
      .date(try DateFormat("2026-11-29", locale: "de_DE!")), .localizedNumber(try NumberFormat(locale: "")),
    ] {
      var text = TextContent("")
      text.generator = generator
      text.allowsFontSubstitution = true
      let error = try #require(throws: CompositorError.self) { try FontLibrary().require(text) }
      #expect(error.code == .invalidValue && error.message.hasPrefix("There is no"), "\(error)")
    }
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-1-1", "26-01-01", "2026-11-29T24:00", "2026-11-29T12", "2026-11-29T12:60", "tomorrow",
    "2026-11-29 12:00", "",
  ])
  func dates_thatDoNotExist_areErrors(date: String) {
    #expect(throws: CompositorError.self) { _ = try DateFormat(date, locale: "de") }
  }

  @Test(arguments: [
    ("2026-02-30", "There is no \"2026-02-30\": that month has 28 days.", "\"2026-02-28\""),
    ("2024-02-31", "that month has 29 days", "\"2024-02-29\""),
    ("2026-04-31T10:00", "There is no \"2026-04-31\"", "\"2026-04-30\""),
    ("2026-11-29T18:30Z", "has a time zone", "\"2026-11-29T18:30\""),
    ("2026-02-32", "that month has 28 days", "\"2026-02-28\""),
    ("2026-13-31", "isn't a date", "after a T"), ("29.11.2026", "isn't a date", "after a T"),
    ("tomorrowZ", "isn't a date", "after a T"),
  ])
  func dates_thatDoNotExist_areExplained(date: String, message: String, advice: String) throws {
    let error = try #require(throws: CompositorError.self) { _ = try DateFormat(date, locale: "de") }
    #expect(error.message.contains(message) && error.recoverySuggestion?.contains(advice) == true, "\(error)")
  }

  @Test(arguments: [("de_DE", "Write \"de-DE\""), ("zh_Hant_TW", "Write \"zh-Hant-TW\""), ("q_Q", "Write a language")])
  func locales_withUnderscores_areExplained(locale: String, advice: String) throws {
    var text = TextContent("")
    text.generator = .localizedNumber(try NumberFormat(locale: locale))
    let error = try #require(throws: CompositorError.self) { try FontLibrary().require(text) }
    #expect(error.recoverySuggestion?.hasPrefix(advice) == true, "\(error)")
  }

  /// Foundation's calendar is another one.
  @Test func dates_haveTheDayOfTheWeekOfTheCalendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    for (year, month, day) in [
      (1970, 1, 1), (2000, 2, 29), (1999, 12, 31), (2024, 3, 1), (2100, 3, 1), (1600, 2, 29), (2026, 11, 29),
    ] {
      let date = try #require(calendar.date(from: DateComponents(year: year, month: month, day: day)))
      let text = String(format: "%04d-%02d-%02d", year, month, day)
      let shown = TextGenerator.date(try DateFormat(text, locale: "en-US", skeleton: "EEEE")).text(value: 0, at: 0)
      #expect(shown == names[calendar.component(.weekday, from: date) - 1], "\(text)")
    }
  }

  @Test(arguments: [
    #"{"number":{"locale":"de-DE","style":"currency","currency":"EUR","minimumIntegerDigits":1,"rounding":"nearest"}}"#,
    #"{"number":{"locale":"en","style":"decimal","maximumFractionDigits":2,"minimumIntegerDigits":3,"grouping":"","rounding":"floor"}}"#,
    #"{"date":{"date":"2026-11-29T18:30","locale":"de","dateStyle":"short","timeStyle":"medium"}}"#,
    #"{"date":{"date":"2026-11-29","locale":"de","skeleton":"yMMMd"}}"#,
  ])
  func coding_roundTrips(json: String) throws {
    let generator = try JSONDecoder().decode(TextGenerator.self, from: Data(json.utf8))
    let again = try JSONDecoder().decode(TextGenerator.self, from: JSONEncoder().encode(generator))
    #expect(again == generator)
  }

  @Test(arguments: [
    #"{"number":{"style":"percent"}}"#, #"{"number":{"currency":"EUR"}}"#, #"{"number":{"maximumFractionDigits":2}}"#,
    #"{"number":{"locale":"de","grouping":"."}}"#, #"{"number":{"locale":"de","style":"currency"}}"#,
    #"{"number":{"locale":"de","currency":"EUR"}}"#, #"{"number":{"locale":"de","style":"currency","currency":"€"}}"#,
    #"{"number":{"locale":"de","fractionDigits":3,"maximumFractionDigits":1}}"#,
    #"{"number":{"locale":"de","fractionDigits":19}}"#, #"{"date":{"date":"2026-11-29","locale":"de","timeStyle":"short"}}"#,
    #"{"date":{"date":"2026-11-29","locale":"de","skeleton":"jmm"}}"#,
    #"{"date":{"date":"2026-11-29","locale":"de","skeleton":"yM","dateStyle":"long"}}"#,
    #"{"date":{"date":"2026-11-29","locale":"de","skeleton":"d. MMMM"}}"#,
  ])
  func settings_thatContradict_areErrors(json: String) {
    #expect(throws: CompositorError.self) { _ = try JSONDecoder().decode(TextGenerator.self, from: Data(json.utf8)) }
  }

  /// A counter with a locale is drawn with its own digits in every frame.
  @Test func counter_isDrawn() throws {
    let size = PixelSize(width: 300, height: 300)
    var text = TextContent("", font: TextFont(family: "DejaVu Sans", size: 30))
    text.generator = .localizedNumber(try NumberFormat(locale: "ar-EG"))
    var layer = Layer(frame: Rect(x: 10, y: 10, width: 180, height: 40))
    layer.content = .text(text)
    layer.animations = [.basic(.textValue, from: 0, to: 90, timing: LayerTiming(duration: 9))]
    let inks = try (0..<3).map {
      TextDirectionTests.ink(try Canvas.draw([layer], over: Canvas.frame(size, .rgba), at: Double($0) * 2))
    }
    #expect(Set(inks.map { [$0.x0, $0.x1, $0.y0, $0.y1] }).count == 3)
  }
}
