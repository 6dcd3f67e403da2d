import CompositorAPI
import CompositorPlatform

/// Draws the counting clock: the frame number, the time below it, and a hand that rotates once a second, clockwise from 12.
///
/// 8-bit 4:2:0, BT.709, gray: luma 40 behind, 235 in front; chroma neutral.
final class ClockFace {
  private let size: PixelSize
  private let background: UInt8 = 40
  private let ink: UInt8 = 235
  /// Height of a digit, in pixels.
  private let digitHeight: Int

  init(size: PixelSize) {
    self.size = size
    // Eight digits and their gaps fit the width; two lines fit two thirds of the height.
    digitHeight = max(1, min(size.height / 4, size.width * 10 / (8 * SevenSegment.advance + 4)))
  }

  /// Fills a frame whose format is `.yuv420p`.
  func draw(frame index: Int64, at time: MediaTime, into target: consuming MutableFrame) -> Frame {
    var target = target
    let lines = [Self.counter(index), Self.clock(time)]
    let fraction = Self.fractionOfSecond(time)
    target.withUnsafeMutablePlanes { planes in
      for plane in 0..<planes.count { clear(planes[plane], to: plane == 0 ? background : 128) }
      let luma = planes[0]
      drawHand(fraction, on: luma)
      for (line, text) in lines.enumerated() {
        let y = size.height / 2 - digitHeight * 5 / 4 + line * digitHeight * 3 / 2
        SevenSegment.draw(text, centeredAt: size.width / 2, top: y, height: digitHeight, ink: ink, on: luma)
      }
    }
    return target.freeze()
  }

  private func clear(_ plane: MutablePlane, to value: UInt8) {
    for y in 0..<plane.height {
      (plane.base + y * plane.stride).initializeMemory(as: UInt8.self, repeating: value, count: plane.width)
    }
  }

  /// The number with at least six digits.
  static func counter(_ index: Int64) -> String {
    let number = String(index)
    return String(repeating: "0", count: max(0, 6 - number.count)) + number
  }

  /// Minutes, seconds and milliseconds of a non-negative time, truncated.
  static func clock(_ time: MediaTime) -> String {
    let thousandths = Int128(time.value) * 1000 / Int128(time.timescale)
    func padded(_ number: Int128, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(padded(thousandths / 60_000, 2)):\(padded(thousandths / 1000 % 60, 2)).\(padded(thousandths % 1000, 3))"
  }

  private static func fractionOfSecond(_ time: MediaTime) -> Double {
    Double(time.value % Int64(time.timescale)) / Double(time.timescale)
  }

  /// A line from the center, antialiased, at half the ink so that digits stand out.
  private func drawHand(_ fraction: Double, on luma: MutablePlane) {
    let center = (x: Double(size.width) / 2, y: Double(size.height) / 2)
    let length = Double(min(size.width, size.height)) * 0.46
    let halfWidth = max(0.75, length / 40)
    let (dx, dy) = (sin(2 * .pi * fraction), -cos(2 * .pi * fraction))
    let reach = (x: abs(dx) * length + halfWidth + 1, y: abs(dy) * length + halfWidth + 1)
    let columns = max(0, Int(center.x - reach.x))..<max(0, min(luma.width, Int(center.x + reach.x) + 1))
    let rows = max(0, Int(center.y - reach.y))..<max(0, min(luma.height, Int(center.y + reach.y) + 1))
    for y in rows {
      let row = (luma.base + y * luma.stride).assumingMemoryBound(to: UInt8.self)
      for x in columns {
        let (px, py) = (Double(x) + 0.5 - center.x, Double(y) + 0.5 - center.y)
        let along = min(max(px * dx + py * dy, 0), length)
        let (ox, oy) = (px - along * dx, py - along * dy)
        let coverage = min(max(halfWidth + 0.5 - (ox * ox + oy * oy).squareRoot(), 0), 1)
        if coverage > 0 { row[x] = UInt8(Double(row[x]) + coverage * (140 - Double(row[x]))) }
      }
    }
  }
}
