import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
package import CompositorValidation

// What an output with the layout of its sources keeps of a single one: the size, alpha, R, G and B.

extension ExportSettings {
  /// Gives images and outputs with the layout of their sources (``OutputDescription/followsSourceLayout``) the size of their only source,
  /// and the latter its alpha and its R, G and B if the codec holds them, and its range if the file states it.
  func keepLayout(_ edit: inout Edit, of composition: ValidatedComposition, in container: MovieContainer?) {
    guard let track = composition.onlyShownTrack else { return }
    let holdsOddSides = edit.output.followsSourceLayout || container?.isAnimation ?? true
    if holdsOddSides, size == nil, largestSize == nil { edit.keepSize(of: track) }
    guard edit.output.followsSourceLayout, edit.output.format == nil, edit.output.bitDepth == nil, video.codec == .ffv1 else {
      return
    }
    edit.output.followsSourceRange = container?.statesRange(of: video.codec) == true
    if track.attributes.alphaMode != .opaque { edit.output.alphaMode = .straight }
    let format = track.format.bitDepth > 8 ? PixelFormat.rgba16 : .bgra
    if track.format.isRGB, edit.output.color == nil, video.acceptedFormats.contains(format) { edit.output.format = format }
  }
}

extension ValidatedComposition {
  /// The composition with the exact size of its only source, of an odd number of pixels, if no canvas was chosen; the same for others.
  package func keepingSize() -> ValidatedComposition {
    guard let track = onlyShownTrack else { return self }
    var edit = edit
    edit.keepSize(of: track)
    return edit == self.edit ? self : replacing(edit)
  }

  /// The track of the only file that is shown, without titles; `nil` in other compositions.
  fileprivate var onlyShownTrack: VideoTrackInfo? {
    let tracks = RenderFormat.sourceTracks(of: self)
    guard edit.titles.isEmpty, onlyMedia != nil, tracks.count == 1 else { return nil }
    return tracks.first?.info
  }
}

extension Edit {
  /// Undoes the rounding of the canvas to even sides.
  fileprivate mutating func keepSize(of track: VideoTrackInfo) {
    guard output.roundsCanvas, output.size == nil else { return }
    let shown = track.displaySize
    let size = PixelSize(rounding: shown)
    let canvas = videoComposition.renderSize
    guard canvas != size, canvas == size.even, Double(size.width) == shown.width, Double(size.height) == shown.height else {
      return
    }
    let isRotated = abs(track.preferredTransform.b) > 0.5
    let stored = isRotated ? Size(width: shown.height, height: shown.width) : shown
    // Less than a pixel is stretched, not left as a bar.
    let whole = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    let layers = videoComposition.instructions.flatMap(\.layers)
    let isWhole = layers.allSatisfy { layer in
      let ramps = layer.transform.ramps
      let places = ramps.isEmpty ? [layer.transform.defaultValue] : ramps.flatMap { [$0.start, $0.end] }
      let frame = Rect(origin: .zero, size: stored)
      return layer.effects.isEmpty && places.allSatisfy { $0.boundingBox(of: frame).isNear(whole) }
    }
    guard isWhole else { return }
    videoComposition.renderSize = size
    for index in videoComposition.instructions.indices {
      var layers = videoComposition.instructions[index].layers
      for layer in layers.indices { layers[layer].transform = PropertyTimeline(default: track.preferredTransform) }
      videoComposition.instructions[index].layers = layers
    }
  }
}

extension Rect {
  fileprivate func isNear(_ other: Rect) -> Bool {
    max(abs(minX - other.minX), abs(minY - other.minY), abs(maxX - other.maxX), abs(maxY - other.maxY)) < 1.01
  }
}
