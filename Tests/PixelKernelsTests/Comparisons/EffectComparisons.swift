import CCompositorKernels

extension Comparison {
  static var effect: [Comparison] { blurs + lines + keys + cubes }

  private static var blurs: [Comparison] {
    [
      Comparison("effect_convolve_row") { kernels, rows in
        for taps in [1, 2, 9] {
          let (from, weights) = (rows.floats(rows.count + taps), rows.floats(taps, -0.5...1))
          kernels.effect_convolve_row(rows.floats(rows.count), from, weights, taps, rows.count)
        }
      },
      Comparison("effect_convolve_rows") { kernels, rows in
        for taps in [1, 2, 9] {
          let from = (0..<taps).map { _ in UnsafePointer<Float>?(rows.floats(rows.count)) }
          kernels.effect_convolve_rows(rows.floats(rows.count), from, rows.floats(taps, -0.5...1), taps, rows.count)
        }
      },
      Comparison("effect_widen_8") { kernels, rows in
        kernels.effect_widen_8(rows.floats(rows.count), rows.bytes(rows.count), rows.count)
      },
      Comparison("effect_widen_16") { kernels, rows in
        kernels.effect_widen_16(rows.floats(rows.count), rows.words(rows.count), rows.count)
      },
      Comparison("effect_halve_rows_8") { kernels, rows in
        let from = (0..<4).map { _ in rows.bytes(rows.count) }
        kernels.effect_halve_rows_8(rows.floats(rows.count), from[0], from[1], from[2], from[3], rows.count)
      },
      Comparison("effect_halve_rows_16") { kernels, rows in
        let from = (0..<4).map { _ in rows.words(rows.count) }
        kernels.effect_halve_rows_16(rows.floats(rows.count), from[0], from[1], from[2], from[3], rows.count)
      },
      Comparison("effect_halve_rows") { kernels, rows in
        let from = (0..<4).map { _ in rows.floats(rows.count) }
        kernels.effect_halve_rows(rows.floats(rows.count), from[0], from[1], from[2], from[3], rows.count)
      },
      Comparison("effect_halve_row") { kernels, rows in
        kernels.effect_halve_row(rows.floats(rows.count), rows.floats(2 * rows.count + 2) + 1, rows.count)
      },
      Comparison("effect_spline_row") { kernels, rows in
        for factor in [1, 2, 4, 8, 16] {
          let (from, weights) = (rows.floats(rows.count / factor + 5) + 2, rows.floats(5 * factor, 0...1))
          kernels.effect_spline_row(rows.floats(rows.count), from, weights, factor, rows.count)
        }
      },
      Comparison("effect_spline_rows_8") { kernels, rows in
        let from = (0..<4).map { _ in rows.floats(rows.count, -20...300) }
        let (out, weights) = (rows.bytes(rows.count), rows.floats(4, 0...1))
        kernels.effect_spline_rows_8(out, from[0], from[1], from[2], from[3], weights, rows.count)
      },
      Comparison("effect_spline_rows_16") { kernels, rows in
        let from = (0..<4).map { _ in rows.floats(rows.count, -20...70_000) }
        let (out, weights) = (rows.words(rows.count), rows.floats(4, 0...1))
        kernels.effect_spline_rows_16(out, from[0], from[1], from[2], from[3], weights, rows.count)
      },
      Comparison("effect_spline_rows") { kernels, rows in
        let from = (0..<4).map { _ in rows.floats(rows.count) }
        let (out, weights) = (rows.floats(rows.count), rows.floats(4, 0...1))
        kernels.effect_spline_rows(out, from[0], from[1], from[2], from[3], weights, rows.count)
      },
      Comparison("effect_scale_row") { kernels, rows in
        kernels.effect_scale_row(rows.floats(rows.count), 1 / 3, rows.count)
      },
    ]
  }

