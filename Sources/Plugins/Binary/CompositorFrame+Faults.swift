import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

/// What contradicts the output in a frame that a library made itself. Fields that it left at zero are not compared.
extension CompositorFrame {
  /// A sentence about the planes; `nil` if they are those of the output.
  func faultInPlanes(of output: PictureDescription) -> String? {
    let (format, expected) = (output.format, output.format.planeCount)
    guard Int(plane_count) == expected else {
      return "The compositor returned a frame with a plane_count of \(plane_count); \(format) has \(expected)."
    }
    for (index, plane) in planeList.enumerated() {
      guard plane.data != nil else { return "The compositor returned a frame whose plane \(index) has no data." }
      let size = format.planeSize(index, of: output.size)
      let isUnset = plane.width == 0 && plane.height == 0
      guard isUnset || (Int(plane.width) == size.width && Int(plane.height) == size.height) else {
        return """
          The compositor returned a frame whose plane \(index) is of \(plane.width)x\(plane.height); in a frame of \(output.size) \
          \(format) it is of \(size).
          """
      }
    }
    return nil
  }

  /// A sentence about the color and the alpha mode; `nil` if they are those of the output, or if the library gave no color.
  func faultInColor(of output: PictureDescription, _ picture: PictureDescription) -> String? {
    guard primaries != 0 || transfer != 0 || matrix != 0 else { return nil }
    let (own, expected) = (picture.attributes, output.attributes)
    let fields = [
      ("primaries", Int(primaries), Int(expected.color.primaries.rawValue)),
      ("transfer", Int(transfer), Int(expected.color.transfer.rawValue)),
      ("matrix", Int(matrix), Int(expected.color.matrix.rawValue)),
      ("full_range", full_range != 0 ? 1 : 0, expected.color.range == .full ? 1 : 0),
      ("chroma_location", Int(own.color.chromaLocation.code), Int(expected.color.chromaLocation.code)),
      ("alpha_mode", Int(own.alphaMode.code), Int(expected.alphaMode.code)),
    ]
    guard let (name, found, right) = fields.first(where: { $0.1 != $0.2 }) else { return nil }
    return "The compositor returned a frame whose \(name) is \(found); that of the output is \(right)."
  }
}
