package import CompositorAPI
package import CompositorConversion

/// One layer at one time, resolved to stored pixels and output pixels before its frame is read.
package struct LayerPlacement: Sendable {
  /// The layer's track; 0 for a frame that is of none.
  package var trackID: TrackID
  /// Format, size and attributes of the track's frames.
  package var source: SourceDescription
  /// Opacity, 0 … 1.
  package var opacity: Double
  /// From stored pixels to output pixels: pixel aspect, layer transform and render scale.
  package var sourceToOutput: AffineMatrix
  /// The visible part, in stored pixels, within the frame.
  package var crop: Rect
  /// Whether opacity, transform, crop or decoration change while the placement is valid (if it describes a whole instruction).
  package var isChanging: Bool
  /// Rounded corners, border and shadow; `nil` for none.
  package var decoration: ResolvedDecoration?
  /// The filter that resamples the layer; `nil` for area means and bilinear interpolation.
  package var filter: LayerFilter?
  /// The layer while the shutter of its motion blur is open, of which the mean is shown; empty if it doesn't change meanwhile.
  package var moments: [LayerMoment] = []

  /// Whether the layer is visible: it has area and is not fully transparent.
  var isVisible: Bool {
    isChanging || moments.contains(where: \.isVisible)
      || (moments.isEmpty
        && ResolvedLayer.outputToSource(opacity: opacity, sourceToOutput: sourceToOutput, crop: crop) != nil)
  }

  /// Whether any of the layer may cover the output. True for every layer with a shadow or motion. Subsampled chroma reaches
  /// beyond edges that are not on its grid.
  func reaches(outputSize: PixelSize) -> Bool {
    guard !isChanging, moments.isEmpty, decoration == nil else { return true }
    let box = sourceToOutput.boundingBox(of: crop)
    let isOnGrid = [box.minX, box.maxX, box.minY, box.maxY].allSatisfy { $0.truncatingRemainder(dividingBy: 2) == 0 }
    let margin = isOnGrid ? 0.0 : 2
    return box.maxX > -margin && box.maxY > -margin && box.minX < Double(outputSize.width) + margin
      && box.minY < Double(outputSize.height) + margin
  }

  /// Whether the layer hides everything below: opaque, axis-parallel, and covering the whole output.
  func hidesEverythingUnder(outputSize: PixelSize) -> Bool {
    guard !isChanging, moments.isEmpty, opacity == 1, !source.usesAlpha, decoration == nil else { return false }
    let matrix = sourceToOutput
    guard (matrix.b == 0 && matrix.c == 0) || (matrix.a == 0 && matrix.d == 0) else { return false }
    let box = matrix.boundingBox(of: crop)
    return box.minX <= 0 && box.minY <= 0 && box.maxX >= Double(outputSize.width)
      && box.maxY >= Double(outputSize.height)
  }

  /// Whether the output equals the layer's frame sample for sample, apart from format and color.
  func isExactly(outputSize: PixelSize) -> Bool {
    source.size == outputSize && sourceToOutput == .identity && !isChanging && crop == frameRect
      && hidesEverythingUnder(outputSize: outputSize)
  }

  private var frameRect: Rect {
    Rect(x: 0, y: 0, width: Double(source.size.width), height: Double(source.size.height))
  }
}
