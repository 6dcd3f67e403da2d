package import CCompositorPlugin
package import CompositorAPI

extension CompositorTime {
  /// Converts a time; the timescale is 0 if it is not numeric.
  package init(_ time: MediaTime) {
    self.init()
    guard time.isNumeric else { return }
    (value, timescale) = (time.value, time.timescale)
  }

  /// The time; indefinite if the timescale is not positive.
  package var time: MediaTime { timescale > 0 ? MediaTime(value: value, timescale: timescale) : .indefinite }
}

extension CompositorTime {
  /// A time and a duration in one timescale, so that multiples of the duration can be added to the time. The duration is
  /// rounded to a tick if no timescale represents both.
  package static func aligned(_ time: MediaTime, _ duration: MediaTime) -> (time: CompositorTime, duration: CompositorTime) {
    guard time.isNumeric, duration.isNumeric else { return (CompositorTime(time), CompositorTime(duration)) }
    let shared = leastCommonMultiple(Int64(time.timescale), Int64(duration.timescale))
    if let timescale = Int32(exactly: shared) {
      let (moved, step) = (time.converted(toTimescale: timescale), duration.converted(toTimescale: timescale))
      if moved == time, step == duration { return (CompositorTime(moved), CompositorTime(step)) }
    }
    return (CompositorTime(time), CompositorTime(duration.converted(toTimescale: time.timescale)))
  }

  private static func leastCommonMultiple(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return first / a * second
  }
}

/// Six coefficients, as in the C structs.
package typealias MatrixCoefficientList = (Double, Double, Double, Double, Double, Double)

extension AffineMatrix {
  package init(_ list: MatrixCoefficientList) {
    self.init(a: list.0, b: list.1, c: list.2, d: list.3, tx: list.4, ty: list.5)
  }

  package var coefficients: MatrixCoefficientList { (a, b, c, d, tx, ty) }
}
