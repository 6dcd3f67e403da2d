import CCompositorKernels
import Testing

/// The canaries before and after a row that a kernel writes.
private let canary: Float = -12345.5

/// Runs a kernel over a row between canaries and gives the row.
private func written(_ count: Int, _ kernel: (UnsafeMutablePointer<Float>) -> Void) -> [Float] {
  var memory = [Float](repeating: canary, count: count + 32)
  memory.withUnsafeMutableBufferPointer { buffer in
    if let base = buffer.baseAddress { kernel(base + 16) }
  }
  #expect(memory[..<16].allSatisfy { $0 == canary } && memory[(count + 16)...].allSatisfy { $0 == canary })
  return Array(memory[16..<count + 16])
}

private func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(state >> 8) / Float(1 << 24)
  }
}

private let counts = [1, 2, 3, 15, 16, 17, 31, 33, 64, 65, 127, 161]

@Test(arguments: [false, true])
func upsample_anyPartOfARow_isBilinearBetweenSites(isCentered: Bool) {
  for width in counts {
    let chroma = noise((width + 1) / 2)
    func exact(_ column: Int) -> Double {
      let place = (Double(column) - (isCentered ? 0.5 : 0)) / 2
      let inside = min(max(place, 0), Double(chroma.count - 1))
      let left = Int(inside)
      let right = min(left + 1, chroma.count - 1)
      return Double(chroma[left]) + (Double(chroma[right]) - Double(chroma[left])) * (inside - Double(left))
    }
    for first in [0, 1, width / 2, width - 1] where first < width {
      let row = written(width - first) {
        cpk_convert_upsample(chroma, chroma.count, isCentered, first, $0, width - first)
      }
      for (x, value) in row.enumerated() { #expect(abs(Double(value) - exact(first + x)) < 1e-6, "\(width) \(first) \(x)") }
    }
  }
}

@Test(arguments: [false, true])
func downsample_anyWidth_isTheStatedFilter(isCentered: Bool) {
  for width in counts {
    let row = noise(width)
    func at(_ x: Int) -> Float { row[min(max(x, 0), width - 1)] }
    let half = written((width + 1) / 2) { cpk_convert_downsample(row, width, isCentered, $0) }
    for (i, value) in half.enumerated() {
      let exact = isCentered ? (at(2 * i) + at(2 * i + 1)) / 2 : (at(2 * i - 1) + 2 * at(2 * i) + at(2 * i + 1)) / 4
      #expect(abs(value - exact) < 1e-6, "\(width) \(i)")
    }
  }
}

@Test func store_anyNumber_isRoundedAndLimited() {
  let values: [Float] = [-1, -0.0, 0, 0.5, 1, 2, .nan, .infinity, -.infinity, 254.49 / 255, 254.51 / 255, 1e30]
  var bytes = [UInt8](repeating: 7, count: values.count)
  cpk_convert_store_u8(values, &bytes, 1, values.count, 255, 0)
  #expect(bytes == [0, 0, 0, 128, 255, 255, 0, 255, 0, 254, 255, 255])
  var words = [UInt16](repeating: 7, count: values.count)
  cpk_convert_store_u16(values, &words, 1, 6, values.count, 1023, 0, 1023)
  #expect(words == [0, 0, 0, 512, 1023, 1023, 0, 1023, 0, 1021, 1021, 1023].map { $0 << 6 })
}

@Test func half_everyFiniteNumber_comesBackTheSame() {
  let halves = (UInt16(0)...(.max)).filter { $0 & 0x7c00 != 0x7c00 }
  let floats = written(halves.count) { cpk_convert_load_f16(halves, 1, $0, halves.count) }
  #expect(zip(halves, floats).allSatisfy { Float(Float16(bitPattern: $0)) == $1 })
  var back = [UInt16](repeating: 0, count: halves.count)
  cpk_convert_store_f16(floats, &back, 1, floats.count)
  #expect(back == halves)
}

@Test func half_anyFloat_isRoundedToNearestEven() {
  let special: [Float] = [65504, 65519, 1e9, -.infinity, 6e-8, 2.9e-8, 0.1, 1.000488, 1.001465]
  let floats = noise(5000).map { ($0 - 0.5) * 4 } + special
  var halves = [UInt16](repeating: 0, count: floats.count)
  cpk_convert_store_f16(floats, &halves, 1, floats.count)
  for (value, half) in zip(floats, halves) {
    let expected = Float16(min(max(value, -65504), 65504))
    #expect(Float16(bitPattern: half) == expected, "\(value)")
  }
}

@Test func curve_aSquareRoot_isExactToSinglePrecision() {
  let first = UInt32(127 + CPK_CONVERT_CURVE_FIRST_EXPONENT) << 23
  let count = (CPK_CONVERT_CURVE_LAST_EXPONENT - CPK_CONVERT_CURVE_FIRST_EXPONENT) * 256 + 1
  func root(_ bits: UInt32) -> Double { Double(Float(bitPattern: bits)).squareRoot() }
  let nodes = (0..<UInt32(count)).flatMap { index -> [Float] in
    let bits = first + index << 15
    let bend = 4 * root(bits + 1 << 14) - 2 * (root(bits) + root(bits + 1 << 15))
    return [Float(root(bits)), Float(bend)]
  }
  let special: [Float] = [0, 1, 255, 4000, 1e9, .infinity]
  let end = Double(1 << CPK_CONVERT_CURVE_LAST_EXPONENT)
  let values = noise(999) + noise(99).map { -$0 * 200 } + special
  var row = values
  cpk_convert_curve(&row, row.count, nodes)
  for (value, result) in zip(values, row) {
    let size = min(Double(abs(value)), end).squareRoot()
    #expect(abs(Double(result) - (value < 0 ? -size : size)) <= 2e-7 * size, "\(value)")
  }
}

@Test func divide_byNothing_isNothing() {
  var row: [Float] = [1, 0.5, 0.25, 3]
  cpk_convert_divide(&row, [0, 0.5, -1, 2], 4)
  #expect(row == [0, 1, 0, 1.5])
}

@Test func reduce_anyRatio_isTheExactMean() {
  for count in counts {
    let row = noise(count)
    for reduced in [1, count / 3, count / 2, count - 1] where reduced > 0 {
      let ratio = Double(count) / Double(reduced)
      let result = written(reduced * 4) { cpk_general_reduce(row, row, row, nil, count, 0, ratio, 0, $0, reduced) }
      for i in 0..<reduced {
        let (start, end) = (Double(i) * ratio, Double(i + 1) * ratio)
        var exact = 0.0
        for x in 0..<count {
          let share = max(0, min(end, Double(x + 1)) - max(start, Double(x)))
          exact += share * Double(row[x]) / ratio
        }
        #expect(abs(Double(result[4 * i]) - exact) < 1e-5, "\(count) to \(reduced), \(i)")
        #expect(result[4 * i + 3] == 1)
      }
    }
  }
}
