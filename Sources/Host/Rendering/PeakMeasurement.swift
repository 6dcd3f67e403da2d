public import CompositorAPI
import CompositorConversion
import CompositorMedia
import CompositorMediaIO
public import CompositorValidation

/// The peak luminance of a source, as measured in a first pass.
public struct MeasuredPeak: Hashable, Sendable, Codable {
  /// Path, pattern or name of the source.
  public var source: String
  /// MaxCLL (CTA-861.3) of the frames that are used, in cd/m².
  public var luminance: Double

  package init(source: String, luminance: Double) { (self.source, self.luminance) = (source, luminance) }
}

extension ValidatedComposition {
  /// The PQ sources whose peak must be measured in a first pass, each with its used ranges.
  private var unmeasured: [(source: MediaSource, trackIndex: Int, ranges: [TimeRange])] {
    struct Use: Hashable {
      let source: MediaSource
      let track: Int
    }
    var (order, ranges) = ([Use](), [Use: [TimeRange]]())
    let masks = edit.videoComposition.maskOnlyTrackIDs
    for segment in edit.composition.tracks(.video).lazy.filter({ !masks.contains($0.trackID) }).flatMap(\.segments) {
      guard let source = segment.source, measuresPeak(of: source),
        videoTrack(segment.sourceTrackIndex, of: source)?.attributes.color.transfer == .pq
      else { continue }
      let use = Use(source: source, track: segment.sourceTrackIndex)
      if ranges[use] == nil { order.append(use) }
      ranges[use, default: []].append(segment.timeMapping.source)
    }
    // Movies shown by titles are measured completely.
    for movie in (titles?.movies.values.map(\.self) ?? []).sorted(by: { $0.source.description < $1.source.description }) {
      guard measuresPeak(of: movie.source), movie.info.attributes.color.transfer == .pq, movie.info.timeRange.duration.isNumeric
      else { continue }
      let use = Use(source: movie.source, track: movie.info.index)
      if ranges[use] == nil { order.append(use) }
      ranges[use, default: []].append(movie.info.timeRange)
    }
    return order.map { ($0.source, $0.track, MediaTime.union(of: ranges[$0] ?? [])) }
  }

  /// A copy of the composition with measured peaks where `SourceColor.peak` and `OutputDescription.peak` request them; the same
  /// composition if none do. `Exporter` and the tool measure before they render. Call it before `frames(in:format:settings:)`
  /// or `ImageGenerator`, which otherwise use the sources' metadata.
  ///
  /// Every frame that is used is decoded once. A measured peak then replaces the source's light level metadata.
  ///
  /// - Parameter settings: The render settings.
  /// - Returns: The composition, and the measured peaks.
  /// - Throws: Any error of decoding; `.cancelled`.
  public func measuringPeaks(
    settings: RenderSettings = RenderSettings()
  ) async throws(CompositorError) -> (composition: ValidatedComposition, peaks: [MeasuredPeak]) {
    try await measuringPeaks(settings: settings, known: [])
  }

  /// The same, reusing peaks that were measured before, without decoding these sources.
  package func measuringPeaks(
    settings: RenderSettings, known: [MeasuredPeak]
  ) async throws(CompositorError) -> (composition: ValidatedComposition, peaks: [MeasuredPeak]) {
    var (edit, media, peaks) = (edit, media, [MeasuredPeak]())
    for use in unmeasured {
      let stated = known.filter { $0.source == use.source.description }.map(\.luminance).max()
      let luminance: Double
      if let stated {
        luminance = stated
      } else {
        luminance = try await measure(use.source, use.trackIndex, use.ranges, settings)
      }
      peaks.append(MeasuredPeak(source: use.source.description, luminance: luminance))
      var color = edit.sourceColors[use.source] ?? SourceColor()
      // Several tracks of one source share its corrections.
      if case .luminance(let known) = color.peak {
        color.peak = .luminance(max(known, luminance))
      } else {
        color.peak = .luminance(luminance)
      }
      edit.sourceColors[use.source] = color
      media[use.source] = try catalog.info(for: use.source, color: color)
    }
    guard !peaks.isEmpty else { return (self, []) }
    return (
      ValidatedComposition(edit: edit, media: media, catalog: catalog, registry: registry, titles: titles, captions: captions),
      peaks
    )
  }

  private func measure(
    _ source: MediaSource, _ trackIndex: Int, _ ranges: [TimeRange], _ settings: RenderSettings
  ) async throws(CompositorError) -> Double {
    guard let track = videoTrack(trackIndex, of: source) else { return 0 }
    var composition = Composition()
    let video = composition.addTrack(.video)
    var (segments, end) = ([CompositionTrackSegment](), MediaTime.zero)
    let step = track.outputFrameRate.frameDuration
    for range in ranges {
      // A held frame, of a still or in slow motion, counts as one frame.
      let duration = range.duration.isNumeric && range.duration > .zero ? range.duration : step
      let target = TimeRange(start: end, duration: duration)
      segments.append(
        CompositionTrackSegment(
          source: source, trackIndex: trackIndex,
          timeMapping: TimeMapping(source: TimeRange(start: range.start, duration: duration), target: target)))
      end = target.end
    }
    try composition.setSegments(segments, ofTrack: video)
    let instruction = Instruction(timeRange: TimeRange(start: .zero, end: end), passthroughTrackID: video)
    var output = OutputDescription(color: track.attributes.color)
    output.hdrMetadata = .drop
    var edit = Edit(
      composition: composition,
      videoComposition: VideoComposition(instructions: [instruction], frameDuration: step, renderSize: track.size),
      output: output, deinterlacing: self.edit.deinterlacing.filter { $0.key == source })
    var color = self.edit.sourceColors[source]
    color?.peak = nil
    edit.sourceColors[source] = color
    let known = ValidatedComposition(edit: edit, media: media, catalog: catalog, registry: registry, titles: nil, captions: [])
    let plan = try RenderPlan(known)
    let pass = LightPass(plan, frames: 0..<plan.frameCount, delivery: DeliveryFormat(plan.format), settings: settings)
    return try await pass.run { _ in }.maximumPixel
  }
}

extension MediaTime {
  /// Merges ranges that overlap or touch, in order of time.
  fileprivate static func union(of ranges: [TimeRange]) -> [TimeRange] {
    var result: [TimeRange] = []
    for range in ranges.sorted(by: { $0.start < $1.start }) {
      if let last = result.last, range.start <= last.end {
        result[result.count - 1] = TimeRange(start: last.start, end: max(last.end, range.end))
      } else {
        result.append(range)
      }
    }
    return result
  }
}
