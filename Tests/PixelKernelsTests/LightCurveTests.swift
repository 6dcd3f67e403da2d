import CCompositorKernels
import CompositorKernels
import Testing

/// Any coefficients will do: tiers must agree on every bit, whatever the curve is.
private func curve(shift: Int32, takesRoot: Bool, isOdd: Bool, seed: UInt64) -> [cpk_light_curve] {
  var state = seed
  func next() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(state >> 40) / Float(1 << 24) - 0.5
  }
  var curve = cpk_light_curve()
  (curve.scale, curve.bias, curve.low, curve.high) = (0.8, 0.0625, 0.0625, Float(1).nextDown)
  (curve.shift, curve.takes_root, curve.is_odd) = (shift, takesRoot, isOdd)
  let numbers = (0..<128).map { _ in next() }
  withUnsafeMutableBytes(of: &curve.coefficients) { target in numbers.withUnsafeBytes { target.copyMemory(from: $0) } }
  return [curve]
}

private func samples(_ count: Int, seed: Int) -> [Float] {
  let odd: [Float] = [0, -0, 1e-30, -1e-30, .nan, .infinity, -.infinity, 1e30, -1, 1, 0.5]
  return (0..<count).map { $0 < odd.count ? odd[$0] : Float(($0 &* 7919 &+ seed &* 104_729) % 4001) / 2000 - 0.7 }
}

@Test(arguments: [20, 18, 23], [false, true])
func lightCurve_everyTier_isThePlainOne(shift: Int32, takesRoot: Bool) {
  for isOdd in [false, true] {
    let curve = curve(shift: shift, takesRoot: takesRoot, isOdd: isOdd, seed: 5)
    for count in [0, 1, 15, 16, 17, 33, 1023] {
      func run(_ kernels: PlaneKernels) -> [UInt32] {
        // Two samples more than the kernel may touch.
        var row = samples(count + 2, seed: 1)
        row.withUnsafeMutableBufferPointer { row in
          if let base = row.baseAddress { kernels.lightCurve(base, count: count, curve) }
        }
        return row.map(\.bitPattern)
      }
      let plain = run(.plain)
      #expect(plain[count...].elementsEqual(samples(count + 2, seed: 1)[count...].map(\.bitPattern)))
      for tier in PlaneKernels.available { #expect(run(tier) == plain, "\(tier.tier) \(count) \(isOdd)") }
    }
  }
}

@Test(arguments: [[0.2627, 0.678, 0.0593] as [Float], nil])
func lightFactor_everyTier_isThePlainOne(weights: [Float]?) {
  let curve = curve(shift: 21, takesRoot: false, isOdd: false, seed: 9)
  for count in [1, 15, 16, 31, 1000] {
    func run(_ kernels: PlaneKernels) -> [[UInt32]] {
      var (a, b, c) = (samples(count, seed: 1), samples(count, seed: 2), samples(count, seed: 3))
      // What is not a number has no order: leave it to the curve's own test.
      for index in 0..<min(count, 11) { (a[index], b[index], c[index]) = (0.1, -0.2, 0.3) }
      a.withUnsafeMutableBufferPointer { a in
        b.withUnsafeMutableBufferPointer { b in
          c.withUnsafeMutableBufferPointer { c in
            guard let a = a.baseAddress, let b = b.baseAddress, let c = c.baseAddress else { return }
            kernels.lightFactor(a, b, c, count: count, weights: weights, curve)
          }
        }
      }
      return [a, b, c].map { $0.map(\.bitPattern) }
    }
    let plain = run(.plain)
    for tier in PlaneKernels.available { #expect(run(tier) == plain, "\(tier.tier) \(count)") }
  }
}

@Test(arguments: [false, true]) func lightMatrix_everyTier_isThePlainOne(takesRoot: Bool) {
  let matrix: [Float] = [0.6, 0.3, 0.1, -0.2, 1.1, 0.1, 0.05, -0.3, 1.25]
  for isOdd in [false, true] {
    let curve = curve(shift: 20, takesRoot: takesRoot, isOdd: isOdd, seed: 11)
    for count in [0, 1, 15, 16, 33, 1000] {
      func run(_ kernels: PlaneKernels) -> [[UInt32]] {
        // Two samples more than the kernel may touch; what is not a number has no sign to keep.
        var rows = (1...3).map { seed in samples(count + 2, seed: seed).map { $0.isFinite && abs($0) < 1e3 ? $0 : 0.25 } }
        let pointers = rows.indices.map { row in
          let pointer = UnsafeMutablePointer<Float>.allocate(capacity: count + 2)
          pointer.initialize(from: rows[row], count: count + 2)
          return pointer
        }
        kernels.lightMatrix(pointers[0], pointers[1], pointers[2], count: count, matrix: matrix, curve)
        for row in rows.indices {
          rows[row] = (0..<count + 2).map { pointers[row][$0] }
          pointers[row].deallocate()
        }
        return rows.map { $0.map(\.bitPattern) }
      }
      let plain = run(.plain)
      for row in 0..<3 {
        #expect(
          plain[row][count...].elementsEqual(
            samples(count + 2, seed: row + 1)[count...].map {
              ($0.isFinite && abs($0) < 1e3 ? $0 : 0.25).bitPattern
            }))
      }
      for tier in PlaneKernels.available { #expect(run(tier) == plain, "\(tier.tier) \(count) \(isOdd)") }
    }
  }
}
