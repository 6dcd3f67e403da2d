import CCompositorAudioKernels

/// A function of the audio kernels, or a few that belong together, called with what its parameters may be. There are no tiers of these:
/// what is compared is one machine with another.
struct AudioComparison {
  /// The functions that it calls, as the header names them.
  let functions: [String]
  let run: (Workspace) -> Void

  init(_ functions: String..., run: @escaping (_ rows: Workspace) -> Void) {
    (self.functions, self.run) = (functions, run)
  }

  static var all: [AudioComparison] { sums + gains + curves + levels }

  private static let ramps = [
    cak_ramp(start: 0.2, step: 1e-4, offset: 0), cak_ramp(start: 1, step: -1 / 28_800_000, offset: 28_000_001),
  ]

  private static var sums: [AudioComparison] {
    [
      AudioComparison("cak_add") { rows in
        cak_add(rows.floats(rows.count), rows.floats(rows.count), Int32(rows.count))
      },
      AudioComparison("cak_add_gain") { rows in
        cak_add_gain(rows.floats(rows.count), rows.floats(rows.count), Int32(rows.count), 1 / 3)
      },
      AudioComparison("cak_add_ramp") { rows in
        for ramp in ramps { cak_add_ramp(rows.floats(rows.count), rows.floats(rows.count), Int32(rows.count), ramp) }
      },
    ]
  }

  private static var gains: [AudioComparison] {
    [
      AudioComparison("cak_apply_gain") { rows in cak_apply_gain(rows.floats(rows.count), Int32(rows.count), 1 / 3) },
      AudioComparison("cak_apply_ramp") { rows in
        for ramp in ramps { cak_apply_ramp(rows.floats(rows.count), Int32(rows.count), ramp) }
      },
      AudioComparison("cak_apply_gains") { rows in
        cak_apply_gains(rows.floats(rows.count), rows.floats(rows.count), Int32(rows.count))
      },
    ]
  }

  private static var curves: [AudioComparison] {
    [
      AudioComparison("cak_apply_balance", "cak_side_gain") { rows in
        for side in [-1.0, 1] {
          let pan = cak_ramp(start: -1, step: 2 / Double(max(1, rows.count)), offset: 0)
          cak_apply_balance(rows.floats(rows.count), Int32(rows.count), pan, side)
          for pan in [-1, -0.3, 0, 0.7, 1] { rows.returned(Double(cak_side_gain(pan, side))) }
        }
      },
      AudioComparison("cak_apply_exponential") { rows in
        for (rate, first, step): (Double, Int64, Int64) in [(-1e-4, 0, 1), (0.003, -500, 1), (-2e-7, 40_000_000, -1)] {
          cak_apply_exponential(rows.floats(rows.count), Int32(rows.count), rate, first, step)
        }
      },
    ]
  }

  private static var levels: [AudioComparison] {
    [
      AudioComparison("cak_level_create", "cak_level_follow", "cak_level_destroy") { rows in
        for size: Int32 in [1, 7, 480] {
          let level = cak_level_create(size)
          let channels = (0..<2).map { _ in UnsafePointer<Float>?(rows.floats(rows.count)) }
          cak_level_follow(level, channels, 2, Int32(rows.count), 0.4, rows.row(rows.count) { _ in false })
          cak_level_destroy(level)
        }
      },
      AudioComparison("cak_magnitude") { rows in
        rows.returned(Double(cak_magnitude(rows.floats(rows.count), Int32(rows.count))))
        rows.returned(Double(cak_magnitude(rows.anyBits(rows.count), Int32(rows.count))))
      },
      AudioComparison("cak_true_peaks", "cak_peak_bound") { rows in
        let reach = Int(cak_peak_reach)
        let samples = rows.floats(rows.count + 2 * reach) + reach
        cak_true_peaks(samples, Int32(rows.count), 0.4, rows.floats(rows.count, 0...0.5))
        rows.returned(Double(cak_peak_bound()))
      },
      AudioComparison("cak_limiter_create", "cak_limiter_run", "cak_limiter_delay", "cak_limiter_destroy") { rows in
        for (attack, release, reach): (Int32, Int32, Int32) in [(1, 1, 16), (72, 2400, 32)] {
          let limiter = cak_limiter_create(attack, release, reach, 0.9, 0.89)
          for _ in 0..<3 {
            cak_limiter_run(limiter, rows.floats(rows.count, 0...3), Int32(rows.count), rows.floats(rows.count))
          }
          rows.returned(Double(cak_limiter_delay(limiter)))
          cak_limiter_destroy(limiter)
        }
      },
    ]
  }
}
