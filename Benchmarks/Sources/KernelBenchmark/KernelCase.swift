import CompositorPluginKit

/// One kernel over 64 rows of 1920 samples, or the reduced number.
struct KernelCase: Sendable {
  let name: String
  /// Output samples per run.
  let samples: Int
  let run: @Sendable (PlaneKernels, Rows) -> Void
  /// The same loop in plain Swift without a kernel, with the same bits; `nil` if there is none.
  let swiftLoop: (@Sendable (Rows) -> Void)?

  static let all = [mix8, mix16, shift8, shift16, halve8, quarter8, halve16, sample8, sample16, blend8, warp8]

  private init(
    _ name: String, width: Int = Rows.width, height: Int = Rows.height, swiftRow: (@Sendable (Rows, Int) -> Void)? = nil,
    row: @escaping @Sendable (PlaneKernels, Rows, Int) -> Void
  ) {
    self.name = name
    samples = width * height
    run = { kernels, rows in for y in 0..<height { row(kernels, rows, y) } }
    swiftLoop = swiftRow.map { swiftRow in { @Sendable rows in for y in 0..<height { swiftRow(rows, y) } } }
  }

  private static let mix8 = KernelCase("mix8", swiftRow: SwiftLoops.mix8) { kernels, rows, y in
    kernels.mix(
      rows.output.bytes(y), rows.first.bytes(y), rows.second.bytes(y), count: Rows.width, weight: SwiftLoops.weight)
  }
  private static let mix16 = KernelCase("mix16", swiftRow: SwiftLoops.mix16) { kernels, rows, y in
    kernels.mix(
      rows.output.words(y), rows.first.words(y), rows.second.words(y), count: Rows.width, weight: SwiftLoops.weight)
  }
  private static let shift8 = KernelCase("shift8") { kernels, rows, y in
    kernels.shift(
      rows.output.bytes(y), top: rows.first.bytes(y), bottom: rows.first.bytes(y + 1), count: Rows.width, next: 1,
      fx: 0.3, fy: 0.6, weight: 0.8)
  }
  private static let shift16 = KernelCase("shift16") { kernels, rows, y in
    kernels.shift(
      rows.output.words(y), top: rows.first.words(y), bottom: rows.first.words(y + 1), count: Rows.width, next: 1,
      fx: 0.3, fy: 0.6, weight: 0.8)
  }
  private static let halve8 = KernelCase("halve8", width: 960, height: 32, swiftRow: SwiftLoops.halve8) {
    kernels, rows, y in
    kernels.halve(rows.output.bytes(y), rows.first.bytes(2 * y), stride: Rows.stride, count: 960)
  }
  private static let quarter8 = KernelCase("quarter8", width: 480, height: 16) { kernels, rows, y in
    kernels.quarter(rows.output.bytes(y), rows.first.bytes(4 * y), stride: Rows.stride, count: 480)
  }
  private static let halve16 = KernelCase("halve16", width: 960, height: 32) { kernels, rows, y in
    kernels.halve(rows.output.words(y), rows.first.words(2 * y), stride: 2 * Rows.stride, count: 960)
  }
  private static let sample8 = KernelCase("sample8", width: 960, height: 32) { kernels, rows, y in
    kernels.sampleBytes(rows.floats, sampleRow(rows, y, stride: Rows.stride), count: 960)
    kernels.narrow(rows.output.bytes(y), rows.floats, count: 960)
  }
  private static let sample16 = KernelCase("sample16", width: 960, height: 32) { kernels, rows, y in
    kernels.sampleWords(rows.floats, sampleRow(rows, y, stride: 2 * Rows.stride), count: 960)
    kernels.narrow(rows.output.words(y), rows.floats, count: 960)
  }
  private static let blend8 = KernelCase("blend8") { kernels, rows, y in
    kernels.blend(rows.output.bytes(y), rows.samples, weights: rows.weights, count: Rows.width)
  }

  private static func sampleRow(_ rows: Rows, _ y: Int, stride: Int) -> SampleRow {
    let one = Int64(1) << 32
    return SampleRow(
      base: rows.first.words(0), stride: stride, width: Rows.width, height: Rows.height, x: one * 3,
      y: one * Int64(y), dx: one / 16 * 15, dy: one / 128)
  }

  /// A rotation by about 17°, as in a picture in picture.
  private static let warp8 = KernelCase("warp8", width: 960, height: 32) { kernels, rows, y in
    guard y % 8 == 0 else { return }
    let one = 4_294_967_296.0
    let (c, s) = (Int64(0.9563 * one), Int64(0.2924 * one))
    let plan = WarpPlan(
      byColumn: SIMD2(c, s / 16), byRow: SIMD2(-s, c), footprintsByColumn: .zero, footprintsByRow: .zero)
    let band = WarpBand(
      destination: rows.output.bytes(y), stride: Rows.stride, columns: 960, rows: 8, picture: rows.first.bytes(0),
      pictureStride: Rows.stride, windowX: 0...Rows.width - 17, windowY: 0...Rows.height - 1,
      position: SIMD2(Int64(20 * one), Int64(Double(y) * one)), step: SIMD2(c, s / 16), weight: 0.8, edges: nil)
    kernels.warp(plan, band)
  }
}
