import CCompositorKernels

/// Weights of `taps` neighbors in fixed point that add up to 2^14, none beyond what a filter has.
private func weights(_ rows: Workspace, _ count: Int, _ taps: Int) -> UnsafeMutablePointer<Int16> {
  rows.row(count * taps) { index in
    let tap = index % taps
    let share = 16384 / taps
    // Neighbors of the middle count more, those farther away less than nothing.
    let lift = tap % 2 == 0 ? 300 + index % 7 : -300 - (index - 1) % 7
    return Int16(clamping: tap == taps - 1 ? 16384 - share * (taps - 1) + lift : share + lift)
  }
}

extension Comparison {
  static var filters: [Comparison] { filtersDown + filtersAlong + wideSamples }

  private static var filtersDown: [Comparison] {
    [
      Comparison("filter_rows8") { kernels, rows in
        for (taps, first, height): (Int, Int32, Int32) in [(2, 0, 9), (4, -3, 5), (14, 3, 7), (36, -20, 3)] {
          let stride = rows.count + 3
          var source = cpk_filter_rows(
            src: rows.bytes(stride * Int(height)), src_stride: stride, first: first, height: height,
            weights: weights(rows, 1, taps), taps: taps, shift: 8)
          kernels.filter_rows8(rows.row(rows.count) { _ in 0 }, &source, rows.count)
        }
      },
      Comparison("filter_rows16") { kernels, rows in
        for (taps, first, height): (Int, Int32, Int32) in [(2, 0, 9), (4, -3, 5), (14, 3, 7), (36, -20, 3)] {
          for (limit, shift): (UInt16, Int32) in [(1023, 10), (4095, 12)] {
            let stride = rows.count + 3
            var source = cpk_filter_rows(
              src: rows.words(stride * Int(height), upTo: limit), src_stride: 2 * stride, first: first, height: height,
              weights: weights(rows, 1, taps), taps: taps, shift: shift)
            kernels.filter_rows16(rows.row(rows.count) { _ in 0 }, &source, rows.count)
          }
        }
      },
    ]
  }

  /// Filters along rows: enlarging, reducing little and much, mirrored; of few rows and of as many as there may be.
  private static var filtersAlong: [Comparison] {
    func cases(_ rows: Workspace, _ body: (cpk_filter_columns, Int) -> Void) {
      for (taps, step, height) in [
        (4, 0.5, 16), (4, 1.0, 3), (6, 0.75, 1), (8, 1.3, 16), (14, 2.0, 16), (20, -3.0, 7), (386, 60.0, 2), (14, -2.5, 16),
        // As few taps, further apart than those of narrow kernels.
        (6, 2.08, 16), (8, 3.4, 5), (8, -2.9, 16), (6, 9.0, 3), (2, 40.0, 2),
      ] {
        func start(_ index: Int) -> Int {
          let way = Int((Double(step < 0 ? index - rows.count + 1 : index) * step).rounded(.down))
          return taps > 8 ? way & ~1 : way
        }
        let width = max(start(0), start(max(rows.count - 1, 0))) + taps
        let words: UnsafeMutablePointer<Int16> = rows.row(width * height) { index in
          // What sums down the rows may be.
          rows.input == .noise ? Int16(index * 7919 % 21000) : index % 2 == 0 ? 20800 : -4400
        }
        body(
          cpk_filter_columns(
            src: words, src_stride: width, starts: rows.row(rows.count) { Int32(start($0)) },
            weights: weights(rows, rows.count, taps), taps: taps, shift: 20, is_halving: false), height)
      }
      halving(rows, body)
    }
    /// Reductions by exactly two, with the same weights for each column.
    func halving(_ rows: Workspace, _ body: (cpk_filter_columns, Int) -> Void) {
      for (taps, height) in [(12, 16), (6, 5), (4, 1), (14, 7)] {
        let width = 2 * rows.count + taps + 2
        let words: UnsafeMutablePointer<Int16> = rows.row(width * height) { index in
          rows.input == .noise ? Int16(index * 7919 % 21000) : index % 2 == 0 ? 20800 : -4400
        }
        let one = weights(rows, 1, taps)
        body(
          cpk_filter_columns(
            src: words, src_stride: width, starts: rows.row(rows.count) { Int32(2 * $0 + 2) },
            weights: rows.row(rows.count * taps) { one[$0 % taps] }, taps: taps, shift: 20, is_halving: true), height)
      }
    }
    return [
      Comparison("filter_columns8") { kernels, rows in
        cases(rows) { source, height in
          var source = source
          let stride = rows.count + 5
          kernels.filter_columns8(rows.bytes(stride * height), stride, &source, height, rows.count)
        }
      },
      Comparison("filter_columns16") { kernels, rows in
        cases(rows) { source, height in
          var source = source
          source.shift = 18
          let stride = rows.count + 5
          kernels.filter_columns16(rows.words(stride * height), 2 * stride, &source, height, rows.count, 1023)
        }
      },
      Comparison("narrow_limited16") { kernels, rows in
        kernels.narrow_limited16(rows.words(rows.count), rows.floats(rows.count, -3000...70000), rows.count, 65535)
        kernels.narrow_limited16(rows.words(rows.count), rows.floats(rows.count), rows.count, 1023)
      },
    ]
  }

