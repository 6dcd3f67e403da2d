import CompositorKernels
import Testing

private func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }

@Test(arguments: Pattern.allCases)
func sample_everyTier_isThePlainOneAndClampsAtTheEdges(pattern: Pattern) {
  let bytes = pattern.canvas(13, 9, seed: 1, as: UInt8.self)
  let words = pattern.canvas(13, 9, seed: 2, as: UInt16.self)
  let (x, y, dx, dy) = (-3.7, 11.2, 0.61, -0.43)
  func run<T>(_ canvas: Canvas<T>, _ sample: (UnsafeMutablePointer<Float>, SampleRow) -> Void) -> [Float] {
    var output = [Float](repeating: 0, count: 41)
    _ = canvas.read { base in
      let row = SampleRow(
        base: base, stride: canvas.stride, width: 13, height: 9, x: fixed(x), y: fixed(y), dx: fixed(dx), dy: fixed(dy))
      output.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { sample(base, row) } }
    }
    return output
  }
  func exact<T>(_ canvas: Canvas<T>, _ i: Int) -> Double {
    let px = min(max(x + dx * Double(i), 0), 12)
    let py = min(max(y + dy * Double(i), 0), 8)
    let (left, top) = (min(Int(px), 11), min(Int(py), 7))
    let (fx, fy) = (px - Double(left), py - Double(top))
    func tap(_ dx: Int, _ dy: Int) -> Double { Double(canvas[left + dx, top + dy]) }
    return (tap(0, 0) * (1 - fx) + tap(1, 0) * fx) * (1 - fy) + (tap(0, 1) * (1 - fx) + tap(1, 1) * fx) * fy
  }
  let plainBytes = run(bytes) { PlaneKernels.plain.sampleBytes($0, $1, count: 41) }
  let plainWords = run(words) { PlaneKernels.plain.sampleWords($0, $1, count: 41) }
  for i in 0..<41 {
    #expect(abs(Double(plainBytes[i]) - exact(bytes, i)) < 0.001)
    #expect(abs(Double(plainWords[i]) - exact(words, i)) < 0.05)
  }
  for tier in PlaneKernels.available.dropFirst() {
    #expect(run(bytes) { tier.sampleBytes($0, $1, count: 41) } == plainBytes, "\(tier.tier)")
    #expect(run(words) { tier.sampleWords($0, $1, count: 41) } == plainWords, "\(tier.tier)")
  }
}

@Test func coverage_everyTier_isTheShareOfTheFootprintInside() {
  let across = CoverageAxis(position: -2.5, step: 0.5, footprint: 2, low: 0, high: 7.25)
  let down = CoverageAxis(position: 4, step: 0, footprint: 1, low: 3.75, high: 9)
  func run(_ kernels: PlaneKernels) -> [Float] {
    var output = [Float](repeating: -1, count: 33)
    output.withUnsafeMutableBufferPointer {
      if let base = $0.baseAddress { kernels.coverage(base, count: 32, x: across, y: down, scale: 0.5) }
    }
    return output
  }
  let plain = run(.plain)
  for i in 0..<32 {
    let u = -2.5 + 0.5 * Double(i)
    let share = max(0, min(u + 1, 7.25) - max(u - 1, 0)) / 2
    #expect(abs(Double(plain[i]) - share * 0.75 * 0.5) < 1e-6)
  }
  #expect(plain[32] == -1)
  for tier in PlaneKernels.available { #expect(run(tier) == plain, "\(tier.tier)") }
}

@Test(arguments: Pattern.allCases)
func floatRows_everyTier_areThePlainOnes(pattern: Pattern) {
  let count = 77
  let bytes = pattern.canvas(count, 1, seed: 3, as: UInt8.self)
  let words = pattern.canvas(count, 1, seed: 4, as: UInt16.self)
  let source = (0..<count).map { Float($0) * 3.1 }
  let weights = (0..<count).map { Float($0) / Float(count - 1) }
  func run(_ kernels: PlaneKernels) -> (Canvas<UInt8>, Canvas<UInt16>, [Float]) {
    var (blended, wide) = (bytes, words)
    blended.write { kernels.blend($0, source, weights: weights, count: count) }
    wide.write { kernels.blend($0, source, weights: weights, count: count) }
    var values = [Float](repeating: 5, count: count + 1)
    values.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      kernels.blend(base, source, weights: weights, count: count)
      _ = bytes.read { kernels.accumulate(base, $0, count: count, weight: 0.1) }
      _ = words.read { kernels.accumulate(base, $0, count: count, weight: 0.01) }
    }
    return (blended, wide, values)
  }
  let plain = run(.plain)
  for i in 0..<count {
    let (under, over) = (Double(words[i, 0]), Double(source[i]))
    #expect(abs(Double(plain.1[i, 0]) - (under + Double(weights[i]) * (over - under))) < 0.52)
  }
  #expect(plain.2[count] == 5)
  for tier in PlaneKernels.available.dropFirst() {
    let other = run(tier)
    #expect(other.0.buffer == plain.0.buffer && other.1.buffer == plain.1.buffer && other.2 == plain.2, "\(tier.tier)")
  }
}

@Test func reduce_everyTier_isTheWeightedSum() {
  let source = (0..<100).map { Float($0 % 7) * 1.5 }
  let (count, taps) = (33, 4)
  let starts = (0..<count).map { Int32($0 * 96 / 32) }
  let weights = (0..<count * taps).map { Float($0 % 5) / 10 }
  func run(_ kernels: PlaneKernels) -> [Float] {
    var output = [Float](repeating: -1, count: count + 1)
    output.withUnsafeMutableBufferPointer {
      guard let base = $0.baseAddress else { return }
      kernels.reduce(base, source, count: count, start: starts, weights: weights, taps: taps)
    }
    return output
  }
  let plain = run(.plain)
  for j in 0..<count {
    let sum = (0..<taps).reduce(0.0) { $0 + Double(source[Int(starts[j]) + $1]) * Double(weights[$1 * count + j]) }
    #expect(abs(Double(plain[j]) - sum) < 1e-4)
  }
  #expect(plain[count] == -1)
  for tier in PlaneKernels.available { #expect(run(tier) == plain, "\(tier.tier)") }
}
