package import CompositorAPI

/// The components stored by a frame, the positions of their samples, and their codes. Readers and writers share this
/// definition.
package struct SampleLayout: Sendable {
  /// One component of a position: Y′, Cb, Cr or R′, G′, B′, or alpha.
  package struct Component: Sendable {
    /// Position in ``SampleLayout/components``: 0 Y′ or R, 1 Cb or G, 2 Cr or B, 3 alpha.
    package let index: Int
    /// The plane that holds it.
    package let plane: Int
    /// Samples from the start of a position to this component.
    package let sampleOffset: Int
    /// Samples from one position to the next.
    package let step: Int
    /// Whether it is stored on the coarser grid of subsampled chroma.
    package let isSubsampled: Bool
    /// The map from nominal values to codes, not counting padding bits.
    package let quantization: Quantization
  }

  /// The storage of a sample.
  package enum Storage: Sendable {
    /// 8-bit codes.
    case bytes
    /// Codes in 16-bit integers.
    case words
    /// IEEE binary16 and binary32: nominal values.
    case halves, floats
  }

  package let format: PixelFormat
  package let storage: Storage
  /// Every stored component, alpha included if the format has it.
  package let components: [Component]
  /// The position of chroma on the luma grid.
  package let chroma: ChromaSiting

  /// - Parameter color: Tags without unspecified parts.
  package init(_ format: PixelFormat, color: ColorTags) {
    self.format = format
    storage =
      switch format.sample {
      case .unsigned: format.bytesPerSample == 1 ? .bytes : .words
      case .half: .halves
      case .float: .floats
      }
    chroma = ChromaSiting(format.subsampling, color.chromaLocation)
    let quantization = format.quantization(color: color)
    components = (0..<(format.hasAlpha ? 4 : 3)).map { index in
      let place = format.place(of: index)
      return Component(
        index: index, plane: place.plane, sampleOffset: place.offset, step: format.samplesPerPosition(plane: place.plane),
        isSubsampled: format.subsampling != .s444 && (index == 1 || index == 2), quantization: quantization[index])
    }
  }

  /// The left shift that makes a stored sample a fraction of 65536, the unit in which codes are blended.
  package var blendShift: Int32 { Int32(16 - format.bitDepth - format.lowPadding) }

  /// One code, in fractions of 65536; 1 for float samples, which are blended as values.
  package var blendUnit: Double { format.sample == .unsigned ? 65536 / Double(1 << format.bitDepth) : 1 }
}

extension PixelFormat {
  /// The plane of a component, and its offset among a position's samples.
  fileprivate func place(of component: Int) -> (plane: Int, offset: Int) {
    switch layout {
    case .planar: (component, 0)
    case .semiPlanar: component == 0 ? (0, 0) : (1, component - 1)
    case .packedRGBA: (0, component)
    case .packedBGRA: (0, component == 3 ? 3 : 2 - component)
    }
  }
}
