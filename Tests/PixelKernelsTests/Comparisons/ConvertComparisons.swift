import CCompositorKernels

/// A curve of `convert_curve`, which any nodes will do for.
private func nodes(_ rows: Workspace) -> UnsafeMutablePointer<Float> {
  let octaves = Int(CPK_CONVERT_CURVE_LAST_EXPONENT - CPK_CONVERT_CURVE_FIRST_EXPONENT)
  return rows.floats(2 * (octaves * 256 + 1), -1...2)
}

/// BT.709's matrices to and from L, M and S; a boundary that is not far away.
private let hueLines: cpk_hue_lines = {
  var lines = cpk_hue_lines()
  lines.to_lms = (0.29576, 0.62311, 0.08113, 0.15619, 0.72726, 0.11655, 0.03504, 0.15659, 0.80838)
  lines.to_rgb = (6.17353, -5.32017, 0.14664, -1.32411, 2.56026, -0.23615, -0.01114, -0.26533, 1.27647)
  (lines.knee, lines.plain_share) = (0.9, 0.05)
  withUnsafeMutableBytes(of: &lines.reciprocals) { bytes in
    for index in 0..<bytes.count / 8 {
      bytes.storeBytes(of: 4 + Double(index % 32) / 8, toByteOffset: 8 * index, as: Double.self)
    }
  }
  return lines
}()
private let matrix: [Float] = [0.6, 0.3, 0.1, -0.2, 1.1, 0.1, 0.05, -0.3, 1.25]
private let weights: [Float] = [0.2627, 0.678, 0.0593]

extension Comparison {
  static var convert: [Comparison] { loads + stores + colors + chroma }

  private static var loads: [Comparison] {
    [
      Comparison("convert_load_u8") { kernels, rows in
        for step in [1, 2, 4] {
          for (zero, offset) in [(0, -16 / 219), (16, 0)] as [(Float, Float)] {
            let (from, to) = (rows.bytes(rows.count * step), rows.floats(rows.count))
            kernels.convert_load_u8(from, step, to, rows.count, zero, 1 / 219, offset, 0)
          }
        }
      },
      Comparison("convert_load_u16") { kernels, rows in
        for (step, shift) in [(1, 0), (2, 6), (4, 4)] {
          for (zero, offset) in [(0, -64 / 876), (64, 0)] as [(Float, Float)] {
            let (from, to) = (rows.words(rows.count * step), rows.floats(rows.count))
            kernels.convert_load_u16(from, step, Int32(shift), to, rows.count, zero, 1 / 876, offset, 8)
          }
        }
      },
      Comparison("convert_load_f16") { kernels, rows in
        for step in [1, 4] {
          kernels.convert_load_f16(rows.words(rows.count * step), step, rows.floats(rows.count), rows.count)
        }
      },
      Comparison("convert_load_f32") { kernels, rows in
        for step in [1, 4] {
          kernels.convert_load_f32(rows.anyBits(rows.count * step), step, rows.floats(rows.count), rows.count)
        }
      },
    ]
  }

  private static var stores: [Comparison] {
    [
      Comparison("convert_store_u8") { kernels, rows in
        for step in [1, 2, 4] {
          for from in [rows.floats(rows.count), rows.anyBits(rows.count)] {
            kernels.convert_store_u8(from, rows.bytes(rows.count * step), step, rows.count, 219, 16)
          }
        }
      },
      Comparison("convert_store_u16") { kernels, rows in
        for (step, shift) in [(1, 0), (1, 6), (2, 4), (4, 0)] {
          for from in [rows.floats(rows.count), rows.anyBits(rows.count)] {
            let to = rows.words(rows.count * step)
            kernels.convert_store_u16(from, to, step, Int32(shift), rows.count, 876, 64, Float(65535 >> shift))
          }
        }
      },
      Comparison("convert_store_f16") { kernels, rows in
        for step in [1, 4] {
          for from in [rows.floats(rows.count), rows.anyBits(rows.count)] {
            kernels.convert_store_f16(from, rows.words(rows.count * step), step, rows.count)
          }
        }
      },
      Comparison("convert_store_f32") { kernels, rows in
        for step in [1, 4] {
          kernels.convert_store_f32(rows.floats(rows.count), rows.floats(rows.count * step), step, rows.count)
        }
      },
      Comparison("convert_dither") { kernels, rows in
        for y in [0, 3, 7, 1081] { kernels.convert_dither(rows.floats(rows.count), rows.count, y, 1 / 219) }
      },
    ]
  }

  private static var colors: [Comparison] {
    [
      Comparison("convert_matrix") { kernels, rows in
        kernels.convert_matrix(rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count), rows.count, matrix)
      },
      Comparison("convert_curve") { kernels, rows in
        kernels.convert_curve(rows.floats(rows.count), rows.count, nodes(rows))
      },
      Comparison("convert_factor") { kernels, rows in
        for weights in [weights, nil] {
          let (a, b, c) = (rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count))
          kernels.convert_factor(a, b, c, rows.count, weights, nodes(rows))
        }
      },
      Comparison("convert_limit") { kernels, rows in
        for top in [1, Float.infinity] { kernels.convert_limit(rows.floats(rows.count), rows.count, top) }
      },
      Comparison("convert_hue_lines") { kernels, rows in
        var lines = hueLines
        for range in [Float(0)...1, -0.2...1.2] {
          let (a, b, c) = (rows.floats(rows.count, range), rows.floats(rows.count, range), rows.floats(rows.count, range))
          kernels.convert_hue_lines(a, b, c, rows.count, &lines)
        }
        kernels.convert_hue_lines(rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count), rows.count, &lines)
      },
      Comparison("convert_multiply") { kernels, rows in
        kernels.convert_multiply(rows.floats(rows.count), rows.floats(rows.count), rows.count)
      },
      Comparison("convert_divide") { kernels, rows in
        kernels.convert_divide(rows.floats(rows.count), rows.floats(rows.count), rows.count)
        kernels.convert_divide(rows.floats(rows.count), rows.floats(rows.count, 0...1), rows.count)
      },
      Comparison("convert_mix") { kernels, rows in
        for weight: Float in [0, 0.3, 1] {
          let (a, b) = (rows.floats(rows.count), rows.floats(rows.count))
          kernels.convert_mix(a, b, weight, rows.floats(rows.count), rows.count)
          kernels.convert_mix(a, b, weight, a, rows.count)
        }
      },
    ]
  }

  private static var chroma: [Comparison] {
    [
      Comparison("convert_upsample") { kernels, rows in
        let chromaCount = max(1, (rows.count + 1) / 2)
        for centered in [false, true] {
          for first in [0, 1, rows.count / 2] where first <= rows.count {
            kernels.convert_upsample(
              rows.floats(chromaCount), chromaCount, centered, first, rows.floats(rows.count - first), rows.count - first)
          }
        }
      },
      Comparison("convert_downsample") { kernels, rows in
        for centered in [false, true] {
          kernels.convert_downsample(rows.floats(rows.count), rows.count, centered, rows.floats((rows.count + 1) / 2))
        }
      },
      Comparison("convert_smooth") { kernels, rows in
        let (a, b, c) = (rows.floats(rows.count), rows.floats(rows.count), rows.floats(rows.count))
        kernels.convert_smooth(a, b, c, rows.floats(rows.count), rows.count)
      },
    ]
  }
}
