import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorValidation

/// An export of audio alone: encodes and writes on a thread of its own, and mixes ahead of it on another.
struct AudioExport {
  private let composition: ValidatedComposition
  private let output: OutputName
  private let settings: ExportSettings
  private let description: MovieDescription
  private let audio: AudioEncodingSettings
  /// The part of the timeline to write.
  private let range: TimeRange

  /// - Throws: `.unsupportedOutput` if there is nothing to write or the file cannot hold it; `.encoderNotFound`;
  ///   `.invalidValue` for a range without samples.
  init(
    _ composition: ValidatedComposition, to output: OutputName, settings: ExportSettings
  ) throws(CompositorError) {
    self.composition = composition
    self.output = output
    self.settings = settings
    let container = if let known = output.container { known } else { try MovieContainer(path: output.path) }
    let end = composition.edit.composition.duration
    do throws(CompositorError) {
      guard let audio = output.encoding(of: settings.audio), composition.hasAudio else {
        throw CompositorError(
          .unsupportedOutput, "There is no audio to write.",
          recoverySuggestion: settings.audio == nil
            ? "Write audio, or a movie with video." : "Add a clip with audio, or write a movie with video.")
      }
      self.audio = audio
      let range = try AudioExport.range(settings, until: end)
      var description = MovieDescription(
        container: container, audioTracks: composition.audioDescriptions(audio, in: container))
      try description.apply(settings, in: range, of: end, cover: nil)
      description.subtitleTracks = composition.edit.captionTracks(in: range)
      try description.validate()
      (self.range, self.description) = (range, description)
      guard audio.sampleCount(lasting: range.duration) > 0 else {
        throw CompositorError(
          .invalidValue, "No audio sample is in the range to export.",
          recoverySuggestion: "Choose a range inside 0 … \(end.readable).")
      }
    } catch {
      throw error.locating(ErrorLocation(file: output.path))
    }
    if settings.render.damaged == .fail, let error = composition.missingSound(from: range.start, through: range.end) {
      throw error
    }
  }

  /// The part of the timeline to write.
  private static func range(_ settings: ExportSettings, until end: MediaTime) throws(CompositorError) -> TimeRange {
    guard end.isNumeric else {
      throw CompositorError(
        .invalidComposition, "The composition lasts \(end.readable): its samples cannot be counted.",
        recoverySuggestion: "Give every segment a finite duration.")
    }
    let whole = TimeRange(start: .zero, end: end)
    guard let wanted = settings.timeRange else { return whole }
    guard !settings.extendsAudio else { return wanted }
    let (first, last) = (max(wanted.start, .zero), min(wanted.end, end))
    return TimeRange(start: first, end: max(first, last))
  }

  /// Writes the file.
  func run(
    since start: ContinuousClock.Instant, progress: (@Sendable (ExportProgress) -> Void)?
  ) async throws(CompositorError) -> ExportResult {
    var audio = ExportAudio.all(
      of: composition, encoding: audio, start: range.start, damaged: settings.render.damaged)
    let total = Int(self.audio.sampleCount(lasting: range.duration))
    let measuresLoudness = audio.first?.measuresLoudness == true
    let passCount = measuresLoudness ? 2 : 1
    let meter = ExportMeter(total, passCount: passCount, unit: .samples, since: start, report: progress)
    if measuresLoudness {
      try await audio.measureLoudness(until: range.end) { meter.measured(Int($0 * Double(total)), inPass: 0) }
    }
    let coverFrame = try await settings.cover?.frame(of: composition, settings: settings.render)
    let destination = try OutputDestination(
      output, overwrites: settings.overwrites, needsWorkingFiles: coverFrame != nil)
    do throws(CompositorError) {
      var description = description
      description.cover = try settings.cover?.picture(coverFrame, in: destination.workingFiles)
      let (summary, met, loudness) = try await destination.writing { [audio, description] () async throws(CompositorError) in
        let writer = try AudioFileWriter { () throws(CompositorError) in try open(audio, description, in: destination) }
        return try await written(by: writer, meter)
      }
      var damage = met
      damage.add(composition.undecodable(withAudio: true))
      damage.add(try Exporter.changes(of: composition, settings.render.damaged))
      try destination.commit(output.files(frameCount: 0))
      var result = result(summary, damage: damage, since: start)
      result.loudness = loudness
      result.notes = UnusedTracks(of: composition, takesAudio: true).notes(includesSubtitles: false)
      result.notes += composition.droppedExtras + composition.edit.captionNotesOfAudio
      meter.complete()
      return result
    } catch {
      destination.discard()
      throw destination.naming(error, output: output.path)
    }
  }

