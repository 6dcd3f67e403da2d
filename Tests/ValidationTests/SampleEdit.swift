import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorValidation
import CompositorTestMedia

/// Media that can be looked at, but not opened: what validation needs.
struct DescribedMedia: MediaProvider {
  var size = PixelSize(width: 64, height: 36)
  var rate = Rational(30, 1)
  var duration = MediaTime.seconds(3600)
  var preferredTransform = AffineMatrix.identity
  var color = ColorTags.bt709
  var hasAudio = true

  func describe() throws(CompositorError) -> MediaInfo {
    let range = TimeRange(start: .zero, duration: duration)
    var video = VideoTrackInfo(
      index: 0, codec: "memory", size: size, format: .yuv420p, attributes: FrameAttributes(color: color),
      nominalFrameRate: rate, timeRange: range)
    video.preferredTransform = preferredTransform
    let audio = AudioTrackInfo(index: 0, codec: "pcm", sampleRate: 48000, channelCount: 2, timeRange: range)
    return MediaInfo(
      source: .custom(name: "described"), container: "memory", duration: duration, videoTracks: [video],
      audioTracks: hasAudio ? [audio] : [])
  }

  func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    throw CompositorError(.trackNotFound, "Described media cannot be opened.")
  }
}

/// The arithmetic of the sample that the model's documents have: clips alternate between two video and two audio tracks and overlap by a
/// transition, each clip's range alone loses one transition where it should lose two in the middle, and volumes fade in the first
/// transition only, whichever clip is meant.
struct SampleEdit {
  let catalog = MediaCatalog()
  private(set) var edit: Edit

  /// - Parameters:
  ///   - countsBoth: Whether clips between two transitions lose both, as is right.
  ///   - fadesAll: Whether each transition has a cross-fade, as is right.
  init(
    clips: Int, length: MediaTime = .seconds(5), transition: MediaTime = .seconds(2), countsBoth: Bool = false,
    fadesAll: Bool = false
  ) throws {
    catalog.provide(DescribedMedia(), as: "clip")
    var composition = Composition()
    let video = [composition.addTrack(.video), composition.addTrack(.video)]
    let audio = [composition.addTrack(.audio), composition.addTrack(.audio)]
    var segments: [[CompositionTrackSegment]] = [[], []]
    var instructions: [Instruction] = []
    var mix = audio.map { AudioMixInputParameters(trackID: $0) }
    var start = MediaTime.zero
    for clip in 0..<clips {
      let (own, other) = (clip % 2, (clip + 1) % 2)
      let end = segments[own].last?.timeMapping.target.end ?? .zero
      if end < start { segments[own].append(CompositionTrackSegment(empty: TimeRange(start: end, end: start))) }
      segments[own].append(
        CompositionTrackSegment(
          source: .custom(name: "clip"),
          timeMapping: TimeMapping(
            source: TimeRange(start: .zero, duration: length), target: TimeRange(start: start, duration: length))))
      let isInside = clip > 0 && clip + 1 < clips
      var alone = TimeRange(start: clip > 0 ? start + transition : start, duration: length - transition)
      if countsBoth, isInside { alone.duration -= transition }
      instructions.append(Instruction(timeRange: alone, layers: [LayerInstruction(trackID: video[own])]))
      start = start + length - transition
      guard clip + 1 < clips else { break }
      let overlap = TimeRange(start: start, duration: transition)
      var new = LayerInstruction(trackID: video[other])
      try new.opacity.setRamp(from: 0, to: 1, timeRange: overlap)
      instructions.append(Instruction(timeRange: overlap, layers: [new, LayerInstruction(trackID: video[own])]))
      if clip == 0 || fadesAll {
        try mix[own].volume.setRamp(from: 1, to: 0, timeRange: overlap)
        try mix[other].volume.setRamp(from: 0, to: 1, timeRange: overlap)
      }
    }
    for place in 0..<2 {
      try composition.setSegments(segments[place], ofTrack: video[place])
      try composition.setSegments(segments[place], ofTrack: audio[place])
    }
    edit = Edit(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: instructions, frameDuration: MediaTime(value: 1, timescale: 30),
        renderSize: PixelSize(width: 64, height: 36)),
      audioMix: AudioMix(inputParameters: mix))
  }

  func diagnostics(of edit: Edit? = nil) -> [ValidationDiagnostic] {
    CompositionValidator.validate(edit ?? self.edit, catalog: catalog).diagnostics
  }
}

extension Edit {
  /// The edit after all fixes that are wanted, one after another; at most as many as `limit`.
  func applyingFixes(
    catalog: MediaCatalog, limit: Int = 50, where isWanted: (ValidationDiagnostic) -> Bool = { _ in true }
  ) throws -> (edit: Edit, titles: [String]) {
    var (edit, titles): (Edit, [String]) = (self, [])
    while titles.count < limit,
      let fix = CompositionValidator.validate(edit, catalog: catalog).diagnostics.filter(isWanted).lazy.compactMap(\.fix).first
    {
      edit = try edit.applying(fix)
      titles.append(fix.title)
    }
    return (edit, titles)
  }
}
