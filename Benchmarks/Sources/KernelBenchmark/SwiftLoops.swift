/// Kernels as plain Swift loops over pointers, which the C versions must outperform.
enum SwiftLoops {
  static let weight = 0.3

  static func mix8(_ rows: Rows, _ y: Int) {
    let (output, a, b) = (rows.output.bytes(y), rows.first.bytes(y), rows.second.bytes(y))
    let share = Int16(weight * 65536 + 0.5)
    for i in 0..<Rows.width {
      let from = Int16(a[i])
      let product = Int32((Int16(b[i]) &- from) &<< 7) &* Int32(share)
      output[i] = UInt8(truncatingIfNeeded: (from &<< 7 &+ Int16(truncatingIfNeeded: product &>> 16) &+ 64) &>> 7)
    }
  }

  static func mix16(_ rows: Rows, _ y: Int) {
    let (output, a, b) = (rows.output.words(y), rows.first.words(y), rows.second.words(y))
    let share = Float(weight)
    for i in 0..<Rows.width {
      let from = Float(a[i])
      output[i] = UInt16(from + share * (Float(b[i]) - from) + 0.5)
    }
  }

  static func halve8(_ rows: Rows, _ y: Int) {
    let (output, upper, lower) = (rows.output.bytes(y), rows.first.bytes(2 * y), rows.first.bytes(2 * y + 1))
    for i in 0..<960 {
      let sum = UInt16(upper[2 * i]) &+ UInt16(upper[2 * i + 1]) &+ UInt16(lower[2 * i]) &+ UInt16(lower[2 * i + 1])
      output[i] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
    }
  }
}
