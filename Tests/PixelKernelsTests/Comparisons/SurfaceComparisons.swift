import CCompositorKernels

extension Comparison {
  static var surface: [Comparison] { covers + fills + codes }

  private static var covers: [Comparison] {
    [
      Comparison("overlay_surface_solid") { kernels, rows in
        let color: [Float] = [0.25, 0.5, 0.1, 0.75]
        kernels.overlay_surface_solid(rows.floats(4 * rows.count), rows.words(rows.count), color, rows.count)
      },
      Comparison("overlay_surface_over") { kernels, rows in
        for weights in [rows.words(rows.count), nil] {
          let (row, source) = (rows.floats(4 * rows.count), rows.floats(4 * rows.count))
          kernels.overlay_surface_over(row, source, weights, 0.6, rows.count)
        }
      },
      Comparison("overlay_surface_mask") { kernels, rows in
        kernels.overlay_surface_mask(rows.floats(4 * rows.count), rows.floats(4 * rows.count), rows.count)
      },
      Comparison("overlay_surface_shade") { kernels, rows in
        for color: [Float] in [[0, 0, 0, 1], [0.2, 0.1, 0.3, 0.4]] {
          kernels.overlay_surface_shade(
            rows.floats(4 * rows.count, 0...1), rows.floats(4 * rows.count, 0...1), rows.floats(4 * rows.count, 0...1), color,
            rows.count)
        }
      },
      Comparison("overlay_surface_halve") { kernels, rows in
        let (first, second) = (rows.floats(8 * rows.count), rows.floats(8 * rows.count))
        kernels.overlay_surface_halve(first, second, rows.floats(4 * rows.count), rows.count)
      },
      Comparison("overlay_surface_double") { kernels, rows in
        let (near, far) = (rows.floats(4 * rows.count), rows.floats(4 * rows.count))
        kernels.overlay_surface_double(near, far, rows.floats(8 * rows.count), rows.count)
      },
      Comparison("overlay_surface_matte") { kernels, rows in
        for weights: [Float] in [[0, 0, 0, -1, 1], [-0.2126, -0.7152, -0.0722, 0, 1], [0.2126, 0.7152, 0.0722, 0, 0]] {
          kernels.overlay_surface_matte(rows.floats(4 * rows.count, -0.2...1.3), weights, rows.count)
        }
      },
      Comparison("overlay_surface_solidify") { kernels, rows in
        let row = rows.floats(4 * rows.count, 0...1)
        for x in stride(from: 0, to: rows.count, by: 3) { row[4 * x + 3] = 0 }
        kernels.overlay_surface_solidify(row, rows.count)
      },
      Comparison("overlay_surface_recolor") { kernels, rows in
        let matrix: [Float] = [1.2, -0.1, 0.05, 0.1, 0, 0.4, 0.3, -0.2, 2, 0, -1, 0.5]
        for limit: Float in [1, 1e6] {
          kernels.overlay_surface_recolor(rows.floats(4 * rows.count, -0.5...2), matrix, limit, rows.count)
        }
      },
      Comparison("overlay_surface_gamma") { kernels, rows in
        let row = rows.floats(4 * rows.count, -0.1...1)
        for x in stride(from: 0, to: rows.count, by: 3) { row[4 * x + 3] = 0 }
        kernels.overlay_surface_gamma(row, 0.25, 1 / 2.4, 1, rows.count)
        kernels.overlay_surface_gamma(row, 1, 2.4, 4, rows.count)
      },
      Comparison("overlay_surface_weigh") { kernels, rows in
        kernels.overlay_surface_weigh(rows.floats(4 * rows.count), rows.words(rows.count), rows.count)
      },
      Comparison("overlay_surface_blend") { kernels, rows in
        for mode in allBlendModes {
          for opacity: Float in [0.3, 1] {
            kernels.overlay_surface_blend(
              rows.floats(4 * rows.count, 0...1), rows.floats(4 * rows.count, 0...1), opacity, mode, rows.count)
            // Light beyond white, and less than none.
            kernels.overlay_surface_blend(
              rows.floats(4 * rows.count, -0.5...49), rows.floats(4 * rows.count, -0.25...49), opacity, mode, rows.count)
          }
        }
      },
    ]
  }

  private static var fills: [Comparison] {
    [
      Comparison("overlay_picture_row") { kernels, rows in
        var picture = cpk_overlay_picture(pixels: rows.words(31 * 5), stride: 31, width: 7, height: 5)
        for var line in linesThroughPictures {
          for limits in [[0, 0, 7, 5], [1.5, 1, 6, 4.25]] {
            kernels.overlay_picture_row(&picture, &line, limits, rows.floats(4 * rows.count), rows.count)
          }
        }
      },
      Comparison("overlay_gradient_row") { kernels, rows in
        for kind: Int32 in 0...2 {
          for line in linesThroughPictures {
            var short = cpk_overlay_line(
              u: line.u / 20, v: line.v / 20, w: line.w, du: line.du / 20, dv: line.dv / 20, dw: line.dw)
            let table = rows.floats(4 * 1025, 0...1)
            kernels.overlay_gradient_row(kind, &short, table, rows.floats(4 * rows.count), rows.count)
          }
        }
      },
      Comparison("overlay_surface_from_components") { kernels, rows in
        let matrix: [Float] = [1, 0, 1.5748, 1, -0.1873, -0.4681, 1, 1.8556, 0]
        for isStraight in [false, true] {
          let parts = (0..<4).map { _ in UnsafePointer<Float>?(rows.floats(rows.count)) }
          kernels.overlay_surface_from_components(parts, matrix, isStraight, rows.floats(4 * rows.count), rows.count)
        }
      },
    ]
  }

  private static var codes: [Comparison] {
    [
      Comparison("overlay_surface_codes") { kernels, rows in
        let (from, to) = (rows.floats(4 * rows.count), rows.floats(rows.count))
        kernels.overlay_surface_codes(from, [0.2126, 0.7152, -0.0722], 56_064, 4096, to, rows.count)
      },
      Comparison("overlay_pack") { kernels, rows in
        kernels.overlay_pack(rows.floats(rows.count), rows.words(rows.count), rows.count)
        kernels.overlay_pack(rows.floats(rows.count, -1000...70_000), rows.words(rows.count), rows.count)
      },
      Comparison("overlay_chroma_codes") { kernels, rows in
        for (vertical, horizontal): ([Float], [Float]) in [([1, 2, 1], [1, 2, 1]), ([0, 4, 0], [0, 2, 2])] {
          let from = (0..<3).map { _ in UnsafePointer<Float>?(rows.floats(2 * rows.count + 2) + 1) }
          kernels.overlay_chroma_codes(from, vertical, horizontal, rows.floats(rows.count), rows.count)
        }
      },
    ]
  }
}
