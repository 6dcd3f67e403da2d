import CompositorAPI
import CompositorMediaIO

/// Checks the appearance of video: orientation, enlargement, frame rates and colors.
struct PictureChecks {
  /// Codecs of animated images.
  private static let animatedImages: Set<String> = ["gif", "apng", "webp"]
  /// A larger scale looks soft on any display. 1080p footage in a 2160p movie just passes.
  private static let largestScale = 2.0

  private let edit: Edit
  private let media: [MediaSource: MediaInfo]
  private let tracks: [TrackID: CompositionTrack]

  /// A video track of a source that a composition's track shows.
  private struct Use: Hashable {
    let track: TrackID
    let source: MediaSource
    let sourceTrack: Int
  }

  static func run(
    _ edit: Edit, media: [MediaSource: MediaInfo], hidden: [HiddenFrames], into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let checks = PictureChecks(edit, media: media)
    let rotatedTracks = Set(checks.tracks.keys.filter(checks.showsRotated))
    var (rotated, enlarged, known) = (Set<Use>(), [Use: (scale: Double, instruction: Int)](), [Use: VideoTrackInfo?]())
    for (index, instruction) in edit.videoComposition.instructions.enumerated() {
      for layer in instruction.layers {
        // For most layers, the segments during the instruction needn't be examined.
        guard rotatedTracks.contains(layer.trackID) || layer.transform.mostScale * checks.renderScale > largestScale,
          instruction.timeRange.isUsable, let track = checks.tracks[layer.trackID]
        else { continue }
        for segment in track.segments(in: instruction.timeRange) {
          guard let source = segment.source else { continue }
          let use = Use(track: layer.trackID, source: source, sourceTrack: segment.sourceTrackIndex)
          let info = known[use] ?? checks.info(of: use)
          known[use] = .some(info)
          guard let info else { continue }
          if info.isRotated, !rotated.contains(use), instruction.compositor == .layer,
            let diagnostic = checks.lostOrientation(of: use, info, layer, segment, instruction: index)
          {
            rotated.insert(use)
            try diagnostics.add(diagnostic)
          }
          let range = instruction.timeRange.intersection(segment.timeMapping.target)
          let scale = layer.transform.largestScale(in: range) * checks.renderScale
          if scale > (enlarged[use]?.scale ?? largestScale * 1.001) { enlarged[use] = (scale, index) }
        }
      }
    }
    for (use, found) in enlarged.sorted(by: { ($0.value.instruction, $0.key.track) < ($1.value.instruction, $1.key.track) }) {
      guard let info = known[use] ?? nil else { continue }
      try diagnostics.add(checks.enlargement(of: use, info, found.scale, instruction: found.instruction))
    }
    try checks.checkRates(except: Set(hidden.map(\.source)), into: &diagnostics)
    try checks.checkColors(into: &diagnostics)
  }

