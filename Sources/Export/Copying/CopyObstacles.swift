import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorValidation

/// Finds obstacles to copying, and reports the first in timeline order.
struct CopyObstacles {
  private let edit: Edit
  private let composition: ValidatedComposition

  init(_ composition: ValidatedComposition) {
    self.composition = composition
    edit = composition.edit
  }

  static func refusal(_ message: String, _ advice: Advice, at location: ErrorLocation) -> CompositorError {
    CompositorError(
      .unsupportedOutput, "This cannot be copied without encoding: \(message)", advice: advice, at: location)
  }

  /// Checks for settings that require encoding the frames.
  static func check(_ settings: ExportSettings, path: String) throws(CompositorError) {
    let asked: [(Bool, String)] = [
      (settings.size != nil || settings.largestSize != nil, "The frames are to have another size."),
      (settings.frameRate != nil || settings.highestFrameRate != nil, "The movie is to have another frame rate."),
      (settings.orientation != .upright, "Players are to rotate the frames."),
      (!settings.fastStart, "The index is to come last, and copies have it first."),
    ]
    for (stands, message) in asked where stands {
      throw refusal(message, "Encode, or leave this out.", at: ErrorLocation(file: path))
    }
  }

  func check(audio: Bool) throws(CompositorError) {
    try checkWhole()
    for index in edit.videoComposition.instructions.indices { try check(instruction: index) }
    if audio { try checkMix() }
  }

  private func checkWhole() throws(CompositorError) {
    let render: Advice = "Render the project, or leave this out."
    let video = edit.videoComposition
    let whole: [(Bool, String)] = [
      (!edit.titles.layers.isEmpty, "Titles are drawn over the frames."),
      (!edit.captions.isEmpty, "There are captions."),
      (
        edit.output.color != nil || video.colorPrimaries != nil || video.transferFunction != nil || video.matrix != nil,
        "The output has a color of its own."
      ),
      (edit.output.format != nil || edit.output.bitDepth != nil, "The output has a pixel format of its own."),
      (edit.output.hdrMetadata != .propagate, "HDR metadata is to be changed."),
      (!edit.sourceColors.isEmpty, "The color of a source is to be read in another way."),
      (edit.deinterlacing.values.contains { $0 != .off }, "A source is to be deinterlaced."),
      (video.renderScale != 1, "The output is scaled."),
      (
        edit.output.size.map { $0 != video.renderSize } == true,
        "The output has \(edit.output.size ?? video.renderSize), and the canvas \(video.renderSize)."
      ),
    ]
    for (stands, message) in whole where stands { throw Self.refusal(message, render, at: ErrorLocation()) }
    try checkFrameRate()
  }

  /// Checks that every clip has the output's frame rate. If one track determines the times of frames, they are that track's.
  private func checkFrameRate() throws(CompositorError) {
    let video = edit.videoComposition
    guard video.sourceTrackIDForFrameTiming == nil else { return }
    for track in edit.composition.tracks(.video) where track.isEnabled {
      for segment in track.segments {
        guard let source = segment.source,
          let info = composition.media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }),
          !info.isStill, info.outputFrameRate.frameDuration != video.frameDuration
        else { continue }
        let rate = video.frameDuration.frameRate.reduced
        throw Self.refusal(
          "The output has a frame rate of \(rate.plain), and \(source) one of \(info.outputFrameRate.plain).",
          "Render the project, or leave the frame rate to the clips.",
          at: ErrorLocation(
            file: source.description, track: track.trackID, time: segment.timeMapping.target.start))
      }
    }
  }

  private func check(instruction index: Int) throws(CompositorError) {
    let instruction = edit.videoComposition.instructions[index]
    let location = ErrorLocation(instruction: index, time: instruction.timeRange.start)
    func refuse(_ message: String) -> CompositorError {
      Self.refusal(message, "Render the project, or show one clip at a time as it is.", at: location)
    }
    guard instruction.effects.isEmpty, instruction.layers.allSatisfy(\.effects.isEmpty) else {
      throw refuse("There is an effect.")
    }
    if let track = instruction.passthroughTrackID { return try checkSize(of: track, matrix: nil, at: instruction, location) }
    guard instruction.compositor == .layer, instruction.additionalTrackIDs.isEmpty else {
      throw refuse("The compositor \(instruction.compositor) makes the frames.")
    }
    guard instruction.layers.count <= 1 else { throw refuse("Several clips are shown at the same time.") }
    guard let layer = instruction.layers.first else { throw refuse("Nothing is shown for a time.") }
    guard !instruction.changesPlacement, layer.decoration == nil, layer.opacity.value(at: instruction.timeRange.start) == 1
    else {
      throw refuse("A clip fades, moves, is transparent or decorated.")
    }
    let crop = layer.crop.value(at: instruction.timeRange.start)
    guard crop == .infinite else { throw refuse("A clip is cropped.") }
    try checkSize(of: layer.trackID, matrix: layer.transform.value(at: instruction.timeRange.start), at: instruction, location)
  }

  /// Checks that a track's frames fill the canvas unchanged.
  private func checkSize(
    of trackID: TrackID, matrix: AffineMatrix?, at instruction: Instruction, _ location: ErrorLocation
  ) throws(CompositorError) {
    guard let segment = edit.composition.track(trackID)?.segment(at: instruction.timeRange.start), let source = segment.source,
      let track = composition.media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex })
    else { return }
    let (canvas, size) = (edit.videoComposition.renderSize, track.displaySize)
    // By default, a canvas has integer and even dimensions.
    guard abs(Double(canvas.width) - size.width) < 2, abs(Double(canvas.height) - size.height) < 2 else {
      throw Self.refusal(
        "The canvas has \(canvas), and \(source) \(Int(size.width.rounded()))x\(Int(size.height.rounded())).",
        "Render the project, or use clips of one size.", at: location)
    }
    guard let matrix else { return }
    let (x, y) = (Double(canvas.width) / size.width, Double(canvas.height) / size.height)
    let own = track.preferredTransform
    let linear = zip(
      [own.a * x, own.b * y, own.c * x, own.d * y], [matrix.a, matrix.b, matrix.c, matrix.d])
    // Scaled to a canvas with evened dimensions, a frame is larger by at most two pixels.
    let isEvened = abs(x - 1) > 1e-4 || abs(y - 1) > 1e-4
    let (slack, offset) = isEvened ? (2 / min(size.width, size.height), 1.5) : (1e-3, 0.5)
    let isSame =
      linear.allSatisfy { abs($0 - $1) < slack } && abs(own.tx * x - matrix.tx) < offset && abs(own.ty * y - matrix.ty) < offset
    guard isSame else {
      throw Self.refusal("A clip is moved, scaled or rotated.", "Render the project, or place the clip as it is.", at: location)
    }
  }

  private func checkMix() throws(CompositorError) {
    let mix = edit.audioMix
    let render: Advice = "Render the project, or leave this out."
    for parameters in mix.inputParameters {
      let isPlain =
        parameters.volume.isConstant && parameters.volume.defaultValue == 1 && parameters.pan.isConstant
        && parameters.pan.defaultValue == 0 && parameters.processors.isEmpty
      guard isPlain else {
        throw Self.refusal(
          "A track has a volume, a position or an effect of its own.", render, at: ErrorLocation(track: parameters.trackID))
      }
    }
    let isPlain = mix.volume.isConstant && mix.volume.defaultValue == 1 && mix.ducking.isEmpty && mix.processors.isEmpty
    guard isPlain, mix.loudness == nil else {
      throw Self.refusal("The mix has a volume, a loudness, ducking or an effect.", render, at: ErrorLocation())
    }
  }
}
