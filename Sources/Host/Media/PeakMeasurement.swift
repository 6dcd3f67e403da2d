public import CompositorAPI
import CompositorConversion
import CompositorMediaIO

/// The brightest light that a first pass found in a source.
public struct MeasuredPeak: Hashable, Sendable, Codable {
  /// Path, pattern or name of the source.
  public var source: String
  /// MaxCLL of the frames that are used (CTA-861.3), in cd/m².
  public var luminance: Double
}

extension ValidatedComposition {
  /// The PQ sources whose peak a first pass has to find, each with the parts of it that are used.
  private var unmeasured: [(source: MediaSource, trackIndex: Int, ranges: [TimeRange])] {
    struct Use: Hashable {
      let source: MediaSource
      let track: Int
    }
    var (order, ranges) = ([Use](), [Use: [TimeRange]]())
    for segment in edit.composition.tracks(.video).lazy.flatMap(\.segments) {
      guard let source = segment.source, measuresPeak(of: source),
        videoTrack(segment.sourceTrackIndex, of: source)?.attributes.color.transfer == .pq
      else { continue }
      let use = Use(source: source, track: segment.sourceTrackIndex)
      if ranges[use] == nil { order.append(use) }
      ranges[use, default: []].append(segment.timeMapping.source)
    }
    // What titles show is looked at whole.
    for movie in (titles?.movies.values.map(\.self) ?? []).sorted(by: { $0.source.description < $1.source.description }) {
      guard measuresPeak(of: movie.source), movie.info.attributes.color.transfer == .pq, movie.info.timeRange.duration.isNumeric
      else { continue }
      let use = Use(source: movie.source, track: movie.info.index)
      if ranges[use] == nil { order.append(use) }
      ranges[use, default: []].append(movie.info.timeRange)
    }
    return order.map { ($0.source, $0.track, MediaTime.union(of: ranges[$0] ?? [])) }
  }

  /// Whether a source's peak is to be measured, because its own entry or the output says so.
  func measuresPeak(of source: MediaSource) -> Bool {
    guard media[source]?.videoTracks.contains(where: { $0.attributes.color.transfer == .pq }) == true else { return false }
    return (edit.sourceColors[source]?.peak ?? (edit.output.peak == .measured ? .measured : nil)) == .measured
  }

  /// The same composition with the peaks measured that ``SourceColor/peak`` and ``OutputDescription/peak`` ask for; the same one if none
  /// are. `Exporter` and the tool measure before they render; ask for it before ``frames(in:format:settings:)`` or `ImageGenerator`,
  /// which take sources at their word otherwise.
  ///
  /// Every frame that is used is decoded once. A measured peak is the source's light level from then on.
  ///
  /// - Parameter settings: How frames are made.
  /// - Returns: The composition, and what was found.
  /// - Throws: What decoding throws; `.cancelled`.
  public func measuringPeaks(
    settings: RenderSettings = RenderSettings()
  ) async throws(CompositorError) -> (composition: ValidatedComposition, peaks: [MeasuredPeak]) {
    var (edit, media, peaks) = (edit, media, [MeasuredPeak]())
    for use in unmeasured {
      let luminance = try await measure(use.source, use.trackIndex, use.ranges, settings)
      peaks.append(MeasuredPeak(source: use.source.description, luminance: luminance))
      var color = edit.sourceColors[use.source] ?? SourceColor()
      // Several tracks of one source share what is known of it.
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
      // A frame that is held, of a still or in slow motion, is one frame.
      let duration = range.duration.isNumeric && range.duration > .zero ? range.duration : step
      let target = TimeRange(start: end, duration: duration)
      segments.append(
        CompositionTrackSegment(
          source: source, trackIndex: trackIndex,
          timeMapping: TimeMapping(source: TimeRange(start: range.start, duration: duration), target: target)))
      end = target.end
    }
    try composition.setSegments(segments, ofTrack: video)
    var instruction = Instruction(timeRange: TimeRange(start: .zero, end: end))
    instruction.passthroughTrackID = video
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
  /// Ranges that overlap or touch as one, in the order of time.
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
