import CCompositorKernels

/// Ways through a picture: along it, turned, and in perspective.
let linesThroughPictures = [
  cpk_overlay_line(u: -2.25, v: 3.5, w: 1, du: 0.4, dv: 0, dw: 0),
  cpk_overlay_line(u: 30.5, v: -1, w: 2, du: -0.21, dv: 0.17, dw: 0),
  cpk_overlay_line(u: 1, v: 2, w: 0.9, du: 0.31, dv: 0.07, dw: 0.004),
]

private let shares: [(x: UInt32, y: UInt32)] = [(0, 0), (1, 255), (128, 77), (255, 0)]

extension Comparison {
  static var overlay: [Comparison] { coverage + betweenRows + blends + replacements + readings }

  private static var coverage: [Comparison] {
    [
      Comparison("overlay_mask_row") { kernels, rows in
        for opacity: UInt16 in [0, 30_000, 65535] {
          kernels.overlay_mask_row(rows.bytes(rows.count), opacity, rows.words(rows.count), rows.count)
        }
      },
      Comparison("overlay_mask_row_shifted") { kernels, rows in
        for share in shares {
          for opacity: UInt16 in [30_000, 65535] {
            let (top, bottom) = (rows.bytes(rows.count + 1) + 1, rows.bytes(rows.count + 1) + 1)
            kernels.overlay_mask_row_shifted(top, bottom, share.x, share.y, opacity, rows.words(rows.count), rows.count)
          }
        }
      },
      Comparison("overlay_mask_row_mapped") { kernels, rows in
        for (width, height) in [(23, 17), (2, 9)] {
          var mask = cpk_overlay_mask(
            bytes: rows.bytes((width + 5) * height), stride: width + 5, width: Int32(width), height: Int32(height))
          for var line in linesThroughPictures {
            kernels.overlay_mask_row_mapped(&mask, &line, 50_000, rows.words(rows.count), rows.count)
          }
        }
      },
      Comparison("overlay_raise_row") { kernels, rows in
        kernels.overlay_raise_row(rows.bytes(rows.count), rows.bytes(rows.count), rows.count)
      },
    ]
  }

  private static var betweenRows: [Comparison] {
    [
      Comparison("overlay_codes_shifted") { kernels, rows in
        for share in shares {
          let (top, bottom) = (rows.words(rows.count + 1) + 1, rows.words(rows.count + 1) + 1)
          kernels.overlay_codes_shifted(top, bottom, share.x, share.y, rows.words(rows.count), rows.count)
        }
      },
      Comparison("overlay_chroma_weights") { kernels, rows in
        for taps: [Int32] in [[1, 2, 1, 1, 2, 1], [0, 2, 2, 0, 4, 0], [0, 4, 0, 0, 2, 2]] {
          let from = (0..<3).map { _ in rows.words(2 * rows.count + 2) + 1 }
          kernels.overlay_chroma_weights(from[0], from[1], from[2], taps, rows.words(rows.count), rows.count)
        }
      },
      Comparison("overlay_halve_row") { kernels, rows in
        for next in [4, 0] {
          let (top, bottom) = (rows.words(8 * rows.count + 4), rows.words(8 * rows.count + 4))
          kernels.overlay_halve_row(top, bottom, next, rows.words(4 * rows.count), rows.count)
        }
      },
    ]
  }

