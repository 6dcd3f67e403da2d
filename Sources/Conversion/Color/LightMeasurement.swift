import CCompositorKernels
package import CompositorAPI

/// Measures the light of PQ frames for MaxCLL and MaxFALL as defined in CTA-861.3 annex P: per pixel the maximum of linear R,
/// G and B in cd/m²; the maximum over all pixels, and the maximum of the frames' means.
///
/// Chroma samples apply to all the pixels that they were made from, without interpolation. Frames may be added in any order,
/// by one thread at a time. O(pixels); allocates a row once.
package struct LightMeasurement: Sendable {
  /// Largest light of a pixel so far, cd/m², 0 … 10,000.
  package private(set) var maximumPixel: Double = 0
  /// Largest mean light of a frame so far, cd/m², 0 … 10,000.
  package private(set) var maximumFrameAverage: Double = 0
  private let nodes: [Float]
  private var row: [Float] = []

  /// Creates a measurement without frames.
  package init() {
    let count = Int(CPK_MEASURE_SEGMENT_COUNT)
    nodes = (0...count).map { Float((TransferFunction.pq.decode(Double($0) / Double(count)) ?? 0) * 10_000) }
  }

  /// Adds a frame.
  ///
  /// - Parameter frame: A PQ frame, in a format of ``accepts(_:)``.
  /// - Throws: `.conversionNotPossible` for other frames, or if the matrix is unknown.
  package mutating func add(_ frame: Frame) throws(CompositorError) {
    let color = frame.attributes.color
    guard LightMeasurement.accepts(frame.format), color.transfer == .pq else {
      throw CompositorError(
        .conversionNotPossible, "The light of \(frame.format) frames of \(color.shortName) cannot be measured.",
        recoverySuggestion: "Convert the frame to planar PQ of 9 to 16 bits.")
    }
    var components = try LightMeasurement.components(frame)
    if row.count < frame.size.width { row = [Float](repeating: 0, count: frame.size.width) }
    var sum = 0.0
    var largest: Float = 0
    let subsampling = frame.format.subsampling
    row.withUnsafeMutableBufferPointer { row in
      guard let row = row.baseAddress else { return }
      frame.withUnsafePlanes { planes in
        func samples(_ plane: Int, _ y: Int) -> UnsafePointer<UInt16> {
          (planes[plane].base + y * planes[plane].stride).assumingMemoryBound(to: UInt16.self)
        }
        for y in 0..<frame.size.height {
          let chromaRow = y >> subsampling.verticalShift
          cpk_measure_peaks_u16(
            samples(0, y), samples(1, chromaRow), samples(2, chromaRow), Int32(subsampling.horizontalShift), &components,
            row, frame.size.width)
          sum += cpk_measure_light(row, frame.size.width, nodes, &largest)
        }
      }
    }
    maximumPixel = max(maximumPixel, Double(largest))
    maximumFrameAverage = max(maximumFrameAverage, sum / Double(frame.size.width * frame.size.height))
  }

  /// Whether a format has three or more planes of integers of more than 8 bits.
  package static func accepts(_ format: PixelFormat) -> Bool {
    format.layout == .planar && format.sample == .unsigned && format.bitDepth > 8 && format.planeCount >= 3
  }

  /// The conversion of codes to R′, G′, B′.
  private static func components(_ frame: Frame) throws(CompositorError) -> cpk_measure_components {
    let color = frame.attributes.color
    let matrix: Matrix3
    if color.matrix == .identity {
      matrix = .identity
    } else if let known = color.matrix.yCbCrToRGB {
      matrix = known
    } else {
      throw CompositorError(.conversionNotPossible, "Matrix coefficients \(color.matrix.rawValue) (H.273) are not known.")
    }
    var components = cpk_measure_components()
    let quantization = frame.format.quantization(color: color)
    func affine(_ index: Int) -> (scale: Float, offset: Float) {
      let zero = quantization[index].value(0)
      return (Float(quantization[index].value(1) - zero), Float(zero))
    }
    let parts = (0..<3).map(affine)
    components.scale = (parts[0].scale, parts[1].scale, parts[2].scale)
    components.offset = (parts[0].offset, parts[1].offset, parts[2].offset)
    let rows = (matrix.rows.0, matrix.rows.1, matrix.rows.2)
    components.matrix = (
      Float(rows.0.x), Float(rows.0.y), Float(rows.0.z), Float(rows.1.x), Float(rows.1.y), Float(rows.1.z), Float(rows.2.x),
      Float(rows.2.y), Float(rows.2.z)
    )
    return components
  }
}

extension LightMeasurement {
  /// MaxCLL and MaxFALL in integer cd/m², rounded to nearest; at least 1, because 0 means "unknown".
  package var contentLightLevel: ContentLightLevel {
    ContentLightLevel(
      maximumContentLightLevel: max(1, Int(maximumPixel.rounded())),
      maximumFrameAverageLightLevel: max(1, Int(maximumFrameAverage.rounded())))
  }
}