  private func written(
    by writer: AudioFileWriter, _ meter: ExportMeter
  ) async throws(CompositorError) -> (MovieSummary, MediaLosses, AudioLoudness?) {
    let total = audio.sampleCount(lasting: range.duration)
    var done: Int64 = 0
    do throws(CompositorError) {
      while done < total {
        guard !Task.isCancelled else { throw CompositorError(.cancelled, "The export was canceled.") }
        // About a second per step.
        let count = min(total - done, Int64(audio.sampleRate))
        let encoded = try await writer.append(count)
        done += count
        meter.count(rendered: Int(done), encoded: Int(encoded))
      }
      try await writer.drain()
      meter.count(rendered: Int(total), encoded: Int(total))
      meter.finish()
      let damage = await writer.damage
      let loudness = try await writer.loudness(ofTrack: composition.edit.defaultAudioTrack)
      return (try await writer.finish(), damage, loudness)
    } catch {
      await writer.abandon()
      throw error
    }
  }

  private func open(
    _ sounds: [ExportAudio], _ description: MovieDescription, in destination: OutputDestination
  ) throws(CompositorError) -> AudioFileWriter.Parts {
    let ahead = sounds.map { sound in
      AudioAhead(
        sampleCount: audio.sampleCount(lasting: range.duration), channelCount: audio.channelCount,
        on: settings.render.budget.decoding
      ) { sound.mixer() }
    }
    return AudioFileWriter.Parts(
      writer: try destination.writer(description, output), sounds: ahead, channelCount: audio.channelCount)
  }

  private func result(
    _ summary: MovieSummary, damage: MediaLosses, since start: ContinuousClock.Instant
  ) -> ExportResult {
    var result = ExportResult(
      path: output.path, frameCount: 0, duration: summary.duration, byteCount: Int(summary.byteCount), routes: [:],
      repeatedFrameCount: 0, wallTime: ContinuousClock.now - start, stages: StageTimings(), peakDecoderCount: 0,
      losses: damage.losses, warnings: damage.warnings)
    result.audioSampleCount = summary.audioSampleCounts.first ?? 0
    return result
  }
}

/// Encodes on a thread of its own.
private actor AudioFileWriter {
  struct Parts {
    let writer: MovieWriter
    let sounds: [any AudioSampleSource]
    let channelCount: Int
  }

  private let thread = SerialThread(name: "encode")
  private let parts: Parts
  private let block: AudioBlock

  /// Opens the encoder. Blocks.
  init(_ open: sending () throws(CompositorError) -> Parts) throws(CompositorError) {
    parts = try open()
    block = AudioBlock(channelCount: parts.channelCount, capacity: 4096)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Returns: Number of samples that have left the encoder.
  func append(_ total: Int64) throws(CompositorError) -> Int64 {
    for (track, sound) in parts.sounds.enumerated() {
      var left = total
      while left > 0 {
        let count = Int(min(Int64(block.capacity), left))
        try sound.mix(count, into: block)
        try parts.writer.append(block, count: count, track: track)
        left -= Int64(count)
      }
    }
    return parts.writer.encodedSampleCount
  }

  func drain() throws(CompositorError) {
    while try parts.writer.drain() {}
  }

  var damage: MediaLosses { MediaLosses(of: parts.sounds) }

  func loudness(ofTrack track: Int) throws(CompositorError) -> AudioLoudness? { try parts.sounds[track].loudness() }

  func finish() throws(CompositorError) -> MovieSummary { try parts.writer.finish() }

  func abandon() { parts.writer.abandon() }
}

extension ValidatedComposition {
  /// Whether the output is audio alone.
  func isExportedAsAudio(to output: OutputName, _ settings: ExportSettings) -> Bool {
    switch output {
    case .audio: true
    case .images: false
    case .stream(_, let container) where container.isAudioOnly: true
    case .movie, .stream:
      switch settings.videoTrack {
      case .always: false
      case .never: true
      case .whereShown: !edit.showsPictures && hasAudio && settings.audio != nil
      }
    }
  }
}
