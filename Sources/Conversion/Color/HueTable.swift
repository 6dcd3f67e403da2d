import CCompositorKernels
import CompositorAPI

/// Lines of constant hue, in the form required by `convert_hue_lines`.
struct HueTable: Sendable {
  /// One table, in an array whose elements can be passed by pointer.
  let lines: [cpk_hue_lines]

  init(_ lines: HueLines) {
    var table = cpk_hue_lines()
    HueTable.store(HueTable.numbers(lines.toLMS), in: &table.to_lms)
    HueTable.store(HueTable.numbers(lines.toRGB), in: &table.to_rgb)
    HueTable.store(lines.reciprocals, in: &table.reciprocals)
    table.knee = HueLines.knee
    table.plain_share = Float(lines.plainShare)
    self.lines = [table]
  }

  private static func numbers(_ matrix: Matrix3) -> [Double] {
    [matrix.rows.0, matrix.rows.1, matrix.rows.2].flatMap { [$0.x, $0.y, $0.z] }
  }

  private static func store<Fields>(_ numbers: [Double], in fields: inout Fields) {
    withUnsafeMutableBytes(of: &fields) { target in
      numbers.withUnsafeBytes { target.copyMemory(from: $0) }
    }
  }
}
