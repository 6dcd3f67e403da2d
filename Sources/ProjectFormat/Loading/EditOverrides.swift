package import CompositorAPI
import CompositorExport
import CompositorHost
package import CompositorMediaWriting
package import CompositorTimeline

/// Values that override the colors of an edit.
package struct ColorOverrides: Hashable, Sendable, Codable {
  /// The preset whose color, depth and alpha apply; `nil` for none.
  package var preset: ExportPreset?
  /// The color of the output.
  package var color: ColorTags?
  /// The mastering display and light levels to write.
  package var hdrMetadata: HDRMetadataChoice?
  /// Bits per component.
  package var depth: Int?
  /// The color of all media files, overriding their tags.
  package var sources: SourceColor?
  /// How all media files are deinterlaced.
  package var deinterlacing: Deinterlacing?

  /// Creates overrides.
  package init(
    color: ColorTags? = nil, hdrMetadata: HDRMetadataChoice? = nil, depth: Int? = nil, sources: SourceColor? = nil,
    deinterlacing: Deinterlacing? = nil
  ) {
    (self.color, self.hdrMetadata, self.depth) = (color, hdrMetadata, depth)
    (self.sources, self.deinterlacing) = (sources, deinterlacing)
  }

  /// Changes the colors of an edit.
  package func apply(to edit: inout Edit) {
    let used = Set(edit.composition.tracks(.video).flatMap(\.segments).compactMap(\.source)).filter(\.isFile)
    if let sources {
      for source in used.union(edit.titles.images.values.filter(\.isFile)) {
        edit.sourceColors[source] = edit.sourceColors[source]?.overruled(by: sources) ?? sources
      }
    }
    if let deinterlacing { for source in used { edit.deinterlacing[source] = deinterlacing } }
    preset?.apply(to: &edit)
    if let color { edit.render(in: color) }
    if let hdrMetadata { edit.output.hdrMetadata = hdrMetadata }
    if let depth { edit.output.bitDepth = depth }
  }
}

/// Values that override the mix of an edit.
package struct AudioOverrides: Hashable, Sendable, Codable {
  /// The integrated loudness to reach, in LUFS.
  package var loudness: Double?
  /// A linear gain that multiplies the project's.
  package var gain: Double?
  /// Whether peaks above full scale clip.
  package var omitsLimiter = false
  /// The channels that are heard of sources whose clips choose none.
  package var sourceChannels: AudioChannels?
  /// The audio tracks of media files.
  package var tracks: AudioTrackSelection?

  /// Creates overrides that leave the mix as it is.
  package init() {}

  /// Changes the mix of an edit. The choice of ``tracks`` is not part of it: a timeline makes it.
  package func apply(to edit: inout Edit) throws(CompositorError) {
    if let loudness { edit.audioMix.loudness = LoudnessTarget(integrated: loudness) }
    if omitsLimiter { edit.audioMix.limiting = .off }
    if let sourceChannels { try edit.composition.choose(sourceChannels) }
    guard let gain else { return }
    let written = edit.audioMix.volume
    var volume = PropertyTimeline(default: written.defaultValue * gain)
    for ramp in written.ramps {
      if ramp.timeRange.duration == .zero {
        try volume.set(ramp.end * gain, at: ramp.timeRange.start)
      } else {
        try volume.setRamp(from: ramp.start * gain, to: ramp.end * gain, timeRange: ramp.timeRange)
      }
    }
    edit.audioMix.volume = volume
  }
}

extension Composition {
  /// Sets the channels that are heard where all are.
  fileprivate mutating func choose(_ channels: AudioChannels) throws(CompositorError) {
    for track in tracks(.audio) {
      let segments = track.segments.map { segment in
        var segment = segment
        if !segment.isEmpty, segment.channels == .all { segment.channels = channels }
        return segment
      }
      try setSegments(segments, ofTrack: track.trackID)
    }
  }
}

extension MediaSource {
  /// Whether the source is a file, whose tags may be wrong.
  fileprivate var isFile: Bool {
    switch self {
    case .file, .imageSequence: true
    case .generated, .custom: false
    }
  }
}
