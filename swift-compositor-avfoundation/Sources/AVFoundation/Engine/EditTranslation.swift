internal import Compositor
internal import Foundation

/// An asset with what is to be done with it, as the compositor takes it.
struct TranslatedEdit: Sendable {
  let composition: ValidatedComposition
  /// The range that is to be written.
  let timeRange: TimeRange
  /// How players are to turn the pictures.
  var orientation = Orientation.upright
  /// Whether anything is seen.
  let hasVideo: Bool
  /// Whether anything is heard.
  let hasAudio: Bool
  /// The program's compositor; `nil` if frames are made by the built-in ones.
  var compositor: CustomCompositor?
  /// The layers of the animation tool, which are drawn over frames.
  var overlays: [any FrameOverlay] = []
}

/// Makes an edit of an asset, a video composition and a mix, which are read once.
struct EditTranslation {
  let asset: AVAsset
  var videoComposition: AVVideoComposition?
  var audioMix: AVAudioMix?
  var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
  /// Whether audio alone is wanted.
  var audioOnly = false
  /// How pitch follows the speed, for tracks whose parameters do not say.
  var pitch = AVAudioTimePitchAlgorithm.spectral
  /// Whether pictures are rotated upright if there is no video composition, instead of saying how players are to turn them.
  var turnsUpright = false

  /// The edit.
  ///
  /// - Throws: Why the asset cannot be read, or what does not fit.
  func translated() throws(AVError) -> TranslatedEdit {
    var snapshot = try asset.snapshot()
    try holdLastFrames(of: &snapshot)
    try setPitch(of: &snapshot.composition)
    let all = TimeRange(start: .zero, duration: snapshot.composition.duration)
    let range = timeRange.media.intersection(all)
    guard !snapshot.composition.tracks.isEmpty, range.isNumeric, !range.isEmpty else {
      throw AVError(.operationNotSupportedForAsset, "There is nothing in the asset's time range.")
    }
    let shown = audioOnly ? nil : snapshot.composition.tracks.first { $0.mediaType == .video && $0.isEnabled }
    let heard = snapshot.composition.tracks.contains { $0.mediaType == .audio && $0.isEnabled && $0.timeRange.duration > .zero }
    var orientation = Orientation.upright
    var video: VideoComposition
    var compositor: CustomCompositor?
    if shown != nil, let videoComposition {
      compositor = try CustomCompositor(of: videoComposition)
      video = try translated(
        compositor?.videoComposition ?? videoComposition, by: compositor, of: snapshot.composition)
      fill(&video, from: snapshot.composition, until: all.end)
    } else if let shown {
      video = try following(shown, of: snapshot.composition, until: all.end)
      orientation = turnsUpright ? .upright : Orientation(of: shown.preferredTransform) ?? .upright
    } else {
      // Nothing is seen, so that there are no instructions.
      video = VideoComposition(frameDuration: MediaTime(value: 1, timescale: 30), renderSize: PixelSize(width: 2, height: 2))
    }
    let edit = Edit(composition: snapshot.composition, videoComposition: video, audioMix: audioMix?.mix ?? AudioMix())
    let types: Set<MediaType> = shown == nil ? [.audio] : [.video, .audio]
    let valid = try validated(edit, for: types, by: compositor, catalog: try snapshot.catalog())
    return TranslatedEdit(
      composition: valid, timeRange: range, orientation: orientation, hasVideo: shown != nil, hasAudio: heard,
      compositor: compositor, overlays: try overlays(isShown: shown != nil))
  }

  /// The edit, if it can be rendered.
  ///
  /// - Throws: What does not fit.
  private func validated(
    _ edit: Edit, for types: Set<MediaType>, by compositor: CustomCompositor?, catalog: MediaCatalog
  ) throws(AVError) -> ValidatedComposition {
    do throws(CompositorError) {
      let registry = try compositor?.registry ?? .builtIn
      return try CompositionValidator.validate(edit, catalog: catalog, registry: registry, mediaTypes: types).get()
    } catch {
      throw AVError(error)
    }
  }