  private init(_ edit: Edit, media: [MediaSource: MediaInfo]) {
    (self.edit, self.media) = (edit, media)
    tracks = Dictionary(edit.composition.tracks(.video).map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private var renderScale: Double { max(1, edit.videoComposition.renderScale) }

  /// The description of a source; `nil` for generated sources and titles, which are rendered at any size and rate.
  private func info(of use: Use) -> VideoTrackInfo? {
    if case .generated = use.source { return nil }
    return media[use.source]?.videoTracks.first { $0.index == use.sourceTrack && $0.codec != VideoTrackInfo.titleCodec }
  }

  /// Whether a track plays a source that is stored in another orientation than it should be shown in.
  private func showsRotated(_ track: TrackID) -> Bool { uses(of: track).contains { info(of: $0)?.isRotated == true } }

  /// The sources that a track plays, without duplicates and unordered.
  private func uses(
    of track: TrackID, where isMeant: (CompositionTrackSegment) -> Bool = { _ in true }
  ) -> Set<Use> {
    var (uses, last): (Set<Use>, CompositionTrackSegment?) = ([], nil)
    for segment in tracks[track]?.segments ?? [] {
      guard let source = segment.source, isMeant(segment) else { continue }
      // Consecutive clips are often parts of one source.
      guard source != last?.source || segment.sourceTrackIndex != last?.sourceTrackIndex else { continue }
      uses.insert(Use(track: track, source: source, sourceTrack: segment.sourceTrackIndex))
      last = segment
    }
    return uses
  }

  // MARK: Orientation

  private func lostOrientation(
    of use: Use, _ info: VideoTrackInfo, _ layer: LayerInstruction, _ segment: CompositionTrackSegment, instruction index: Int
  ) -> ValidationDiagnostic? {
    let instruction = edit.videoComposition.instructions[index]
    let range = instruction.timeRange.intersection(segment.timeMapping.target)
    guard !layer.transform.changes(in: range), Orientation(of: layer.transform.value(at: range.start)) == .upright else {
      return nil
    }
    let size = edit.videoComposition.renderSize
    let canvas = Size(width: Double(size.width), height: Double(size.height))
    let placement = SourcePlacement(
      size: info.size, pixelAspectRatio: info.attributes.pixelAspectRatio, preferredTransform: info.preferredTransform)
    let transform = placement.transform(.aspectFit, into: canvas)
    var mended = layer
    mended.transform = PropertyTimeline(default: transform)
    let numbers = [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty].map { "\($0)" }
    let turns = Orientation(of: info.preferredTransform)?.quarterTurns ?? 0
    let only = track(use.track, showsOnly: use, in: instruction.timeRange)
    return ValidationDiagnostic(
      .orientationLost, severity: .warning,
      "\(Named.source(use.source)) is to be shown rotated by \(90 * turns)° clockwise, but \(Named.instruction(index)) shows it as it is stored, on its side "
        + "or upside down.",
      instruction: index, track: use.track, foundTime: range.start,
      cause:
        "A composition's track doesn't take the preferred transform of what is inserted, and the layer's transform doesn't have it.",
      recoverySuggestion: "Start the layer's transform with the source's preferred transform: fitted to the canvas that is "
        + "(\(numbers.joined(separator: ", "))).",
      source: use.source, timeRange: range,
      fix: only
        ? DiagnosticFix(
          "Show \(Named.track(use.track)) upright and fitted in \(Named.instruction(index))", isSafe: false,
          change: .setLayer(instruction: index, mended)) : nil)
  }

  private func track(_ track: TrackID, showsOnly use: Use, in range: TimeRange) -> Bool {
    tracks[track]?.segments(in: range).allSatisfy {
      $0.isEmpty || ($0.source == use.source && $0.sourceTrackIndex == use.sourceTrack)
    }
      ?? false
  }

  // MARK: Scale

  private func enlargement(
    of use: Use, _ info: VideoTrackInfo, _ scale: Double, instruction: Int
  ) -> ValidationDiagnostic {
    let shown = (scale * 100).rounded() / 100
    return ValidationDiagnostic(
      .upscaled, severity: .warning,
      "\(Named.source(use.source)) of \(info.size) is shown at up to \(shown) times its size in \(Named.instruction(instruction)): it looks soft.",
      instruction: instruction, track: use.track,
      foundTime: edit.videoComposition.instructions[instruction].timeRange.start,
      cause: "The source is much smaller than its place on the canvas, or it is zoomed in.",
      recoverySuggestion: "Use a larger source or a smaller canvas, or show the source smaller.", source: use.source)
  }

  // MARK: Frame rates

  /// Checks for sources whose rate is neither that of the output nor a multiple or divisor of it. 29.97 in 30 is harmless,
  /// because one frame in a thousand is repeated, and animated images have no even motion of their own.
  private func checkRates(
    except hidden: Set<MediaSource>, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard edit.videoComposition.sourceTrackIDForFrameTiming == nil, let frame = edit.videoComposition.usableFrameDuration else {
      return
    }
    let output = 1 / frame.seconds
    var rates: [Use: Double] = [:]
    for track in tracks.keys {
      for use in uses(of: track, where: { $0.retiming.frames == .nearest && $0.timeMapping.isAtOwnSpeed }) {
        guard let info = info(of: use), !info.isStill, info.cadence?.isRegular != false,
          !Self.animatedImages.contains(info.codec)
        else { continue }
        // Hidden frames, and pauses, are no other rate.
        let rate = (info.cadence?.rate ?? info.nominalFrameRate).value
        if rate.isFinite, rate > 0 { rates[use] = rate }
      }
    }
    let isMixed = rates.values.contains { Self.go($0, with: output) }
    // The frames that are not shown of `hidden` are counted by another check.
    let uneven = rates.filter { !Self.go($0.value, with: output) && !hidden.contains($0.key.source) }.sorted {
      ($0.key.track, $0.value) < ($1.key.track, $1.value)
    }
    let advice = Self.advice(onRates: rates.values)
    for (use, rate) in uneven {
      let exact = ((rate * 1000).rounded() / 1000).plainText
      try diagnostics.add(
        ValidationDiagnostic(
          .mixedFrameRates, severity: .warning,
          "\(Named.source(use.source)) has \(exact) frames a second and the output \(((output * 1000).rounded() / 1000).plainText): its motion is uneven, because some "
            + "frames are shown longer than others.",
          track: use.track,
          cause: isMixed
            ? "Sources of several frame rates are mixed." : "The output's rate was chosen without regard to the source's.",
          recoverySuggestion: advice, source: use.source))
    }
  }

  /// What to do about sources of several rates.
  private static func advice(onRates rates: some Sequence<Double>) -> String {
    // A rate below a source's would not show all of its frames.
    let above = StandardFrameRate.all.filter { rate in
      rate.value <= FrameCadence.highestVariableRate.value
        && rates.allSatisfy { $0 <= rate.value * (1 + 1e-6) && go($0, with: rate.value) }
    }
    let fits = above.first { rate in rates.allSatisfy { isMultiple(rate.value, of: $0) } } ?? above.first
    let choice = fits.map { "Choose \($0.plain) as the output's frame rate, a multiple of all" }
    return "\(choice ?? "No rate up to 60 is a multiple of all: leave it"), or interpolate its frames."
  }

  /// Whether a rate is a whole multiple of another.
  private static func isMultiple(_ rate: Double, of source: Double) -> Bool {
    let ratio = rate / source
    return abs(ratio - ratio.rounded()) < ratio * 1e-6
  }

  /// Whether one rate is a multiple of the other, allowing for the factor 1.001 between 30 and 29.97.
  static func go(_ rate: Double, with output: Double) -> Bool {
    let ratio = max(rate, output) / min(rate, output)
    return abs(ratio / ratio.rounded() - 1) < 0.0015
  }

  // MARK: Colors

  /// Reports colors and light that the edit chooses to clip although the default preserves them.
  private func checkColors(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let (video, output) = (edit.videoComposition, edit.output.color)
    let policy = video.colorConversion
    guard policy.gamutMapping == .clip || policy.toneMapping == .clip,
      let primaries = video.colorPrimaries ?? output?.primaries,
      let transfer = video.transferFunction ?? output?.transfer, !transfer.isHDR
    else { return }
    var known: Set<MediaSource> = []
    for track in tracks.keys.sorted() {
      for use in uses(of: track) {
        guard let color = info(of: use)?.attributes.color, known.insert(use.source).inserted else { continue }
        let isWide = color.primaries == .bt2020 && primaries == .bt709 && policy.gamutMapping == .clip
        let isBright = color.transfer.isHDR && policy.toneMapping == .clip
        guard isWide || isBright else { continue }
        let what = [isBright ? "light above SDR white" : nil, isWide ? "colors outside of the output's gamut" : nil]
        try diagnostics.add(
          ValidationDiagnostic(
            .colorClipped, severity: .warning,
            "\(Named.source(use.source)) has \(what.compactMap(\.self).joined(separator: " and ")), which the edit's color conversion clips: details there "
              + "are lost, and hues shift.",
            track: track, cause: "The conversion is set to clip, where the default keeps gradients.",
            recoverySuggestion: "Leave gamut and tone mapping to their defaults.", path: "videoComposition.colorConversion",
            source: use.source))
      }
    }
  }
}

extension VideoTrackInfo {
  /// Whether the source is stored rotated or mirrored.
  fileprivate var isRotated: Bool {
    guard let orientation = Orientation(of: preferredTransform) else { return false }
    return orientation != .upright
  }
}

extension PropertyTimeline<AffineMatrix> {
  /// The largest scale factor at any time of a range. Between two matrices it is largest at one of them.
  fileprivate func largestScale(in range: TimeRange) -> Double {
    let first = ramps.partitioningIndex { $0.timeRange.end > range.start }
    return ramps[first...].prefix { $0.timeRange.start < range.end }.reduce(value(at: range.start).stretch) { most, ramp in
      let times = (max(ramp.timeRange.start, range.start), min(ramp.timeRange.end, range.end))
      return max(most, value(at: times.0).stretch, value(at: times.1).stretch)
    }
  }
}

extension PropertyTimeline<AffineMatrix> {
  /// The largest scale factor at any time.
  fileprivate var mostScale: Double {
    ramps.reduce(defaultValue.stretch) { max($0, $1.start.stretch, $1.end.stretch) }
  }
}

extension TimeMapping {
  /// Whether media plays at exactly its own speed.
  fileprivate var isAtOwnSpeed: Bool { source.duration == target.duration }
}

extension AffineMatrix {
  /// The larger singular value of the linear part.
  fileprivate var stretch: Double {
    let (sum, difference) = (a * a + b * b + c * c + d * d, 2 * determinant)
    return ((max(0, sum + difference)).squareRoot() + max(0, sum - difference).squareRoot()) / 2
  }
}