  private static func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }

  private static var wideSamples: [Comparison] {
    func phases(_ rows: Workspace) -> UnsafeMutablePointer<Float> {
      rows.row((Int(cpk_wide_phases) + 1) * 6) { index in Float(index % 6 == 2 ? 1.1 : -0.02) + Float(index / 6) / 9000 }
    }
    return [
      Comparison("sample_wide8") { kernels, rows in
        for (x, y, dx, dy) in [(-3.7, 11.2, 0.61, -0.43), (2, 1.5, 0.007, 0.003), (0, 0, 1, 0)] {
          var row = cpk_sample_row(
            src: rows.bytes(16 * 9), src_stride: 16, width: 13, height: 9, x: fixed(x), y: fixed(y), dx: fixed(dx),
            dy: fixed(dy))
          kernels.sample_wide8(rows.floats(rows.count), &row, phases(rows), 255, rows.count)
        }
      },
      Comparison("sample_wide16") { kernels, rows in
        for (x, y, dx, dy) in [(-3.7, 11.2, 0.61, -0.43), (2, 1.5, 0.007, 0.003), (0, 0, 1, 0)] {
          var row = cpk_sample_row(
            src: rows.words(16 * 9), src_stride: 32, width: 13, height: 9, x: fixed(x), y: fixed(y), dx: fixed(dx),
            dy: fixed(dy))
          kernels.sample_wide16(rows.floats(rows.count), &row, phases(rows), 65535, rows.count)
        }
      },
      Comparison("general_wide") { kernels, rows in
        for (width, height) in [(13, 9), (1, 1)] {
          let picture = cpk_general_picture(
            base: rows.floats(4 * width * height), stride: 4 * width, width: width, height: height)
          kernels.general_wide(
            picture, -3.3, 7.9, 0.37, -0.21, phases(rows), rows.floats(rows.count), rows.floats(rows.count),
            rows.floats(rows.count), rows.floats(rows.count), rows.count)
        }
      },
      Comparison("general_filter") { kernels, rows in
        for taps in [4, 14] {
          let starts: UnsafeMutablePointer<Int32> = rows.row(rows.count) { Int32($0 * 3 / 2) }
          kernels.general_filter(
            rows.floats(4 * (rows.count * 3 / 2 + taps)), starts, rows.floats(rows.count * taps, -1...1), taps,
            rows.floats(4 * rows.count), rows.count)
        }
      },
      Comparison("general_limit_alpha") { kernels, rows in
        kernels.general_limit_alpha(rows.floats(4 * rows.count), rows.count)
      },
    ]
  }
}
