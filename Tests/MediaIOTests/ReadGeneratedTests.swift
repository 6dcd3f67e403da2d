import CompositorAPI
import Foundation
import CompositorMediaIO
import Testing

/// Sources made from arithmetic.
struct ReadGeneratedTests {
  func shown(_ source: GeneratedSource, _ time: MediaTime = .zero) throws -> DecodedVideoFrame {
    try #require(try MediaOpener.openVideo(.generated(source)).frame(at: time))
  }

  func sample(_ frame: Frame, plane: Int, x: Int, y: Int) -> UInt8 {
    frame.withRow(y, plane: plane, as: UInt8.self) { $0[x] }
  }

  @Test func color_opaque_hasBT709Codes() throws {
    let red = Color(red: 1, green: 0, blue: 0)
    let frame = try shown(GeneratedSource(pattern: .color(red), size: PixelSize(width: 17, height: 9))).frame
    // BT.709: Y′ = 0.2126, Cb = −0.1146, Cr = 0.5 for pure red.
    #expect(sample(frame, plane: 0, x: 16, y: 8) == 63)
    #expect(sample(frame, plane: 1, x: 8, y: 4) == 102)
    #expect(sample(frame, plane: 2, x: 0, y: 0) == 240)
  }

  @Test func color_translucent_keepsAlphaStraight() throws {
    let half = Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)
    let frame = try shown(GeneratedSource(pattern: .color(half), size: PixelSize(width: 3, height: 2))).frame
    #expect(frame.format == .rgba)
    #expect((0..<4).map { sample(frame, plane: 0, x: 8 + $0, y: 1) } == [255, 128, 0, 128])
  }

  @Test func bars_allSeven_haveTheirLuma() throws {
    let frame = try shown(GeneratedSource(pattern: .bars, size: PixelSize(width: 700, height: 400))).frame
    // 75 % bars of BT.709 in 8 bits, EBU Tech 3320 and SMPTE RP 219.
    let luma: [UInt8] = [180, 168, 145, 133, 63, 51, 28]
    for (bar, expected) in luma.enumerated() { #expect(sample(frame, plane: 0, x: bar * 100 + 50, y: 100) == expected) }
    #expect(sample(frame, plane: 0, x: 0, y: 399) == 16)
    #expect(sample(frame, plane: 0, x: 699, y: 399) == 235)
  }

  @Test func gradient_leftToRight_isEven() throws {
    let pattern = GeneratedSource.Pattern.gradient(from: .black, to: .white, angleDegrees: 0)
    let frame = try shown(GeneratedSource(pattern: pattern, size: PixelSize(width: 220, height: 8))).frame
    for x in 0..<220 { #expect(sample(frame, plane: 0, x: x, y: 3) == UInt8(16 + x)) }
  }

  @Test func clock_everyFrame_isDifferentAndRepeatable() throws {
    let source = GeneratedSource(
      pattern: .clock, size: PixelSize(width: 320, height: 180), frameRate: Rational(30_000, 1001),
      duration: MediaTime(value: 2, timescale: 1))
    let reader = try MediaOpener.openVideo(.generated(source))
    var sums: [UInt32] = []
    for index in 0..<60 {
      let frame = try #require(try reader.frame(at: MediaTime(value: Int64(index) * 1001, timescale: 30_000)))
      #expect(frame.presentationTime == MediaTime(value: Int64(index) * 1001, timescale: 30_000))
      sums.append(checksum(frame.frame))
    }
    #expect(Set(sums).count == 60)
    let again = try MediaOpener.openVideo(.generated(source))
    #expect(checksum(try #require(try again.frame(at: MediaTime(value: 1001, timescale: 1000))).frame) == sums[30])
    // 2 s hold 59.94 frames: the last one is number 59, and is held.
    let last = try #require(try reader.frame(at: MediaTime(value: 5, timescale: 1)))
    #expect(last.presentationTime == MediaTime(value: 59 * 1001, timescale: 30_000))
  }

  @Test func generated_impossibleNumbers_areInvalid() {
    let sources = [
      GeneratedSource(pattern: .bars, size: PixelSize(width: 0, height: 5)),
      GeneratedSource(pattern: .bars, size: PixelSize(width: 20_000, height: 5)),
      GeneratedSource(pattern: .bars, size: PixelSize(width: 16_384, height: 16_384)),
      GeneratedSource(pattern: .bars, frameRate: Rational(0, 1)), GeneratedSource(pattern: .bars, frameRate: Rational(1, 0)),
      GeneratedSource(pattern: .bars, duration: .zero), GeneratedSource(pattern: .bars, duration: .invalid),
    ]
    for source in sources { #expect(throws: CompositorError.self) { try MediaProbe.probe(.generated(source)) } }
    let color = GeneratedSource(pattern: .color(Color(red: .nan, green: 0, blue: 0)))
    #expect(throws: CompositorError.self) { try MediaOpener.openVideo(.generated(color)).frame(at: .zero) }
  }
}