  private static var blends: [Comparison] {
    [
      Comparison("overlay_solid_8") { kernels, rows in
        for step in [1, 2, 4] {
          for code: UInt16 in [0, 23_456, 65_280] {
            kernels.overlay_solid_8(rows.bytes(step * rows.count), step, rows.words(rows.count), code, rows.count)
          }
        }
      },
      Comparison("overlay_solid_16") { kernels, rows in
        for (step, shift) in [(1, 0), (1, 6), (2, 4), (4, 0)] {
          for code: UInt16 in [0, 23_456, 65_535] {
            let row = rows.words(step * rows.count, upTo: 65535 >> shift)
            kernels.overlay_solid_16(row, step, Int32(shift), rows.words(rows.count), code, rows.count)
          }
        }
      },
      Comparison("overlay_codes_8") { kernels, rows in
        for step in [1, 2, 4] {
          for opacity: UInt16 in [0, 30_000, 65535] {
            let (row, codes) = (rows.bytes(step * rows.count), rows.words(rows.count))
            kernels.overlay_codes_8(row, step, codes, rows.words(rows.count), opacity, rows.count)
          }
        }
      },
      Comparison("overlay_codes_16") { kernels, rows in
        for (step, shift) in [(1, 0), (1, 6), (2, 4), (4, 0)] {
          for opacity: UInt16 in [0, 30_000, 65535] {
            let (row, codes) = (rows.words(step * rows.count, upTo: 65535 >> shift), rows.words(rows.count))
            kernels.overlay_codes_16(row, step, Int32(shift), codes, rows.words(rows.count), opacity, rows.count)
          }
        }
      },
    ]
  }

  private static var replacements: [Comparison] {
    let ranges: [(scale: Float, offset: Float)] = [(1, 0), (219, 16), (-1e6, 40)]
    return [
      Comparison("overlay_replace_8") { kernels, rows in
        for step in [1, 2, 4] {
          for range in ranges {
            let (row, values) = (rows.bytes(step * rows.count), rows.floats(rows.count))
            kernels.overlay_replace_8(row, step, values, range.scale, range.offset, rows.words(rows.count), rows.count)
          }
        }
      },
      Comparison("overlay_replace_16") { kernels, rows in
        for (step, shift) in [(1, 0), (1, 6), (2, 6), (4, 0)] {
          for range in ranges {
            let (row, values, top) = (rows.words(step * rows.count), rows.floats(rows.count), Float(65535 >> shift))
            kernels.overlay_replace_16(
              row, step, Int32(shift), values, range.scale, range.offset, top, rows.words(rows.count), rows.count)
          }
        }
      },
    ]
  }

  private static var readings: [Comparison] {
    [
      Comparison("overlay_subtract") { kernels, rows in
        kernels.overlay_subtract(rows.floats(rows.count), rows.floats(rows.count), rows.count)
      },
      Comparison("overlay_subtract_covered") { kernels, rows in
        let (row, other) = (rows.floats(4 * rows.count), rows.floats(4 * rows.count))
        kernels.overlay_subtract_covered(row, other, rows.floats(4 * rows.count), rows.count)
      },
      Comparison("overlay_gradient_dither") { kernels, rows in
        for (columns, down) in [(0, 0), (1, 0), (1, 1)] as [(Int32, Int32)] {
          for (x, y) in [(0, 0), (5, 3), (-7, -2)] {
            kernels.overlay_gradient_dither(rows.floats(4 * rows.count), x, y, columns, down, rows.floats(9), rows.count)
          }
        }
      },
      Comparison("overlay_add_8") { kernels, rows in
        for step in [1, 2, 4] {
          kernels.overlay_add_8(rows.bytes(step * rows.count), step, rows.floats(rows.count), rows.count)
          kernels.overlay_add_8(rows.bytes(step * rows.count), step, rows.floats(rows.count, -65535...65535), rows.count)
        }
      },
      Comparison("overlay_add_16") { kernels, rows in
        for (step, shift) in [(1, 0), (1, 6), (2, 4)] {
          for change in [rows.floats(rows.count), rows.floats(rows.count, -65535...65535)] {
            let row = rows.words(step * rows.count, upTo: 65535 >> shift)
            kernels.overlay_add_16(row, step, Int32(shift), change, rows.count)
          }
        }
      },
      Comparison("overlay_pack_signal") { kernels, rows in
        kernels.overlay_pack_signal(rows.floats(rows.count), rows.words(rows.count), rows.count)
      },
    ]
  }
}
