import CCompositorKernels
import CompositorAPI
import CompositorKernels

/// The steps that convert rows of three components to rows of three others, in place.
struct ColorConversion: Sendable {
  /// One step.
  enum Step: Sendable {
    /// A row-major matrix.
    case matrix([Float])
    /// The same curve on each component.
    case curve(CurveTable)
    /// A row-major matrix, then the same curve on each component, in one pass.
    case matrixCurve([Float], PiecewiseCurve)
    /// Multiplies all components by a curve of their weighted sum, or of the largest of them if there are no weights.
    case factor(CurveTable, weights: [Float]?)
    /// Moves colors outside a gamut into it, along lines of constant hue.
    case hueLines(HueTable)
    /// Clamps each component to 0 … top.
    case limit(top: Float)
  }

  private(set) var steps: [Step] = []
  private let isPrecise: Bool
  /// Whether a step is nonlinear, so that premultiplied color must be divided by alpha first.
  var hasCurve: Bool {
    steps.contains { step in
      if case .matrix = step { false } else { true }
    }
  }

  /// Creates the conversion from a source's components to the mixing signal.
  ///
  /// - Throws: `.conversionNotPossible` if a matrix, transfer function or primaries are unknown; `.invalidValue` if the
  ///   policy is out of range.
  init(
    from source: ColorTags, metadata: HDRMetadata?, format: PixelFormat, to signal: MixingSignal, curves: CurveTables
  ) throws(CompositorError) {
    isPrecise = signal.isPrecise
    guard signal.kind != .yCbCr else { return }
    if !format.isRGB {
      guard let matrix = source.matrix.yCbCrToRGB else { throw ColorConversion.unknownMatrix(source.matrix) }
      append(matrix)
    }
    let isLinear = signal.kind == .linearRGB
    // Signals that stay unchanged need no definition of their curve.
    if !isLinear, source.primaries == signal.color.primaries,
      source.transfer.hasSameCurve(as: signal.color.transfer, policy: signal.policy)
    {
      return
    }
    let conversion = try LightConversion(
      from: source, metadata: metadata, to: signal.color, policy: signal.policy, mixesLight: isLinear)
    if !isLinear, conversion.isPerComponent {
      append(curves.table(.transcode(conversion), conversion, isPrecise: isPrecise))
      return
    }
    appendLight(conversion, curves)
    if !isLinear { appendSignal(conversion, curves) }
  }

  /// Creates the conversion from light in the output's primaries to the output's R′, G′, B′.
  init(encoding signal: MixingSignal, curves: CurveTables) throws(CompositorError) {
    isPrecise = signal.isPrecise
    guard signal.kind == .linearRGB else { return }
    appendSignal(
      try LightConversion(from: signal.color, to: signal.color, policy: signal.policy, mixesLight: true), curves)
  }

  private mutating func appendLight(_ conversion: LightConversion, _ curves: CurveTables) {
    if conversion.source.transfer != .linear {
      append(curves.table(.decode(conversion), conversion, isPrecise: isPrecise))
    }
    if conversion.isSceneLight {
      let weights = floats(conversion.sourceLuminance)
      steps.append(.factor(curves.table(.system(conversion), conversion, isPrecise: isPrecise), weights: weights))
    }
    // Without a matrix, the preceding curve includes the scale.
    if let gamut = conversion.gamut {
      append(Matrix3.diagonal(SIMD3(repeating: conversion.scale)) * gamut)
    } else if conversion.source.transfer == .linear, conversion.scale != 1 {
      append(Matrix3.diagonal(SIMD3(repeating: conversion.scale)))
    }
    switch conversion.gamutStep {
    case .hueLines(let lines): steps.append(.hueLines(curves.hueTable(lines, of: conversion.output.primaries)))
    case .limit(let top): steps.append(.limit(top: Float(top)))
    case nil: break
    }
    if conversion.toneCurve != nil {
      steps.append(.factor(curves.table(.tone(conversion), conversion, isPrecise: isPrecise), weights: nil))
    }
  }

