import CCompositorKernels

extension Comparison {
  static var masks: [Comparison] {
    [
      Comparison("mask_mix8") { kernels, rows in
        let (a, b) = (rows.bytes(rows.count), rows.bytes(rows.count))
        kernels.mask_mix8(rows.bytes(rows.count), a, b, rows.words(rows.count, upTo: 32767), rows.count)
      },
      Comparison("mask_mix16") { kernels, rows in
        let (a, b) = (rows.words(rows.count), rows.words(rows.count))
        kernels.mask_mix16(rows.words(rows.count), a, b, rows.words(rows.count, upTo: 32767), rows.count)
      },
      Comparison("mask_lines") { kernels, rows in
        let (first, second) = (cpk_mask_line(start: -0.3, step: 0.013), cpk_mask_line(start: 1e6, step: -1e4))
        for isUnion: Int32 in [0, 1] { kernels.mask_lines(rows.words(rows.count), rows.count, first, second, isUnion) }
      },
      Comparison("mask_fold") { kernels, rows in
        for (period, frequency): (Float, Float) in [(0, 0), (37, 1 / 37)] {
          let fold = cpk_mask_fold(
            start: -200.5, step: 1.03, period: period, frequency: frequency, peak: 0.9, slope: -0.05, cap: 0.8)
          kernels.mask_fold(rows.words(rows.count), rows.count, fold)
        }
      },
      Comparison("mask_circle") { kernels, rows in
        for slope: Float in [0.01, -0.01, 1e4] {
          let circle = cpk_mask_circle(start: -100.5, step: 1.5, y_squared: 77, peak: 0.7, slope: slope)
          kernels.mask_circle(rows.words(rows.count), rows.count, circle)
        }
      },
      Comparison("mask_noise") { kernels, rows in
        for shift: UInt32 in [0, 3] {
          let noise = cpk_mask_noise(first: .max - 20, step: 2, shift: shift, seed: 0xdead_beef, level: 0.4, slope: 3)
          kernels.mask_noise(rows.words(rows.count), rows.count, noise)
        }
      },
    ]
  }

  static var light: [Comparison] {
    [
      Comparison("light_curve") { kernels, rows in
        forEachCurve(rows) { kernels.light_curve(rows.floats(rows.count), rows.count, $0) }
      },
      Comparison("light_matrix") { kernels, rows in
        let matrix: [Float] = [0.6, 0.3, 0.1, -0.2, 1.1, 0.1, 0.05, -0.3, 1.25]
        forEachCurve(rows) {
          let (a, b, c) = (rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count))
          kernels.light_matrix(a, b, c, rows.count, matrix, $0)
        }
      },
      Comparison("light_factor") { kernels, rows in
        for weights: [Float]? in [[0.2627, 0.678, 0.0593], nil] {
          forEachCurve(rows) {
            let (a, b, c) = (rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count))
            kernels.light_factor(a, b, c, rows.count, weights, $0)
          }
        }
      },
    ]
  }

  /// Any coefficients will do: tiers must agree on every bit, whatever the curve is.
  private static func forEachCurve(_ rows: Workspace, _ body: (UnsafePointer<cpk_light_curve>) -> Void) {
    for (shift, takesRoot, isOdd): (Int32, Bool, Bool) in [
      (20, false, false), (18, true, false), (23, false, true), (21, true, true),
    ] {
      var curve = cpk_light_curve()
      (curve.scale, curve.bias, curve.low, curve.high) = (0.8, 0.0625, 0.0625, Float(1).nextDown)
      (curve.shift, curve.takes_root, curve.is_odd) = (shift, takesRoot, isOdd)
      let numbers = rows.floats(128, -0.5...0.5)
      withUnsafeMutableBytes(of: &curve.coefficients) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: numbers, count: $0.count))
      }
      body(&curve)
    }
  }
}
