import CompositorAPI
import Testing

/// Numbers with a decimal comma, as they are written with a point.
struct WrittenDecimalTests {
  @Test(arguments: [
    ("2,5", "2.5"), ("-2,5", "-2.5"), ("0,5s", "0.5s"), ("1.234,50", "1234.50"), ("-1.234.567,8", "-1234567.8"),
    ("1 234,5", "1234.5"),
    ("1\u{a0}234,5 %", "1234.5 %"), ("1\u{202f}234,5", "1234.5"), ("1’234,5", "1234.5"), ("12.345,6s", "12345.6s"),
  ])
  func commas_becomePoints(text: String, point: String) { #expect(WrittenDecimal.withPoint(text) == point) }

  @Test(arguments: [
    "2.5", "1,2,3", ",5", "5,", "a,5", "1.23,4", "1234.567,8", "1.2345,6", "1.234 567,8", "1.234", "1..234,5", ".234,5",
    "--1,5", "",
  ])
  func otherTexts_arenT(text: String) { #expect(WrittenDecimal.withPoint(text) == nil) }
}
