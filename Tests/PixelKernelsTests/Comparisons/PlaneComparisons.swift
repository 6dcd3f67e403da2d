import CCompositorKernels

private func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }

extension Comparison {
  static var planes: [Comparison] { mixes + reductions + warps + floatRows }

  private static var mixes: [Comparison] {
    [
      Comparison("copy") { kernels, rows in
        kernels.copy(rows.bytes(rows.count), rows.bytes(rows.count), rows.count)
      },
      Comparison("mix8") { kernels, rows in
        for weight: Int32 in [0, 1, 32_767, 65_536] {
          kernels.mix8(rows.bytes(rows.count), rows.bytes(rows.count), rows.bytes(rows.count), rows.count, weight)
        }
      },
      Comparison("mix16") { kernels, rows in
        for weight: Float in [0, 0.3, 1] {
          kernels.mix16(rows.words(rows.count), rows.words(rows.count), rows.words(rows.count), rows.count, weight)
        }
      },
      Comparison("mix_rows8") { kernels, rows in
        for (isAligned, weight): (Bool, Int32) in [(true, 0), (true, 32_767), (true, 65_536), (false, 32_769)] {
          let stride = (rows.count + 63) / 64 * 64 + (isAligned ? 0 : 3)
          let target = isAligned ? rows.lines(3 * stride) : rows.bytes(3 * stride)
          kernels.mix_rows8(
            target, stride, rows.bytes(3 * rows.count), rows.count, rows.bytes(3 * stride), stride, rows.count, 3, weight)
        }
      },
      Comparison("mix_rows16") { kernels, rows in
        for (isAligned, weight): (Bool, Float) in [(true, 0), (true, 0.3), (true, 1), (false, 0.7)] {
          let stride = (2 * rows.count + 63) / 64 * 64 + (isAligned ? 0 : 2)
          let target = UnsafeMutableRawPointer(isAligned ? rows.lines(3 * stride) : rows.bytes(3 * stride))
          kernels.mix_rows16(
            target.assumingMemoryBound(to: UInt16.self), stride, rows.words(3 * rows.count), 2 * rows.count,
            rows.words(3 * stride),
            2 * stride, rows.count, 3, weight)
        }
      },
      Comparison("copy_rows") { kernels, rows in
        for isAligned in [true, false] {
          let stride = (rows.count + 63) / 64 * 64 + (isAligned ? 0 : 3)
          let target = isAligned ? rows.lines(3 * stride) : rows.bytes(3 * stride)
          kernels.copy_rows(target, stride, rows.bytes(3 * rows.count), rows.count, rows.count, 3)
        }
      },
      Comparison("shift8") { kernels, rows in
        for (fx, fy, weight): (Int32, Int32, Int32) in [(0, 0, 32_768), (1, 32_767, 32_768), (20_000, 9, 12_345), (7, 7, 0)] {
          let (top, bottom) = (rows.bytes(rows.count + 1), rows.bytes(rows.count + 1))
          kernels.shift8(rows.bytes(rows.count), top, bottom, rows.count, 1, fx, fy, weight)
        }
      },
      Comparison("shift16") { kernels, rows in
        for (fx, fy, weight): (Float, Float, Float) in [(0, 0, 1), (0.01, 0.99, 1), (0.6, 0.5, 0.3)] {
          let (top, bottom) = (rows.words(rows.count + 1), rows.words(rows.count + 1))
          kernels.shift16(rows.words(rows.count), top, bottom, rows.count, 1, fx, fy, weight)
        }
      },
    ]
  }

  private static var reductions: [Comparison] {
    [
      Comparison("halve8") { kernels, rows in
        let stride = 2 * rows.count + 5
        kernels.halve8(rows.bytes(rows.count), rows.bytes(2 * stride), stride, rows.count)
      },
      Comparison("quarter8") { kernels, rows in
        let stride = 4 * rows.count + 5
        kernels.quarter8(rows.bytes(rows.count), rows.bytes(4 * stride), stride, rows.count)
      },
      Comparison("halve16") { kernels, rows in
        let stride = 2 * rows.count + 5
        kernels.halve16(rows.words(rows.count), rows.words(2 * stride), 2 * stride, rows.count)
      },
      Comparison("quarter16") { kernels, rows in
        let stride = 4 * rows.count + 5
        kernels.quarter16(rows.words(rows.count), rows.words(4 * stride), 2 * stride, rows.count)
      },
      Comparison("accumulate8") { kernels, rows in
        kernels.accumulate8(rows.floats(rows.count), rows.bytes(rows.count), rows.count, 1 / 3)
      },
      Comparison("accumulate16") { kernels, rows in
        kernels.accumulate16(rows.floats(rows.count), rows.words(rows.count), rows.count, 1 / 3)
      },
      Comparison("reduce") { kernels, rows in
        // Halves of samples from one to the next; the last ones run backwards.
        for (taps, step) in [(1, 3), (4, 3), (7, 3), (4, 7), (9, 8), (3, 17), (4, -3)] {
          let end = rows.count * abs(step) / 2
          let start = rows.row(rows.count) { Int32(step < 0 ? end + $0 * step / 2 : $0 * step / 2) }
          let (from, weights) = (rows.floats(end + taps + 1), rows.floats(taps * rows.count, 0...1))
          kernels.reduce(rows.floats(rows.count), from, rows.count, start, weights, taps)
        }
      },
    ]
  }

