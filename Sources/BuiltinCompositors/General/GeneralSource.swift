import CCompositorKernels
import CompositorAPI

/// Reads rows of a source as rows of the mixing signal: samples to nominal values, chroma enlarged to the luma grid
/// (bilinear, correctly sited), matrix and curves, then multiplied by alpha.
struct GeneralSource {
  let frame: Frame
  let usesAlpha: Bool
  private let isPremultiplied: Bool
  private let color: ColorTags
  private let quantization: [Quantization]
  private let conversion: ColorConversion

  init(_ layer: ResolvedLayer, signal: GeneralSignal, curves: CurveTables) throws(CompositorError) {
    frame = layer.frame
    color = layer.color
    usesAlpha = layer.usesAlpha
    isPremultiplied = frame.attributes.alphaMode == .premultiplied
    quantization = frame.format.quantization(color: color)
    conversion = try ColorConversion(
      from: color, metadata: frame.attributes.hdr, format: frame.format, to: signal, curves: curves)
  }

  /// Reads columns of a row into the rows of a use, from their first column on.
  func read(row y: Int, columns: Range<Int>, into rows: GeneralRows, as use: GeneralRows.Use = .layer) {
    let target = rows.components(use)
    let alpha = rows.alpha(use)
    let count = columns.count
    frame.withUnsafePlanes { planes in
      let samples = SampleRows(planes: planes, format: frame.format, quantization: quantization)
      samples.read(component: 0, row: y, columns: columns, into: target.0)
      if frame.format.subsampling == .s444 {
        samples.read(component: 1, row: y, columns: columns, into: target.1)
        samples.read(component: 2, row: y, columns: columns, into: target.2)
      } else {
        readChroma(1, samples, row: y, columns: columns, into: target.1, rows: rows)
        readChroma(2, samples, row: y, columns: columns, into: target.2, rows: rows)
      }
      if usesAlpha { samples.read(component: 3, row: y, columns: columns, into: alpha) }
    }
    conform(target, alpha: alpha, count: count)
  }

  private func conform(_ target: ComponentRows, alpha: UnsafeMutablePointer<Float>, count: Int) {
    let divides = usesAlpha && isPremultiplied && conversion.hasCurve
    if divides { for row in [target.0, target.1, target.2] { cpk_convert_divide(row, alpha, count) } }
    conversion.apply(target, count: count)
    if divides || (usesAlpha && !isPremultiplied) {
      for row in [target.0, target.1, target.2] { cpk_convert_multiply(row, alpha, count) }
    }
  }

  /// Reads a subsampled component: the two nearest rows mixed, then columns enlarged.
  private func readChroma(
    _ component: Int, _ samples: SampleRows, row y: Int, columns: Range<Int>, into target: UnsafeMutablePointer<Float>,
    rows: GeneralRows
  ) {
    let size = samples.size(component: component)
    let first = max(columns.lowerBound / 2 - 1, 0)
    let span = first..<min((columns.upperBound - 1) / 2 + 2, size.width)
    let near = rows.row(.sourceChroma)
    let place = verticalPlace(y, height: size.height)
    samples.read(component: component, row: place.upper, columns: span, into: near)
    if place.weight > 0, place.lower != place.upper {
      let far = rows.row(.sourceChroma, 1)
      samples.read(component: component, row: place.lower, columns: span, into: far)
      cpk_convert_mix(near, far, place.weight, near, span.count)
    }
    cpk_convert_upsample(
      near, span.count, color.chromaLocation.horizontalOffset > 0 ? 1 : 0, columns.lowerBound - 2 * first, target,
      columns.count)
  }

  /// The chroma rows above and below a luma row, and the weight of the lower one.
  private func verticalPlace(_ y: Int, height: Int) -> (upper: Int, lower: Int, weight: Float) {
    guard frame.format.subsampling == .s420 else { return (y, y, 0) }
    let position = (Double(y) - color.chromaLocation.verticalOffset) / 2
    let upper = Int(position.rounded(.down))
    func inside(_ row: Int) -> Int { min(max(row, 0), height - 1) }
    return (inside(upper), inside(upper + 1), Float(position - position.rounded(.down)))
  }
}

/// Reads rows of single components of a frame as nominal values.
struct SampleRows {
  let planes: Planes
  let format: PixelFormat
  let quantization: [Quantization]

  /// Columns and rows of the plane a component stands in.
  func size(component: Int) -> PixelSize {
    let plane = planes[place(of: component).plane]
    return PixelSize(width: plane.width, height: plane.height)
  }

  /// Reads columns of a row.
  func read(component: Int, row y: Int, columns: Range<Int>, into target: UnsafeMutablePointer<Float>) {
    let (planeIndex, index) = place(of: component)
    let plane = planes[planeIndex]
    let step = format.samplesPerPosition(plane: planeIndex)
    let start = plane.base + y * plane.stride + (columns.lowerBound * step + index) * format.bytesPerSample
    // The next row comes from memory while this one is worked on.
    if y + 1 < plane.height { cpk_convert_prefetch(start + plane.stride, columns.count * step * format.bytesPerSample) }
    let scale = Float(1 / quantization[component].scale)
    let offset = Float(-quantization[component].offset / quantization[component].scale)
    switch format.sample {
    case .unsigned where format.bitDepth == 8:
      cpk_convert_load_u8(start.assumingMemoryBound(to: UInt8.self), step, target, columns.count, scale, offset)
    case .unsigned:
      cpk_convert_load_u16(
        start.assumingMemoryBound(to: UInt16.self), step, Int32(format.lowPadding), target, columns.count, scale, offset)
    case .half: cpk_convert_load_f16(start.assumingMemoryBound(to: UInt16.self), step, target, columns.count)
    case .float: cpk_convert_load_f32(start.assumingMemoryBound(to: Float.self), step, target, columns.count)
    }
  }

  private func place(of component: Int) -> (plane: Int, index: Int) { format.place(of: component) }
}

extension PixelFormat {
  /// The plane of a component (0 Y′ or R, 1 Cb or G, 2 Cr or B, 3 A) and its place among a position's samples.
  func place(of component: Int) -> (plane: Int, index: Int) {
    switch layout {
    case .planar: (component, 0)
    case .semiPlanar: component == 0 ? (0, 0) : (1, component - 1)
    case .packedRGBA: (0, component)
    case .packedBGRA: (0, component == 3 ? 3 : 2 - component)
    }
  }
}
