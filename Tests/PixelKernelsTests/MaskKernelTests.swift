import CCompositorKernels
import CompositorKernels
import Testing

private let counts = [0, 1, 2, 15, 31, 33, 64, 127, 255, 257, 1023]

/// Weights by the plain tier, after a check that every other tier gives the same and none writes outside the row.
private func weights(_ count: Int, _ name: String, _ kernel: (PlaneKernels, UnsafeMutablePointer<UInt16>) -> Void) -> [UInt16] {
  func run(_ kernels: PlaneKernels) -> Canvas<UInt16> {
    var row = Canvas<UInt16>(count, 1) { _, _ in 0 }
    row.write { kernel(kernels, $0) }
    return row
  }
  let plain = run(.plain)
  #expect(plain.isIntact, "\(name) \(count)")
  for tier in PlaneKernels.available { #expect(run(tier).buffer == plain.buffer, "\(name) \(count) \(tier.tier)") }
  return (0..<count).map { plain[$0, 0] }
}

private func expect(_ weights: [UInt16], _ name: String, near exact: (Double) -> Double) {
  for (index, weight) in weights.enumerated() {
    let wanted = min(max(exact(Double(index)), 0), 1) * 32767
    #expect(abs(Double(weight) - wanted) < 4, "\(name) \(index): \(weight) for \(wanted)")
  }
}

@Suite struct MaskKernelTests {
  @Test(arguments: Pattern.allCases)
  func mixByWeights_everyTier_isThePlainOneAndExactAtTheEnds(pattern: Pattern) {
    for count in counts {
      let (a, b) = (pattern.canvas(count, 1, seed: 1, as: UInt8.self), Pattern.noise.canvas(count, 1, seed: 2, as: UInt8.self))
      let (c, d) = (
        pattern.canvas(count, 1, seed: 3, as: UInt16.self), Pattern.noise.canvas(count, 1, seed: 4, as: UInt16.self)
      )
      var random = SplitMix(state: 9)
      let weights = (0..<count).map { $0 % 3 == 0 ? 0 : $0 % 3 == 1 ? 32767 : UInt16.random(in: 0...32767, using: &random) }
      func check<T: FixedWidthInteger>(
        _ a: Canvas<T>, _ b: Canvas<T>,
        _ kernel: (PlaneKernels, UnsafeMutablePointer<T>, UnsafePointer<T>, UnsafePointer<T>) -> Void
      ) {
        var plain = Canvas<T>(count, 1) { _, _ in 0 }
        for kernels in PlaneKernels.available {
          var output = Canvas<T>(count, 1) { _, _ in 0 }
          output.write { to in _ = a.read { from in b.read { kernel(kernels, to, from, $0) } } }
          if kernels.tier == "plain" { plain = output }
          #expect(output.isIntact && output.buffer == plain.buffer, "\(kernels.tier) \(count)")
        }
        for x in 0..<count {
          let (from, to) = (Double(a[x, 0]), Double(b[x, 0]))
          let exact = from + (to - from) * Double(weights[x]) / 32767
          let isEnd = weights[x] == 0 || weights[x] == 32767
          let error = abs(Double(plain[x, 0]) - exact)
          #expect(error <= (isEnd ? 0 : T.bitWidth == 8 ? 0.53 : 0.51), "\(x): \(error)")
        }
      }
      check(a, b) { $0.mix($1, $2, $3, weights: weights, count: count) }
      check(c, d) { $0.mix($1, $2, $3, weights: weights, count: count) }
    }
  }

  @Test func shapes_everyTier_areTheFormulas() {
    for count in counts {
      let (first, second) = (cpk_mask_line(start: 0.2, step: 0.01), cpk_mask_line(start: 0.9, step: -0.004))
      expect(weights(count, "least") { $0.lines($1, first, second, isUnion: false, count: count) }, "least") {
        min(0.2 + 0.01 * $0, 0.9 - 0.004 * $0)
      }
      expect(weights(count, "most") { $0.lines($1, first, second, isUnion: true, count: count) }, "most") {
        max(0.2 + 0.01 * $0, 0.9 - 0.004 * $0)
      }
      let circle = cpk_mask_circle(start: -90, step: 2, y_squared: 400, peak: 1.5, slope: -0.01)
      expect(weights(count, "circle") { $0.circle($1, circle, count: count) }, "circle") {
        1.5 - 0.01 * ((2 * $0 - 90) * (2 * $0 - 90) + 400).squareRoot()
      }
      let fold = cpk_mask_fold(
        start: -7, step: 2, period: 31.25, frequency: 1 / 31.25, peak: 0.9, slope: -0.05, cap: 0.7)
      expect(weights(count, "fold") { $0.fold($1, fold, count: count) }, "fold") { x in
        let position = 2 * x - 7
        return min(0.7, 0.9 - 0.05 * abs(position - 31.25 * (position / 31.25).rounded()))
      }
    }
  }

  @Test func noise_everyTier_isTheSameAndEven() {
    let noise = cpk_mask_noise(first: 3, step: 2, shift: 1, seed: 77, level: 0.5, slope: 1e6)
    let row = weights(1023, "noise") { $0.noise($1, noise, count: 1023) }
    let share = Double(row.filter { $0 == 32767 }.count) / 1023
    #expect(abs(share - 0.5) < 0.06, "\(share)")
  }
}
