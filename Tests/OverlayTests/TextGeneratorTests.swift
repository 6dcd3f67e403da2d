import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Numbers and durations as text.
struct TextGeneratorTests {
  @Test(arguments: [
    ("m:ss", 3725.25, "62:05"), ("h:mm:ss", 3725.25, "1:02:05"), ("mm:ss.ff", 3725.25, "62:05.25"), ("s", 3725.25, "3725"),
    ("mm:ss", 5.0, "00:05"), ("hh:mm:ss.fff", 0.5, "00:00:00.500"), ("m:ss.f", 59.99, "0:59.9"), ("h", 7200.0, "2"),
    ("h:mm", 5400.0, "1:30"), ("m", 3599.0, "59"), ("m' ss\"", 65.0, "1' 05\""), ("s.f", 0.0, "0.0"),
  ])
  func duration_byFloor_isWrittenInItsFormat(format: String, seconds: Double, expected: String) throws {
    #expect(try DurationFormat(format).text(seconds: seconds, rounding: .floor) == expected)
  }

  @Test func durations_belowZero_haveASignAndRoundTheOtherWay() throws {
    let format = try DurationFormat("m:ss")
    #expect(format.text(seconds: -5.5, rounding: .floor) == "-0:06")
    #expect(format.text(seconds: -5.5, rounding: .ceiling) == "-0:05")
    #expect(format.text(seconds: -0.4, rounding: .ceiling) == "0:00" && format.text(seconds: -0.4, rounding: .floor) == "-0:01")
    #expect(format.text(seconds: -65.4, rounding: .nearest) == "-1:05")
    #expect(
      format.text(seconds: 59.6, rounding: .nearest) == "1:00" && format.text(seconds: 59.2, rounding: .ceiling) == "1:00")
  }

  @Test(arguments: ["", "abc", "ss:mm", "h:ss", "m:ss:m", "f", "ffffffffffs", "m:ss pm"])
  func format_thatIsNone_isRefused(format: String) {
    #expect(throws: CompositorError.self) { try DurationFormat(format) }
  }

  @Test(arguments: [24.0, 25, 30, 30000.0 / 1001, 50, 60]) func countdown_byCeiling_isRightAtEveryFrame(rate: Double) throws {
    var text = TextContent()
    text.generator = .duration(try DurationFormat("m:ss"), rounding: .ceiling)
    var layer = Layer()
    layer.content = .text(text)
    layer.animations = [
      .basic(.textValue, from: 10, to: 0, timing: LayerTiming(duration: 10, fillMode: .both))
    ]
    var seen: [String] = []
    for frame in 0..<Int(10 * rate) {
      let time = Double(frame) / rate
      let node = try #require(try LayerEvaluator.evaluate(layer, at: time) { _ in .zero })
      guard case .text(let shown) = node.layer.content else { continue }
      // Exactly: the second that has begun, counted from its end.
      let left = 10 - Int((Double(frame) / rate + 1e-9).rounded(.down))
      #expect(shown.string == (left == 10 ? "0:10" : "0:0\(left)"), "frame \(frame)")
      if seen.last != shown.string { seen.append(shown.string) }
    }
    #expect(seen == ["0:10", "0:09", "0:08", "0:07", "0:06", "0:05", "0:04", "0:03", "0:02", "0:01"])
  }

  @Test func number_isRoundedAsAsked() {
    func text(_ value: Double, _ rounding: NumberRounding, digits: Int = 0) -> String {
      TextGenerator.number(fractionDigits: digits, minimumIntegerDigits: 1, grouping: ",", rounding: rounding)
        .text(value: value, at: 0)
    }
    #expect(text(1234.5, .nearest) == "1,235" && text(1234.5, .floor) == "1,234" && text(1234.1, .ceiling) == "1,235")
    #expect(text(-1.5, .floor) == "-2" && text(-1.5, .ceiling) == "-1" && text(-0.3, .ceiling) == "0")
    #expect(
      text(0.1 + 0.2, .ceiling, digits: 1) == "0.3" && text(2.9999999999, .floor) == "3"
        && text(0.999, .ceiling, digits: 2) == "1.00")
    #expect(text(999_999.999, .nearest, digits: 2) == "1,000,000.00")
  }

  @Test func generators_areReadAndWritten() throws {
    for json in [
      #"{"number":{"fractionDigits":1,"minimumIntegerDigits":2,"grouping":" ","rounding":"ceiling"}}"#,
      #"{"duration":{"format":"h:mm:ss","rounding":"nearest"}}"#, #"{"duration":{"format":"s.f"}}"#, #"{"number":{}}"#,
    ] {
      let generator = try JSONDecoder().decode(TextGenerator.self, from: Data(json.utf8))
      let back = try JSONDecoder().decode(TextGenerator.self, from: try JSONEncoder().encode(generator))
      #expect(back == generator)
    }
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(TextGenerator.self, from: Data(#"{"duration":{"format":"abc"}}"#.utf8))
    }
  }
}
