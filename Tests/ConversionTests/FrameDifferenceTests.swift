import CompositorAPI
import CompositorConversion
import Testing

/// How much two frames differ, against the sum as it is written.
@Suite struct FrameDifferenceTests {
  /// A frame whose bytes of the first plane follow a rule.
  private static func frame(
    _ format: PixelFormat, _ size: PixelSize, _ value: (Int, Int) -> UInt8
  ) throws -> Frame {
    var frame = try FramePool().makeFrame(format: format, size: size, attributes: FrameAttributes())
    frame.withUnsafeMutablePlanes { planes in
      let plane = planes[0]
      for y in 0..<plane.height {
        let row = (plane.base + y * plane.stride).assumingMemoryBound(to: UInt8.self)
        for x in 0..<plane.width * format.samplesPerPosition(plane: 0) { row[x] = value(x, y) }
      }
    }
    return frame.freeze()
  }

  @Test(arguments: [PixelFormat.yuv420p, .nv12, .rgba], [(1, 1), (33, 7), (257, 3), (64, 48)])
  func meanDifference_ofTwoFrames_isTheMeanOfAllSamples(_ format: PixelFormat, _ sides: (Int, Int)) throws {
    let size = PixelSize(width: sides.0, height: sides.1)
    func a(_ x: Int, _ y: Int) -> UInt8 { UInt8(truncatingIfNeeded: x &* 37 &+ y &* 101) }
    func b(_ x: Int, _ y: Int) -> UInt8 { UInt8(truncatingIfNeeded: x &* x &+ y &* 13) }
    let (first, second) = (try Self.frame(format, size, a), try Self.frame(format, size, b))
    let columns = sides.0 * (format == .rgba ? 4 : 1)
    var sum = 0
    for y in 0..<sides.1 { for x in 0..<columns { sum += abs(Int(a(x, y)) - Int(b(x, y))) } }
    #expect(first.meanDifference(from: second) == Double(sum) / Double(columns * sides.1) / 255)
    #expect(first.meanDifference(from: first) == 0)
  }

  /// The largest sum there is in more samples than one part has.
  @Test func meanDifference_ofBlackAndWhite_isOne() throws {
    let size = PixelSize(width: 16_384, height: 2)
    let (black, white) = (try Self.frame(.rgba, size) { _, _ in 0 }, try Self.frame(.rgba, size) { _, _ in 255 })
    #expect(black.meanDifference(from: white) == 1)
  }

  @Test func meanDifference_ofOtherKinds_isNone() throws {
    let size = PixelSize(width: 16, height: 16)
    let frame = try Self.frame(.yuv420p, size) { _, _ in 0 }
    #expect(frame.meanDifference(from: try Self.frame(.nv12, size) { _, _ in 0 }) == nil)
    #expect(frame.meanDifference(from: try Self.frame(.yuv420p, PixelSize(width: 16, height: 8)) { _, _ in 0 }) == nil)
  }
}