  private mutating func appendSignal(_ conversion: LightConversion, _ curves: CurveTables) {
    if conversion.output.transfer == .hlg {
      let weights = floats(conversion.outputLuminance)
      steps.append(.factor(curves.table(.inverseSystem(conversion), conversion, isPrecise: isPrecise), weights: weights))
    }
    if conversion.output.transfer != .linear {
      append(curves.table(.encode(conversion), conversion, isPrecise: isPrecise))
    }
  }

  private func floats(_ weights: SIMD3<Double>) -> [Float] { [Float(weights.x), Float(weights.y), Float(weights.z)] }

  /// Creates the conversion from the output's R′, G′, B′ to its stored components.
  init(storing signal: MixingSignal, format: PixelFormat) throws(CompositorError) {
    isPrecise = signal.isPrecise
    guard signal.kind != .yCbCr, !format.isRGB else { return }
    guard let matrix = signal.color.matrix.rgbToYCbCr else { throw ColorConversion.unknownMatrix(signal.color.matrix) }
    append(matrix)
  }

  /// Applies the steps to `count` columns of three rows.
  func apply(_ rows: ComponentRows, count: Int) {
    for step in steps {
      switch step {
      case .matrix(let numbers): cpk_convert_matrix(rows.0, rows.1, rows.2, count, numbers)
      case .curve(let table): apply(table, rows, count: count)
      case .matrixCurve(let numbers, let pieces):
        PlaneKernels.fastest.lightMatrix(rows.0, rows.1, rows.2, count: count, matrix: numbers, pieces.table)
      case .factor(let table, let weights): multiply(table, weights, rows, count: count)
      case .hueLines(let table): cpk_convert_hue_lines(rows.0, rows.1, rows.2, count, table.lines)
      case .limit(let top): limit(rows, to: top, count: count)
      }
    }
  }

  private func apply(_ table: CurveTable, _ rows: ComponentRows, count: Int) {
    if let pieces = table.pieces {
      for row in [rows.0, rows.1, rows.2] { PlaneKernels.fastest.lightCurve(row, count: count, pieces.table) }
      return
    }
    if !table.isOdd { limit(rows, to: .infinity, count: count) }
    for row in [rows.0, rows.1, rows.2] { cpk_convert_curve(row, count, table.nodes) }
  }

  private func limit(_ rows: ComponentRows, to top: Float, count: Int) {
    for row in [rows.0, rows.1, rows.2] { cpk_convert_limit(row, count, top) }
  }

  private func multiply(_ table: CurveTable, _ weights: [Float]?, _ rows: ComponentRows, count: Int) {
    if let pieces = table.pieces {
      PlaneKernels.fastest.lightFactor(rows.0, rows.1, rows.2, count: count, weights: weights, pieces.table)
    } else if let weights {
      cpk_convert_factor(rows.0, rows.1, rows.2, count, weights, table.nodes)
    } else {
      cpk_convert_factor(rows.0, rows.1, rows.2, count, nil, table.nodes)
    }
  }

  private mutating func append(_ matrix: Matrix3) {
    let rows = [matrix.rows.0, matrix.rows.1, matrix.rows.2]
    steps.append(.matrix(rows.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }))
  }

  private mutating func append(_ curve: CurveTable) {
    guard let pieces = curve.pieces, case .matrix(let numbers)? = steps.last else { return steps.append(.curve(curve)) }
    steps[steps.count - 1] = .matrixCurve(numbers, pieces)
  }

  static func unknownMatrix(_ matrix: MatrixCoefficients) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "Matrix coefficients \(matrix.rawValue) (H.273) are not known.",
      recoverySuggestion: "Use sources and an output with BT.601, BT.709 or BT.2020 matrices, or the same matrix for all.")
  }
}
