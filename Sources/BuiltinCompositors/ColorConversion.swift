import CPixelKernels
import CompositorAPI

/// The steps that turn rows of three components into rows of three others, in place.
struct ColorConversion: Sendable {
  /// One step.
  enum Step: Sendable {
    /// A matrix, by rows.
    case matrix([Float])
    /// The same curve on each component.
    case curve(CurveTable)
  }

  private(set) var steps: [Step] = []
  /// Whether a step is a curve: premultiplied colour has to be divided by alpha first.
  var hasCurve: Bool {
    steps.contains { step in
      if case .curve = step { true } else { false }
    }
  }

  /// From a source's components to the signal that layers are mixed in.
  ///
  /// - Throws: `.conversionNotPossible` where a matrix, a curve or primaries are not known, or one side is HDR and the other
  ///   is not, or both are HDR of different kinds.
  init(from source: ColorTags, format: PixelFormat, to signal: GeneralSignal, curves: CurveTables) throws(CompositorError) {
    guard signal.kind != .yCbCr else { return }
    if !format.isRGB {
      guard let matrix = source.matrix.yCbCrToRGB else { throw ColorConversion.unknownMatrix(source.matrix) }
      append(matrix)
    }
    try ColorConversion.refuseToneMapping(from: source.transfer, to: signal.color.transfer)
    let samePrimaries = source.primaries == signal.color.primaries
    if signal.kind == .rgb, samePrimaries {
      if !source.transfer.hasSameCurve(as: signal.color.transfer) {
        steps.append(.curve(try curves.table(.transcode(source.transfer, signal.color.transfer))))
      }
      return
    }
    try appendCurve(.decode(source.transfer), curves)
    if !samePrimaries {
      guard let gamut = source.primaries.conversion(to: signal.color.primaries) else {
        throw CompositorError(
          .conversionNotPossible, "Colour primaries \(signal.color.primaries.rawValue) (H.273) are not known.",
          remedy: "Choose primaries for the output that have a definition, for example BT.709.")
      }
      append(gamut)
    }
    if signal.kind == .rgb { try appendCurve(.encode(signal.color.transfer), curves) }
  }

  /// From linear light in the output's primaries to the output's R′, G′, B′.
  init(encoding signal: GeneralSignal, curves: CurveTables) throws(CompositorError) {
    if signal.kind == .linearRGB { try appendCurve(.encode(signal.color.transfer), curves) }
  }

  /// From the output's R′, G′, B′ to the components it stores.
  init(storing signal: GeneralSignal, format: PixelFormat) throws(CompositorError) {
    guard signal.kind != .yCbCr, !format.isRGB else { return }
    guard let matrix = signal.color.matrix.rgbToYCbCr else { throw ColorConversion.unknownMatrix(signal.color.matrix) }
    append(matrix)
  }

  /// Runs the steps over `count` columns of three rows.
  func apply(_ rows: ComponentRows, count: Int) {
    for step in steps {
      switch step {
      case .matrix(let numbers): convert_matrix(rows.0, rows.1, rows.2, count, numbers)
      case .curve(let table):
        for row in [rows.0, rows.1, rows.2] { convert_curve(row, count, table.nodes) }
      }
    }
  }

  private mutating func append(_ matrix: Matrix3) {
    let rows = [matrix.rows.0, matrix.rows.1, matrix.rows.2]
    steps.append(.matrix(rows.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }))
  }

  private mutating func appendCurve(_ kind: CurveTables.Kind, _ curves: CurveTables) throws(CompositorError) {
    switch kind {
    case .decode(.linear), .encode(.linear): break
    default: steps.append(.curve(try curves.table(kind)))
    }
  }

  private static func refuseToneMapping(
    from source: TransferFunction, to output: TransferFunction
  ) throws(CompositorError) {
    guard source.isHDR || output.isHDR, source != output else { return }
    throw CompositorError(
      .conversionNotPossible, "\(source.name) cannot be turned into \(output.name): that needs tone mapping.",
      remedy: "Set the composition's transfer function to \(source.isHDR ? source.name : output.name) and use sources of "
        + "that kind only, or convert the odd sources beforehand.")
  }

  static func unknownMatrix(_ matrix: MatrixCoefficients) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "Matrix coefficients \(matrix.rawValue) (H.273) are not known.",
      remedy: "Use sources and an output with BT.601, BT.709 or BT.2020 matrices, or the same matrix for all.")
  }
}

extension TransferFunction {
  fileprivate var name: String {
    switch self {
    case .pq: "PQ"
    case .hlg: "HLG"
    default: "SDR (transfer function \(rawValue))"
    }
  }
}
