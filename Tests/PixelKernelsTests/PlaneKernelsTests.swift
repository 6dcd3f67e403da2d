import CompositorKernels
import Testing

private let counts = [0, 1, 2, 15, 31, 33, 64, 127, 255, 257, 1023]
private let weights = [0, 1e-5, 0.25, 0.499, 0.5, 0.501, 0.75, 0.99999, 1]

/// Every tier but the plain one.
private var tiers: [PlaneKernels] { PlaneKernels.available.filter { $0.tier != "plain" } }

@Test func tiers_onThisMachine_endWithTheFastest() {
  let names = PlaneKernels.available.map(\.tier)
  print("kernel tiers of this machine: \(names.joined(separator: ", "))")
  #expect(names.first == "plain")
  #expect(names.last == PlaneKernels.fastest.tier)
  #expect(Set(names).count == names.count)
}

/// One kernel over a row: the tier's result is the plain one's, and what `exact` says within a bound.
private func expectRow<T: FixedWidthInteger>(
  _ count: Int, _ a: Canvas<T>, _ b: Canvas<T>, bound: Double, _ name: String,
  _ kernel: (PlaneKernels, UnsafeMutablePointer<T>, UnsafePointer<T>, UnsafePointer<T>) -> Void,
  exact: (Int) -> Double
) {
  func run(_ kernels: PlaneKernels) -> Canvas<T> {
    var output = Canvas<T>(count, 1) { x, _ in a[x, 0] }
    output.write { to in _ = a.read { from in b.read { kernel(kernels, to, from, $0) } } }
    return output
  }
  let plain = run(.plain)
  #expect(plain.isIntact, "\(name) \(count)")
  let worst = (0..<count).map { abs(Double(plain[$0, 0]) - exact($0)) }.max() ?? 0
  #expect(worst <= bound, "\(name) \(count): \(worst)")
  for tier in tiers { #expect(run(tier).buffer == plain.buffer, "\(name) \(count) \(tier.tier)") }
}

@Test(arguments: Pattern.allCases)
func mix_everyTier_isThePlainOneAndRoundsToNearest(pattern: Pattern) {
  for count in counts {
    let a = pattern.canvas(count, 1, seed: 1, as: UInt8.self)
    let b = Pattern.checkerboard.canvas(count, 1, seed: 2, as: UInt8.self)
    let (wideA, wideB) = (
      pattern.canvas(count, 1, seed: 3, as: UInt16.self), Pattern.noise.canvas(count, 1, seed: 4, as: UInt16.self)
    )
    for weight in weights {
      expectRow(count, a, b, bound: 0.52, "mix8 \(weight)") {
        $0.mix($1, $2, $3, count: count, weight: weight)
      } exact: {
        Double(a[$0, 0]) + (Double(b[$0, 0]) - Double(a[$0, 0])) * weight
      }
      expectRow(count, wideA, wideB, bound: 0.52, "mix16 \(weight)") {
        $0.mix($1, $2, $3, count: count, weight: weight)
      } exact: {
        Double(wideA[$0, 0]) + (Double(wideB[$0, 0]) - Double(wideA[$0, 0])) * weight
      }
    }
  }
}

@Test func mix_inPlace_isTheSameAsIntoAnotherRow() {
  let (a, b) = (Pattern.noise.canvas(300, 1, seed: 1, as: UInt8.self), Pattern.noise.canvas(300, 1, seed: 2, as: UInt8.self))
  for kernels in PlaneKernels.available {
    var (apart, inPlace) = (a, a)
    apart.write { to in _ = a.read { from in b.read { kernels.mix(to, from, $0, count: 300, weight: 0.7) } } }
    inPlace.write { to in _ = b.read { kernels.mix(to, to, $0, count: 300, weight: 0.7) } }
    #expect(apart.buffer == inPlace.buffer, "\(kernels.tier)")
  }
}

@Test(arguments: Pattern.allCases)
func shift_everyTier_isThePlainOneAndInterpolates(pattern: Pattern) {
  for count in counts where count > 1 {
    let top = pattern.canvas(count + 1, 1, seed: 5, as: UInt8.self)
    let bottom = Pattern.checkerboard.canvas(count + 1, 1, seed: 6, as: UInt8.self)
    let (wideTop, wideBottom) = (
      pattern.canvas(count + 1, 1, seed: 7, as: UInt16.self), Pattern.noise.canvas(count + 1, 1, seed: 8, as: UInt16.self)
    )
    for (fx, fy) in [(0.0, 0.0), (0.25, 0.75), (0.5, 0), (0.9999, 0.0001)] {
      for weight in [0.3, 1] {
        func exact<T>(_ top: Canvas<T>, _ bottom: Canvas<T>, _ i: Int) -> Double {
          let upper = Double(top[i, 0]) * (1 - fx) + Double(top[i + 1, 0]) * fx
          let lower = Double(bottom[i, 0]) * (1 - fx) + Double(bottom[i + 1, 0]) * fx
          return Double(top[i, 0]) * (1 - weight) + (upper * (1 - fy) + lower * fy) * weight
        }
        expectRow(count, top, bottom, bound: 0.57, "shift8 \(fx) \(fy) \(weight)") {
          $0.shift($1, top: $2, bottom: $3, count: count, next: 1, fx: fx, fy: fy, weight: weight)
        } exact: {
          exact(top, bottom, $0)
        }
        expectRow(count, wideTop, wideBottom, bound: 0.53, "shift16 \(fx) \(fy) \(weight)") {
          $0.shift($1, top: $2, bottom: $3, count: count, next: 1, fx: fx, fy: fy, weight: weight)
        } exact: {
          exact(wideTop, wideBottom, $0)
        }
      }
    }
  }
}

@Test func copy_everyLength_copiesJustThat() {
  for count in counts {
    let from = Pattern.noise.canvas(count, 1, seed: 9, as: UInt8.self)
    for kernels in PlaneKernels.available {
      var to = Canvas<UInt8>(count, 1) { _, _ in 0 }
      to.write { to in _ = from.read { kernels.copy(to, $0, byteCount: count) } }
      #expect(to.buffer == from.buffer, "\(count) \(kernels.tier)")
    }
  }
}

@Test(arguments: Pattern.allCases, [2, 4])
func reduction_everyTier_isThePlainOneAndTheRoundedMean(pattern: Pattern, side: Int) {
  func check<T: FixedWidthInteger>(
    _ type: T.Type, _ reduce: (PlaneKernels, UnsafeMutablePointer<T>, UnsafePointer<T>, Int, Int) -> Void
  ) {
    for count in counts where count > 0 {
      let source = pattern.canvas(side * count, side, seed: 10, as: type)
      func run(_ kernels: PlaneKernels) -> Canvas<T> {
        var output = Canvas<T>(count, 1) { _, _ in 0 }
        output.write { to in _ = source.read { reduce(kernels, to, $0, source.stride, count) } }
        return output
      }
      let plain = run(.plain)
      #expect(plain.isIntact)
      for i in 0..<count {
        var sum = 0.0
        for y in 0..<side { for x in 0..<side { sum += Double(source[side * i + x, y]) } }
        let mean = sum / Double(side * side)
        #expect(abs(Double(plain[i, 0]) - mean) <= 0.5)
      }
      for tier in tiers { #expect(run(tier).buffer == plain.buffer, "\(count) \(tier.tier)") }
    }
  }
  check(UInt8.self) {
    side == 2 ? $0.halve($1, $2, stride: $3, count: $4) : $0.quarter($1, $2, stride: $3, count: $4)
  }
  check(UInt16.self) {
    side == 2 ? $0.halve($1, $2, stride: $3, count: $4) : $0.quarter($1, $2, stride: $3, count: $4)
  }
}
