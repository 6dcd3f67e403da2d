import CompositorAPI
import Foundation
import Testing

@Test func policy_absentParts_haveTheStandardsValues() throws {
  let empty = try JSONDecoder().decode(ColorConversionPolicy.self, from: Data("{}".utf8))
  #expect(empty == .standard)
  let some = try JSONDecoder().decode(
    ColorConversionPolicy.self, from: Data(#"{"toneMapping": "reinhard", "diffuseWhite": 100}"#.utf8))
  #expect(some.toneMapping == .reinhard && some.diffuseWhite == 100 && some.hlgPeakLuminance == 1000)
}

@Test func videoComposition_withoutAPolicy_hasTheStandardOne() throws {
  let video = VideoComposition(frameDuration: time(1, 25), renderSize: PixelSize(width: 2, height: 2))
  let text = String(decoding: try JSONEncoder().encode(video), as: UTF8.self)
  let start = try #require(text.range(of: #""colorConversion":{"#))
  let end = try #require(text.range(of: "}", range: start.upperBound..<text.endIndex))
  var shorter = text
  shorter.removeSubrange(start.lowerBound..<end.upperBound)
  shorter = shorter.replacingOccurrences(of: ",,", with: ",").replacingOccurrences(of: "{,", with: "{")
    .replacingOccurrences(of: ",}", with: "}")
  #expect(try JSONDecoder().decode(VideoComposition.self, from: Data(shorter.utf8)) == video)
}

@Test(arguments: ["diffuseWhite", "hlgPeakLuminance", "sdrPeakLuminance"])
func policy_luminanceOutOfRange_isRefused(key: String) {
  for value in ["0", "-5", "1e9"] {
    #expect(throws: CompositorError.self) {
      try JSONDecoder().decode(ColorConversionPolicy.self, from: Data(#"{"\#(key)": \#(value)}"#.utf8))
    }
  }
  var policy = ColorConversionPolicy.standard
  policy.diffuseWhite = .nan
  #expect(throws: CompositorError.self) { try policy.validate() }
}

/// ITU-R BT.2100 table 5 and BT.2390 table 3.
@Test func systemGamma_byPeak_isTheStandards() {
  for (peak, gamma) in [(400.0, 1.03), (600, 1.11), (800, 1.16), (1000, 1.2), (1500, 1.27), (2000, 1.33)] {
    #expect(abs(ColorConversionPolicy(hlgPeakLuminance: peak).hlgSystemGamma - gamma) < 0.006)
  }
  #expect(abs(ColorConversionPolicy(hlgPeakLuminance: 4000).hlgSystemGamma - 1.2 * 1.111 * 1.111) < 1e-12)
}