  /// Makes parts that hold the end of their media show its last frame, which begins before.
  ///
  /// - Throws: Why a file cannot be read.
  private func holdLastFrames(of snapshot: inout AssetSnapshot) throws(AVError) {
    for track in snapshot.composition.tracks(.video) where track.segments.contains(where: \.isFreezeFrame) {
      var segments = track.segments
      for (index, segment) in segments.enumerated() where segment.isFreezeFrame {
        guard let facts = segment.source.flatMap({ snapshot.files[$0] }),
          let end = try facts.info().videoTracks.first(where: { $0.index == segment.sourceTrackIndex })?.timeRange.end,
          segment.timeMapping.source.start >= end
        else { continue }
        segments[index].timeMapping.source.start = end - MediaTime(value: 1, timescale: 90_000)
      }
      do throws(CompositorError) { try snapshot.composition.setSegments(segments, ofTrack: track.trackID) } catch {
        throw AVError(error)
      }
    }
  }

  /// Sets how pitch follows the speed of audio tracks.
  ///
  /// - Throws: An algorithm that is not known here.
  private func setPitch(of composition: inout Composition) throws(AVError) {
    for track in composition.tracks(.audio) {
      let own = audioMix?.inputParameters.last { $0.trackID == track.trackID }?.audioTimePitchAlgorithm
      let algorithm = try (own ?? pitch).algorithm
      guard algorithm != .spectral else { continue }
      let segments = track.segments.map { segment in
        var segment = segment
        segment.retiming.pitch = algorithm
        return segment
      }
      do throws(CompositorError) { try composition.setSegments(segments, ofTrack: track.trackID) } catch {
        throw AVError(error)
      }
    }
  }

  /// The layers of the animation tool, if pictures are wanted.
  ///
  /// - Throws: What cannot be drawn.
  private func overlays(isShown: Bool) throws(AVError) -> [any FrameOverlay] {
    guard isShown, let videoComposition, let tool = videoComposition.animationTool else { return [] }
    return [try tool.overlay(over: videoComposition.renderSize)]
  }

  /// What the first track shows, at its own size and its own times.
  private func following(
    _ track: CompositionTrack, of composition: Composition, until end: MediaTime
  ) throws(AVError) -> VideoComposition {
    guard let object = try asset.readTracks().first(where: { $0.trackID == track.trackID }) else {
      throw AVError(.noSuchTrack, "There is no track \(track.trackID).")
    }
    let size = composition.naturalSize.map(CGSize.init) ?? object.naturalSize
    let frameDuration = object.minFrameDuration.isNumeric ? object.minFrameDuration.media : MediaTime(value: 1, timescale: 30)
    let upright = turnsUpright && !object.preferredTransform.isIdentity
    let shown = upright ? CGRect(origin: .zero, size: size).applying(object.preferredTransform).size : size
    var video = VideoComposition(frameDuration: frameDuration, renderSize: shown.evenPixels)
    video.sourceTrackIDForFrameTiming = track.trackID
    let range = TimeRange(start: .zero, end: end)
    if upright {
      var layer = LayerInstruction(trackID: track.trackID)
      do { try layer.transform.set(track.preferredTransform, at: .zero) } catch { throw AVError(error) }
      video.instructions = [Instruction(timeRange: range, layers: [layer])]
    } else {
      video.instructions = [Instruction(timeRange: range, passthroughTrackID: track.trackID)]
    }
    return video
  }

  /// Shows the background where only audio is left after the last instruction.
  private func fill(_ video: inout VideoComposition, from composition: Composition, until end: MediaTime) {
    let seen = composition.tracks(.video).map(\.timeRange.end).max() ?? .zero
    guard let last = video.instructions.last?.timeRange.end, last < end, seen <= last else { return }
    video.instructions.append(Instruction(timeRange: TimeRange(start: last, end: end)))
  }
}

extension AVAudioTimePitchAlgorithm {
  /// The algorithm as the compositor names it.
  fileprivate var algorithm: PitchAlgorithm {
    get throws(AVError) {
      switch self {
      case .spectral: return .spectral
      case .timeDomain: return .timeDomain
      case .varispeed: return .varispeed
      default: throw AVError(.formatUnsupported, "“\(rawValue)” is no pitch algorithm that is known here.")
      }
    }
  }
}

extension CGSize {
  /// The size in pixels, even in both directions, as most codecs need it.
  var evenPixels: PixelSize {
    PixelSize(width: max(2, pixels.width & ~1), height: max(2, pixels.height & ~1))
  }
}
