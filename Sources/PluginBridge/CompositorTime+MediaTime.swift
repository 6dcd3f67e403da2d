package import CCompositorPlugin
package import CompositorAPI

extension CompositorTime {
  /// The time; timescale 0 where it is not numeric.
  package init(_ time: MediaTime) {
    self.init()
    guard time.isNumeric else { return }
    (value, timescale) = (time.value, time.timescale)
  }

  /// The time; indefinite where the timescale is not positive.
  package var time: MediaTime { timescale > 0 ? MediaTime(value: value, timescale: timescale) : .indefinite }
}

/// Six coefficients, as the structs have them.
package typealias MatrixCoefficientList = (Double, Double, Double, Double, Double, Double)

extension AffineMatrix {
  package init(_ list: MatrixCoefficientList) {
    self.init(a: list.0, b: list.1, c: list.2, d: list.3, tx: list.4, ty: list.5)
  }

  package var coefficients: MatrixCoefficientList { (a, b, c, d, tx, ty) }
}
