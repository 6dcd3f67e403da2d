public import CompositorAPI
import CompositorAudio
import CompositorExport
public import CompositorMedia
import CompositorMediaIO
import CompositorValidation

extension TimelineDiagram {
  /// Makes ``thumbnails`` for all video tracks: at the start of each segment, and as many inside it as fit side by side.
  ///
  /// Thumbnails show source frames, not composed ones. To minimize decoding, each may be the key frame before its time.
  /// At most one source is open at a time.
  ///
  /// - Parameters:
  ///   - catalog: The catalog that opens sources.
  ///   - settings: The settings for drawing the diagram, which determine how many thumbnails fit.
  /// - Returns: One error per source that could not be read.
  /// - Throws: `.cancelled`.
  @discardableResult
  public mutating func makeThumbnails(
    catalog: MediaCatalog, for settings: DiagramSettings = .init()
  ) async throws(CompositorError) -> [CompositorError] {
    thumbnails = []
    var wanted: [MediaSource: [(trackID: TrackID, time: MediaTime, mediaTime: MediaTime)]] = [:]
    let time = shownTime(settings)
    let scale = DiagramScale(
      start: time.start, duration: time.duration, x0: DiagramRecording.margin + DiagramRecording.labelWidth,
      x1: settings.usedWidth - DiagramRecording.margin)
    for track in edit.composition.tracks(.video) {
      for slot in Self.slots(of: track, on: scale) {
        wanted[slot.source, default: []].append((track.trackID, slot.time, slot.mediaTime))
      }
    }
    var failures: [CompositorError] = []
    for (source, slots) in wanted.sorted(by: { $0.key.description < $1.key.description }) {
      guard !Task.isCancelled else { throw CompositorError(.cancelled, "The thumbnails were canceled.") }
      do throws(CompositorError) {
        try await addThumbnails(of: source, slots, catalog)
      } catch {
        guard error.code != .cancelled else { throw error }
        failures.append(error.locating(ErrorLocation(file: source.description)))
      }
    }
    thumbnails.sort { ($0.trackID, $0.time) < ($1.trackID, $1.time) }
    return failures
  }

  private mutating func addThumbnails(
    of source: MediaSource, _ slots: [(trackID: TrackID, time: MediaTime, mediaTime: MediaTime)], _ catalog: MediaCatalog
  ) async throws(CompositorError) {
    // Twice the height in the diagram, for high-density screens.
    let settings = ImageSettings(color: .sdr, maximumSize: PixelSize(width: 320, height: 90))
    // Sources without an end, such as generated ones, are shown as long as they are used.
    let end = (slots.map(\.mediaTime).max() ?? .zero) + MediaTime(value: 1, timescale: 1)
    let edit = try Edit(showing: source, catalog: catalog, endlessFor: end)
    let generator = try ImageGenerator(CompositionValidator.validate(edit, catalog: catalog).get(), settings: settings)
    var failure: CompositorError?
    for slot in slots {
      do throws(CompositorError) {
        let frame = try await generator.image(at: slot.mediaTime).frame
        thumbnails.append(
          DiagramThumbnail(trackID: slot.trackID, time: slot.time, size: frame.size.size, picture: try DiagramImage(frame)))
      } catch {
        failure = failure ?? error
      }
    }
    await generator.close()
    if let failure { throw failure }
  }

  /// The distance between thumbnails, in user units.
  private static let slotWidth = 84.0

  /// The positions of a track's thumbnails, and the source frames that they show.
  private static func slots(
    of track: CompositionTrack, on scale: DiagramScale
  ) -> [(source: MediaSource, time: MediaTime, mediaTime: MediaTime)] {
    var slots: [(source: MediaSource, time: MediaTime, mediaTime: MediaTime)] = []
    var free = scale.x0
    for segment in track.segments where segment.sourceTrackIndex == 0 {
      guard let source = segment.source, let extent = scale.extent(of: segment.timeMapping.target) else { continue }
      var x = max(extent.lowerBound, free)
      while x < extent.upperBound - 4, x + 24 <= scale.x1 {
        let seconds = scale.start + (x - scale.x0) / scale.unitsPerSecond
        let isStart = x == extent.lowerBound && seconds >= segment.timeMapping.target.start.seconds - 1e-9
        let time = isStart ? segment.timeMapping.target.start : MediaTime(seconds: seconds, preferredTimescale: 90_000)
        slots.append((source, time, max(.zero, segment.mediaTime(at: time))))
        x += slotWidth
        free = x
      }
    }
    return slots
  }

  /// Makes ``waveforms`` for all audio tracks, from audio that is decoded and retimed, but without volume changes. Takes one
  /// pass over each track, in constant memory.
  ///
  /// - Parameter catalog: The catalog that opens sources.
  /// - Returns: One error per track that could not be read completely.
  /// - Throws: `.cancelled`.
  @discardableResult
  public mutating func makeWaveforms(catalog: MediaCatalog) throws(CompositorError) -> [CompositorError] {
    waveforms = [:]
    var failures: [CompositorError] = []
    for track in edit.composition.tracks(.audio) {
      let duration = track.timeRange.duration.seconds
      guard duration.isFinite, duration > 0 else { continue }
      var waveform = DiagramWaveform(
        secondsPerPeak: max(duration / Double(Self.peakCount), 1 / Double(Self.sampleRate)), peaks: [])
      do throws(CompositorError) {
        try Self.measure(track, edit.composition, catalog, into: &waveform)
      } catch {
        guard error.code != .cancelled else { throw error }
        failures.append(error)
      }
      waveforms[track.trackID] = waveform
    }
    return failures
  }

  private static let peakCount = 16_384
  private static let sampleRate = 48_000

  private static func measure(
    _ track: CompositionTrack, _ composition: Composition, _ catalog: MediaCatalog, into waveform: inout DiagramWaveform
  ) throws(CompositorError) {
    let mixer = AudioMixer(composition, tracks: [track.trackID], sources: catalog, sampleRate: sampleRate, damaged: .keep)
    let block = AudioBlock(channelCount: 2, capacity: 8192)
    let length = waveform.secondsPerPeak * Double(sampleRate)
    let total = Int((track.timeRange.duration.seconds * Double(sampleRate)).rounded(.up))
    waveform.peaks.reserveCapacity(peakCount + 1)
    var (position, peak, end) = (0, Float(0), length)
    while position < total {
      guard !Task.isCancelled else { throw CompositorError(.cancelled, "The waveform was canceled.") }
      let count = min(block.capacity, total - position)
      try mixer.mix(count, into: block)
      let (left, right) = (block.channels[0], block.channels[1])
      for sample in 0..<count {
        peak = max(peak, max(abs(left[sample]), abs(right[sample])))
        guard Double(position + sample + 1) >= end else { continue }
        waveform.peaks.append(peak)
        (peak, end) = (0, length * Double(waveform.peaks.count + 1))
      }
      position += count
    }
    if peak > 0 { waveform.peaks.append(peak) }
  }
}
