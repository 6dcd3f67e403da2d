import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import Foundation
import Testing

private let matrices: [(MatrixCoefficients, String)] = [(.bt709, "709"), (.bt601_525, "170m"), (.bt2020, "2020_ncl")]
private let locations: [ChromaLocation] = [.left, .center, .topLeft, .top]

/// Matrix, range, depth, chroma siting and chroma enlarging as zimg has them, to one code of 16 bits.
@Test(.enabled(if: ZScaleOracle.isAvailable), arguments: locations, [PixelFormat.yuv420p, .yuv422p10, .yuv420p10])
func convert_toRGB_isWhatZScaleMakes(location: ChromaLocation, format: PixelFormat) throws {
  let (width, height) = (66, 38)
  for (matrix, name) in matrices {
    for range in [ColorRange.limited, .full] {
      let color = ColorTags(primaries: .bt709, transfer: .bt709, matrix: matrix, range: range, chromaLocation: location)
      let frame = TestFrames.noise(format, width, height, attributes: FrameAttributes(color: color))
      let filters =
        "zscale=cin=\(location.rawValue.replacing("-", with: "")):f=bilinear:d=none:min=\(name):rin=\(range.rawValue):tin=709:pin=709"
        + ":m=gbr:r=full:t=709:p=709"
      let theirs = try ZScaleOracle.convert(frame, filters: filters, to: "gbrp16le")
      let target = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .identity, range: .full)
      let ours = try FrameConverter.convert(
        frame, to: .rgba16, attributes: FrameAttributes(color: target), pool: FramePool())
      #expect(theirs.count == width * height * 6)
      #expect(largestDifference(ours, theirs) <= 1, "\(matrix) \(range)")
    }
  }
}

/// Against planes G, B, R of 16-bit words.
private func largestDifference(_ frame: Frame, _ planes: Data) -> Int {
  let (width, height) = (frame.size.width, frame.size.height)
  guard planes.count == width * height * 6 else { return .max }
  return planes.withUnsafeBytes { bytes in
    (0..<height).flatMap { y in
      frame.withRow(y, as: UInt16.self) { row in
        (0..<width * 3).map { index in
          let (x, plane) = (index / 3, index % 3)
          let offset = ((plane * height + y) * width + x) * 2
          let theirs = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
          return abs(Int(row[x * 4 + [1, 2, 0][plane]]) - Int(theirs))
        }
      }
    }.max() ?? 0
  }
}