  private static var warps: [Comparison] {
    [
      Comparison("warp8") { kernels, rows in
        // All of a wider band would not find its windows inside the picture.
        let (side, columns) = (256, min(rows.count, 161))
        let (x, y) = (0.9, 0.34)
        var plan = cpk_warp8_plan()
        cpk_make_warp8_plan(&plan, fixed(x), fixed(y), fixed(-y), fixed(x), Float(x), Float(y), Float(-y), Float(x))
        for (height, weight, isCovered): (Int, Int32, Int32) in [(8, 32_768, 1), (8, 20_000, 0), (3, 32_768, 0), (1, 9999, 1)] {
          var band = cpk_warp8_band()
          (band.dst, band.dst_stride) = (rows.bytes((columns + 3) * height), columns + 3)
          (band.columns, band.rows) = (columns, height)
          (band.src, band.src_stride) = (UnsafePointer(rows.bytes(side * side)), side)
          (band.x_min, band.x_max, band.y_min, band.y_max) = (0, Int32(side - 17), 0, Int32(side - 17))
          (band.x, band.y, band.x_step, band.y_step) = (fixed(20.3), fixed(31.7), fixed(x), fixed(y))
          (band.weight, band.is_covered) = (weight, isCovered)
          (band.left, band.right, band.top, band.bottom) = (-3.25, 77.5, 0.75, 40.5)
          (band.u_step, band.v_step) = (Float(x), Float(y))
          kernels.warp8(&plan, &band)
        }
      },
      Comparison("warp10") { kernels, rows in
        // All of a wider band would not find its windows inside the picture.
        let (side, columns) = (256, min(rows.count, 161))
        let (x, y) = (0.9, 0.34)
        var plan = cpk_warp8_plan()
        cpk_make_warp8_plan(&plan, fixed(x), fixed(y), fixed(-y), fixed(x), Float(x), Float(y), Float(-y), Float(x))
        for (height, weight, isCovered): (Int, Int32, Int32) in [(8, 32_768, 1), (8, 20_000, 0), (3, 32_768, 0), (1, 9999, 1)] {
          var band = cpk_warp8_band()
          let destination = UnsafeMutableRawPointer(rows.words((columns + 3) * height, upTo: 1023))
          (band.dst, band.dst_stride) = (destination.assumingMemoryBound(to: UInt8.self), 2 * (columns + 3))
          (band.columns, band.rows) = (columns, height)
          let source = UnsafeRawPointer(rows.words(side * side, upTo: 1023))
          (band.src, band.src_stride) = (source.assumingMemoryBound(to: UInt8.self), 2 * side)
          (band.x_min, band.x_max, band.y_min, band.y_max) = (0, Int32(side - 17), 0, Int32(side - 17))
          (band.x, band.y, band.x_step, band.y_step) = (fixed(20.3), fixed(31.7), fixed(x), fixed(y))
          (band.weight, band.is_covered) = (weight, isCovered)
          (band.left, band.right, band.top, band.bottom) = (-3.25, 77.5, 0.75, 40.5)
          (band.u_step, band.v_step) = (Float(x), Float(y))
          kernels.warp10(&plan, &band)
        }
      },
      Comparison("sample8") { kernels, rows in
        for (x, y, dx, dy) in [(-3.7, 11.2, 0.61, -0.43), (2, 1.5, 0.007, 0.003), (0, 0, 1, 0)] {
          var row = cpk_sample_row(
            src: rows.bytes(16 * 9), src_stride: 16, width: 13, height: 9, x: fixed(x), y: fixed(y), dx: fixed(dx),
            dy: fixed(dy))
          kernels.sample8(rows.floats(rows.count), &row, rows.count)
        }
      },
      Comparison("sample16") { kernels, rows in
        for (x, y, dx, dy) in [(-3.7, 11.2, 0.61, -0.43), (2, 1.5, 0.007, 0.003), (0, 0, 1, 0)] {
          var row = cpk_sample_row(
            src: rows.words(16 * 9), src_stride: 32, width: 13, height: 9, x: fixed(x), y: fixed(y), dx: fixed(dx),
            dy: fixed(dy))
          kernels.sample16(rows.floats(rows.count), &row, rows.count)
        }
      },
      Comparison("coverage") { kernels, rows in
        let down = cpk_coverage_axis(position: 4, step: 0.01, footprint: 1.7, low: 3.75, high: 9)
        for (position, step) in [(-2.5, 0.5), (1e9, -1e6), (40.125, -0.37)] {
          let across = cpk_coverage_axis(position: position, step: step, footprint: 1.9, low: 0, high: 17.25)
          kernels.coverage(rows.floats(rows.count), rows.count, across, down, 0.7)
        }
      },
    ]
  }

  private static var floatRows: [Comparison] {
    [
      Comparison("blend8") { kernels, rows in
        kernels.blend8(rows.bytes(rows.count), rows.floats(rows.count, 0...255), rows.floats(rows.count, 0...1), rows.count)
      },
      Comparison("blend16") { kernels, rows in
        kernels.blend16(rows.words(rows.count), rows.floats(rows.count, 0...65535), rows.floats(rows.count, 0...1), rows.count)
      },
      Comparison("blend_float") { kernels, rows in
        kernels.blend_float(rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count, 0...1), rows.count)
      },
      Comparison("narrow8") { kernels, rows in
        kernels.narrow8(rows.bytes(rows.count), rows.floats(rows.count, 0...255), rows.count)
      },
      Comparison("narrow16") { kernels, rows in
        kernels.narrow16(rows.words(rows.count), rows.floats(rows.count, 0...65535), rows.count)
      },
    ]
  }
}
