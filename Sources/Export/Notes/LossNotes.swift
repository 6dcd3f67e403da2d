import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

// What the output loses of its sources before it is coded, in notes.

extension RenderPlan {
  /// Notes on what phones, browsers and televisions cannot play of a movie.
  func deliveryNotes(_ video: VideoEncodingSettings, _ format: PixelFormat) -> [ExportNote] {
    let frame = composition.edit.videoComposition.frameDuration
    return CompositionValidator.deliveryWarnings(video, format: format, size: self.format.frameSize, frameDuration: frame).map {
      ExportNote(.limitedPlayback, Wording($0.message))
    }
  }

  /// A note on a format that was asked for, of which the codec stores another one. What hardware takes is laid out otherwise, but
  /// holds the same.
  func otherFormat(_ stored: PixelFormat, by codec: VideoEncodingSettings.Codec) -> ExportNote? {
    guard let wanted = composition.edit.output.format else { return nil }
    let isSame =
      wanted.isRGB == stored.isRGB && wanted.bitDepth == stored.bitDepth && wanted.subsampling == stored.subsampling
    guard !isSame, let sentence = DroppedOfOutput.format(wanted, as: stored, by: codec) else { return nil }
    return ExportNote(.videoFormat, Wording(sentence))
  }

  /// A note on what frames that are coded without loss lose before: chroma, bits or size of the only source.
  func losses(in codec: VideoEncodingSettings.Codec?) -> [ExportNote] {
    let tracks = RenderFormat.sourceTracks(of: composition)
    guard codec == .ffv1, let (source, track) = tracks.first, tracks.count == 1, case .file = source, !track.isStill else {
      return []
    }
    let format = formatLosses(from: track)
    let others = otherLosses(from: track, deinterlacing: composition.edit.deinterlacing[source] ?? .off)
    guard !(format + others).isEmpty else { return [] }
    let keepsArchive = !format.isEmpty && !composition.edit.output.followsSourceLayout
    let preset = RecoveryOption(.preset, value: ExportPreset.archive.rawValue)
    let archive: Wording = keepsArchive ? "\(preset) keeps what FFV1 holds, " : ""
    return [
      ExportNote(
        .videoFormat,
        "\(source): \((format + others).joined(separator: ", ")) before the lossless coding"
          + .advice(": \(archive)\(setting: .passthrough) keeps the coded frames"), source: source)
    ]
  }

  private func formatLosses(from track: VideoTrackInfo) -> [String] {
    var losses: [String] = []
    let (from, to) = (track.format, format.pixelFormat)
    let isCoarser =
      to.subsampling.horizontalShift > from.subsampling.horizontalShift
      || to.subsampling.verticalShift > from.subsampling.verticalShift
    if from.bitDepth > to.bitDepth || isCoarser || from.isRGB != to.isRGB {
      losses.append("\(from.name) becomes \(to.name)")
    }
    let (own, new) = (track.attributes.color.range, format.attributes.color.range)
    if !from.isRGB, !to.isRGB, own != new { losses.append("\(own.rawValue) range becomes \(new.rawValue) range") }
    let coded = track.size
    let isFree = composition.edit.output.size == nil && format.size == PixelSize(rounding: track.displaySize).even
    if isFree, format.size != coded, format.size != PixelSize(width: coded.height, height: coded.width) {
      losses.append("frames of \(coded) are scaled to \(format.size)")
    }
    return losses
  }

  private func otherLosses(from track: VideoTrackInfo, deinterlacing: Deinterlacing) -> [String] {
    var losses: [String] = []
    let from = track.format
    if !from.isRGB, from.subsampling != .s444 {
      if from.hasAlpha, format.pixelFormat.hasAlpha { losses.append("the chroma of transparent areas is computed anew") }
      // Turned by the display matrix, chroma lies elsewhere between the pixels.
      if track.preferredTransform != .identity { losses.append("the chroma of turned frames is computed anew") }
    }
    if track.fieldOrder != .progressive, deinterlacing == .off { losses.append("interlaced frames are marked as progressive") }
    return losses
  }
}

extension ValidatedComposition {
  /// Notes on the sources with more frames a second than the output, at most three.
  var notesOnRate: [ExportNote] {
    let frame = edit.videoComposition.frameDuration
    guard edit.videoComposition.sourceTrackIDForFrameTiming == nil, frame.isNumeric, frame > .zero else { return [] }
    let counts = HiddenFrames.byRate(in: edit, media: media)
    let rate = frame.frameRate.plain
    let notes = counts.prefix(3).map { hidden in
      ExportNote(
        .frameRate,
        "\(hidden.source) has \(hidden.rate.plain) frames a second, the output \(rate): \(hidden.loss)"
          + .advice("; \(setting: .frameRate, value: hidden.rate.plain) shows them"), source: hidden.source)
    }
    let unsteady = notesOnCadence(at: frame, besides: counts.map(\.source))
    guard counts.count > 3 else { return notes + unsteady }
    let rest = ExportNote(.frameRate, "\(counts.count - 3) more sources have more frames a second than the output")
    return notes + [rest] + unsteady
  }

  /// Notes on sources of a variable rate whose frames are not all shown, at most three.
  private func notesOnCadence(at frame: MediaTime, besides known: [MediaSource]) -> [ExportNote] {
    var (seen, notes) = (Set(known), [ExportNote]())
    for segment in edit.composition.tracks(.video).flatMap(\.segments) {
      let mapping = segment.timeMapping
      guard notes.count < 3, segment.retiming.frames == .nearest, mapping.source.duration == mapping.target.duration,
        let source = segment.source, seen.insert(source).inserted,
        let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }), !info.isStill,
        let loss = info.cadence?.loss(at: frame)
      else { continue }
      let sentence = loss.hasSuffix(".") ? String(loss.dropLast()) : loss
      notes.append(ExportNote(.frameRate, "\(source) has \(sentence)", source: source))
    }
    return notes
  }
}
