import CompositorAPI
import CompositorOverlay

extension EditExplanation.Title {
  init(_ layer: Layer) {
    start = layer.timing.beginTime
    let duration = layer.timing.duration
    end = duration > 0 && duration.isFinite ? start + duration : nil
    summary = layer.firstText.map { "“\($0)”" } ?? layer.firstName ?? layer.firstKind ?? "a box"
    layerCount = layer.count
  }
}

extension EditExplanation.Volume {
  init(_ parameters: AudioMixInputParameters) {
    track = parameters.trackID
    points = []
    for ramp in parameters.volume.ramps {
      if points.last.map({ $0.time != ramp.timeRange.start || $0.gain != ramp.start }) ?? true {
        points.append(EditExplanation.VolumePoint(time: ramp.timeRange.start, gain: ramp.start))
      }
      if ramp.timeRange.duration > .zero {
        points.append(EditExplanation.VolumePoint(time: ramp.timeRange.end, gain: ramp.end))
      }
    }
    if points.isEmpty { points = [EditExplanation.VolumePoint(time: .zero, gain: parameters.volume.defaultValue)] }
  }
}

extension Layer {
  /// The first text of the tree, on one line.
  fileprivate var firstText: String? {
    if case .text(let text) = content { return text.string.split(whereSeparator: \.isNewline).joined(separator: " / ") }
    return sublayers.lazy.compactMap(\.firstText).first
  }

  /// The first kind of content of the tree.
  fileprivate var firstKind: String? { content.kind ?? sublayers.lazy.compactMap(\.firstKind).first }

  fileprivate var firstName: String? {
    name.isEmpty ? sublayers.lazy.compactMap(\.firstName).first : name
  }

  fileprivate var count: Int { 1 + sublayers.reduce(0) { $0 + $1.count } }
}

extension LayerContent {
  fileprivate var kind: String? {
    switch self {
    case .none: nil
    case .text: "a text"
    case .shape: "a shape"
    case .gradient: "a gradient"
    case .image: "an image"
    case .replicator: "copies"
    case .emitter: "particles"
    case .video: "the video"
    }
  }
}
