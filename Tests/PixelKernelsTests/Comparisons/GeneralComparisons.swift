import CCompositorKernels

extension Comparison {
  static var general: [Comparison] { compositing + sampling }

  private static var compositing: [Comparison] {
    [
      Comparison("general_over_opaque") { kernels, rows in
        kernels.general_over_opaque(rows.floats(rows.count), rows.floats(rows.count), 0.3, rows.count)
      },
      Comparison("general_over_weights") { kernels, rows in
        let (under, over) = (rows.floats(rows.count), rows.floats(rows.count))
        kernels.general_over_weights(under, over, rows.floats(rows.count, 0...1), rows.count)
      },
      Comparison("general_over_alpha") { kernels, rows in
        let (under, over) = (rows.floats(rows.count), rows.floats(rows.count))
        kernels.general_over_alpha(under, over, rows.floats(rows.count, 0...1), rows.floats(rows.count, 0...1), rows.count)
      },
      Comparison("general_lay_8") { kernels, rows in
        for step in [1, 2, 4] {
          let under = rows.bytes(step * rows.count)
          let (over, alpha) = (rows.floats(rows.count, -1...1), rows.floats(rows.count, 0...1))
          kernels.general_lay_8(under, step, over, alpha, 224, 128, rows.count)
        }
      },
      Comparison("general_lay_16") { kernels, rows in
        for (step, shift) in [(1, Int32(0)), (2, 6)] {
          let under = rows.words(step * rows.count)
          let (over, alpha) = (rows.floats(rows.count, -1...1), rows.floats(rows.count, 0...1))
          kernels.general_lay_16(under, step, shift, over, alpha, 896, 512, 1023, rows.count)
        }
      },
      Comparison("general_straight_8") { kernels, rows in
        for wide in [false, true] {
          let (under, noise) = (rows.bytes(rows.count), rows.floats(rows.count, -0.5...0.5))
          let over = wide ? UnsafeRawPointer(rows.words(rows.count)) : UnsafeRawPointer(rows.bytes(rows.count))
          let alpha = wide ? UnsafeRawPointer(rows.words(rows.count)) : UnsafeRawPointer(rows.bytes(rows.count))
          kernels.general_straight_8(
            under, over, alpha, wide, noise, wide ? 1 / 257 : 1, 0, (wide ? 1 / 65535 : 1 / 255) * 0.9, rows.count)
        }
      },
      Comparison("general_straight_16") { kernels, rows in
        for wide in [false, true] {
          let (under, noise) = (rows.words(rows.count, upTo: 1023), rows.floats(rows.count, -0.5...0.5))
          let over = wide ? UnsafeRawPointer(rows.words(rows.count)) : UnsafeRawPointer(rows.bytes(rows.count))
          let alpha = wide ? UnsafeRawPointer(rows.words(rows.count)) : UnsafeRawPointer(rows.bytes(rows.count))
          kernels.general_straight_16(
            under, over, alpha, wide, noise, wide ? 1 / 64 : 4, -3, wide ? 1 / 65535 : 1 / 255, 1023, rows.count)
        }
      },
      Comparison("general_weigh_rows") { kernels, rows in
        for (wide, third) in [(false, Float(0)), (true, 0), (false, 0.25), (true, 0.25)] {
          func row() -> UnsafeRawPointer? {
            wide ? UnsafeRawPointer(rows.words(rows.count)) : UnsafeRawPointer(rows.bytes(rows.count))
          }
          let (overs, alpha) = ([row(), row(), row(), row(), row(), row()], [row(), row(), row()])
          let sums = (rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count))
          kernels.general_weigh_rows(sums.0, sums.1, sums.2, overs, alpha, wide, [0.5, 0.25, third], rows.count)
        }
      },
      Comparison("general_coverage") { kernels, rows in
        let down = cpk_coverage_axis(position: 4, step: 0.01, footprint: 1.7, low: 3.75, high: 9)
        for (position, step) in [(-2.5, 0.5), (1e9, -1e6), (40.125, -0.37)] {
          let across = cpk_coverage_axis(position: position, step: step, footprint: 1.9, low: 0, high: 17.25)
          kernels.general_coverage(across, down, 0.7, rows.floats(rows.count), rows.count)
        }
      },
      Comparison("general_rounded_coverage") { kernels, rows in
        for (radius, u, v) in [(Float(0), -3.0, 1.0), (2.5, 1, 0.5), (4, -1e9, 7)] {
          var shape = cpk_general_shape(
            centerX: 6, centerY: 4, halfWidth: 5, halfHeight: 4, radius: radius, ux: 0.4, uy: -0.2, vx: 0.15, vy: 0.5)
          kernels.general_rounded_coverage(&shape, u, v, rows.floats(rows.count), rows.count)
        }
      },
      Comparison("general_accumulate") { kernels, rows in
        kernels.general_accumulate(rows.floats(rows.count), rows.floats(rows.count), 1 / 3, rows.count)
      },
    ]
  }

  private static var sampling: [Comparison] {
    [
      Comparison("general_bilinear") { kernels, rows in
        for (width, height) in [(13, 9), (1, 5), (7, 1), (1, 1)] {
          let stride = 4 * width + 3
          let picture = cpk_general_picture(base: rows.floats(stride * height), stride: stride, width: width, height: height)
          for (u, v, du, dv) in [(-3.7, 11.2, 0.61, -0.43), (2, 3, 0, 0), (1e300, -1e300, -1e299, 1e300), (.nan, 1, 1, .nan)] {
            let (r, g) = (rows.floats(rows.count), rows.floats(rows.count))
            let (b, a) = (rows.floats(rows.count), rows.floats(rows.count))
            kernels.general_bilinear(picture, u, v, du, dv, r, g, b, a, rows.count)
          }
        }
      },
      Comparison("general_join") { kernels, rows in
        let (r, g, b, a) = (rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count))
        kernels.general_join(r, g, b, a, rows.floats(4 * rows.count), rows.count)
      },
      Comparison("general_reduce") { kernels, rows in
        for (ratio, origin, first) in [(3.1, 0, 0), (1, 0, 0), (7.75, 5, 1)] {
          let width = Int(Double(rows.count) * ratio) + 1
          let (r, g, b) = (rows.floats(width), rows.floats(width), rows.floats(width))
          for alpha in [rows.floats(width), nil] {
            kernels.general_reduce(r, g, b, alpha, width, origin, ratio, first, rows.floats(4 * rows.count), rows.count)
          }
        }
      },
    ]
  }

  static var measure: [Comparison] {
    [
      Comparison("measure_peaks_u16") { kernels, rows in
        for shift in [0, 1] {
          var components = cpk_measure_components(
            scale: (1 / 876, 1 / 896, 1 / 896), offset: (-64 / 876, -512 / 896, -512 / 896),
            matrix: (1, 0, 1.4746, 1, -0.16455, -0.57135, 1, 1.8814, 0))
          let chroma = (rows.count + shift) >> shift
          let (first, second, third) = (rows.words(rows.count), rows.words(chroma), rows.words(chroma))
          kernels.measure_peaks_u16(first, second, third, Int32(shift), &components, rows.floats(rows.count), rows.count)
        }
      },
      Comparison("measure_light") { kernels, rows in
        let nodes = rows.floats(Int(CPK_MEASURE_SEGMENT_COUNT) + 1, 0...10_000)
        rows.returned(kernels.measure_light(rows.floats(rows.count, 0...1), rows.count, nodes, rows.floats(1, 0...50)))
      },
      Comparison("measure_bits_16") { kernels, rows in
        rows.returned(Double(kernels.measure_bits_16(rows.words(rows.count), rows.count)))
      },
      Comparison("measure_magnitude_16") { kernels, rows in
        rows.returned(Double(kernels.measure_magnitude_16(rows.words(rows.count), rows.count)))
      },
      Comparison("measure_magnitude_32") { kernels, rows in
        rows.words(rows.count * 2).withMemoryRebound(to: UInt32.self, capacity: rows.count) { row in
          rows.returned(Double(kernels.measure_magnitude_32(row, rows.count)))
        }
      },
      Comparison("measure_difference_8") { kernels, rows in
        rows.returned(Double(kernels.measure_difference_8(rows.bytes(rows.count), rows.bytes(rows.count), rows.count)))
      },
    ]
  }
}