  private static var lines: [Comparison] {
    let settings: [(scale: Float, offset: Float)] = [(1.1, -16), (-1, 255), (0, 300), (65536, -1e9)]
    return [
      Comparison("effect_line_8") { kernels, rows in
        for line in settings {
          kernels.effect_line_8(rows.bytes(rows.count), rows.bytes(rows.count), line.scale, line.offset, rows.count)
        }
      },
      Comparison("effect_line_16") { kernels, rows in
        for line in settings {
          let (to, from) = (rows.words(rows.count), rows.words(rows.count))
          kernels.effect_line_16(to, from, line.scale, line.offset, 1023, rows.count)
        }
      },
      Comparison("effect_chroma_8") { kernels, rows in
        let matrix = cpk_effect_chroma_matrix(uu: 0.9, uv: -0.4, vu: 0.4, vv: 3, u: 129, v: 120, neutral: 128, top: 255)
        let (u, v) = (rows.bytes(rows.count), rows.bytes(rows.count))
        kernels.effect_chroma_8(rows.bytes(rows.count), rows.bytes(rows.count), u, v, matrix, rows.count)
      },
      Comparison("effect_chroma_16") { kernels, rows in
        let matrix = cpk_effect_chroma_matrix(uu: 0.9, uv: -0.4, vu: 0.4, vv: 3, u: 520, v: 500, neutral: 512, top: 1023)
        let (u, v) = (rows.words(rows.count, upTo: 1023), rows.words(rows.count, upTo: 1023))
        kernels.effect_chroma_16(rows.words(rows.count), rows.words(rows.count), u, v, matrix, rows.count)
      },
    ]
  }

  private static var keys: [Comparison] {
    [
      Comparison("effect_key_8") { kernels, rows in
        let key = cpk_effect_key(
          u: 54, v: 34, neutral: 128, top: 255, inner: 20, slope: 0.05, wayU: -0.6, wayV: -0.8, spill: 0.7)
        let (u, v) = (rows.bytes(rows.count), rows.bytes(rows.count))
        kernels.effect_key_8(
          rows.floats(rows.count), rows.bytes(rows.count), rows.bytes(rows.count), u, v, key, rows.count)
      },
      Comparison("effect_key_16") { kernels, rows in
        let key = cpk_effect_key(
          u: 216, v: 136, neutral: 512, top: 1023, inner: 80, slope: 0.0125, wayU: -0.6, wayV: -0.8, spill: 0.7)
        let (u, v) = (rows.words(rows.count, upTo: 1023), rows.words(rows.count, upTo: 1023))
        kernels.effect_key_16(
          rows.floats(rows.count), rows.words(rows.count), rows.words(rows.count), u, v, key, rows.count)
      },
      Comparison("effect_spread_8") { kernels, rows in
        for (shift, phase): (Int, Float) in [(0, 0), (1, 0.25), (1, -0.25)] {
          let values = max(1, (rows.count + shift) >> shift)
          let (a, b) = (rows.floats(values, 0...1), rows.floats(values, 0...1))
          kernels.effect_spread_8(rows.bytes(rows.count), a, b, 0.3, shift, phase, rows.count)
        }
      },
      Comparison("effect_spread_16") { kernels, rows in
        for (shift, phase): (Int, Float) in [(0, 0), (1, 0.25), (1, -0.25)] {
          let values = max(1, (rows.count + shift) >> shift)
          let (a, b) = (rows.floats(values, 0...1), rows.floats(values, 0...1))
          kernels.effect_spread_16(rows.words(rows.count), a, b, 0.3, shift, phase, 65535, rows.count)
        }
      },
    ]
  }

  private static var cubes: [Comparison] {
    [
      Comparison("effect_cube_row") { kernels, rows in
        for (side, isOneDimensional): (Int, Int32) in [(2, 0), (5, 0), (17, 1)] {
          let nodes = isOneDimensional == 1 ? side : side * side * side
          let top = Float(side - 1)
          var cube = cpk_effect_cube(
            table: rows.floats(4 * nodes, -0.5...1.5), side: Int32(side), low: (0, 0.1, -0.5), scale: (top, top * 1.2, top / 2),
            isOneDimensional: isOneDimensional)
          kernels.effect_cube_row(rows.words(4 * rows.count), rows.words(4 * rows.count), &cube, rows.count)
        }
      },
      Comparison("effect_blend_row") { kernels, rows in
        for mode in allBlendModes {
          for opacity: Float in [0, 0.3, 1] {
            let (under, over) = (rows.words(4 * rows.count), rows.words(4 * rows.count))
            kernels.effect_blend_row(rows.words(4 * rows.count), under, over, mode, opacity, rows.count)
            kernels.effect_blend_row(under, under, over, mode, opacity, rows.count)
          }
        }
      },
    ]
  }
}

/// The numbers of all blend modes.
let allBlendModes = (Int32(0)..<64).prefix { cpk_blend_mode_name($0) != nil }
