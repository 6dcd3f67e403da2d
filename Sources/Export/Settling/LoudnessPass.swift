import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorValidation

/// Mixes the audio of an export without encoding it, to find the gain that reaches the requested loudness.
actor LoudnessPass {
  private let thread = SerialThread(name: "loudness")
  private let mixer: @Sendable (_ gain: Double, _ isLimited: Bool) -> AudioMixer
  private let settings: AudioEncodingSettings
  private let sampleCount: Int64

  /// - Parameters:
  ///   - sampleCount: Number of samples that will be written.
  ///   - mixer: Makes a measuring mixer that starts at the first exported sample, with a gain in dB.
  init(
    _ settings: AudioEncodingSettings, sampleCount: Int64,
    mixer: @escaping @Sendable (_ gain: Double, _ isLimited: Bool) -> AudioMixer
  ) {
    self.settings = settings
    self.sampleCount = sampleCount
    self.mixer = mixer
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Parameter progress: Receives the progress of the first mix, 0 … 1. Further mixes, which a limiter requires, count as its
  ///   end.
  /// - Returns: The gain in dB.
  /// - Throws: The errors of mixing; `.cancelled`.
  func run(
    _ target: LoudnessTarget, ceiling: Double?, progress: @Sendable (Double) -> Void
  ) throws(CompositorError) -> Double {
    let block = AudioBlock(channelCount: settings.channelCount, capacity: 4096)
    var isFirst = true
    return try target.gain(ceiling: ceiling) { (gain: Double, isLimited: Bool) throws(CompositorError) -> AudioLoudness in
      let mixer = mixer(gain, isLimited)
      var done: Int64 = 0
      while done < sampleCount {
        if Task.isCancelled { throw CompositorError(stopping: CancellationError()) }
        let count = Int(min(Int64(block.capacity), sampleCount - done))
        try mixer.mix(count, into: block)
        done += Int64(count)
        if isFirst { progress(Double(done) / Double(sampleCount)) }
      }
      isFirst = false
      if let loudness = try mixer.loudness() { return loudness }
      return AudioLoudness(integrated: nil, range: 0, truePeak: nil)
    }
  }
}

/// The audio of an export: its encoding settings and its mixers.
struct ExportAudio: Sendable {
  /// The encoding settings, resolved for the container.
  let encoding: AudioEncodingSettings
  private let composition: ValidatedComposition
  /// Composition time of the first sample.
  private let start: MediaTime
  private let damaged: DamagePolicy
  /// The audio tracks of the composition to mix; `nil` for all enabled ones.
  private let tracks: Set<TrackID>?
  /// The gain in dB that reaches the requested loudness.
  private var gain = 0.0

  init(
    _ composition: ValidatedComposition, encoding: AudioEncodingSettings, start: MediaTime, damaged: DamagePolicy,
    tracks: Set<TrackID>? = nil
  ) {
    (self.composition, self.encoding, self.start, self.damaged) = (composition, encoding, start, damaged)
    self.tracks = tracks
  }

  /// The audio of each audio track of the output.
  static func all(
    of composition: ValidatedComposition, encoding: AudioEncodingSettings, start: MediaTime, damaged: DamagePolicy
  ) -> [ExportAudio] {
    guard !composition.edit.audioTracks.isEmpty else {
      return [ExportAudio(composition, encoding: encoding, start: start, damaged: damaged)]
    }
    return composition.edit.audioTracks.map {
      ExportAudio(composition, encoding: encoding, start: start, damaged: damaged, tracks: $0.trackIDs)
    }
  }

  /// Whether a pass before the export has to measure the loudness.
  var measuresLoudness: Bool { composition.edit.audioMix.loudness != nil }

  /// A mixer from the first sample, with measurement.
  func mixer() -> AudioMixer { mixer(gain: gain, isLimited: true) }

  /// Mixes everything once or more without encoding it, and stores the gain that reaches the requested loudness.
  ///
  /// - Parameter progress: Receives the progress, 0 … 1.
  mutating func measureLoudness(
    until end: MediaTime, progress: @escaping @Sendable (Double) -> Void
  ) async throws(CompositorError) {
    let mix = composition.edit.audioMix
    guard let target = mix.loudness else { return }
    let audio = self
    let pass = LoudnessPass(encoding, sampleCount: encoding.sampleCount(lasting: end - start)) { gain, isLimited in
      audio.mixer(gain: gain, isLimited: isLimited)
    }
    gain = try await pass.run(target, ceiling: mix.limiting.ceiling(for: encoding.destination), progress: progress)
  }

  private func mixer(gain: Double, isLimited: Bool) -> AudioMixer {
    var mix = composition.edit.audioMix
    if !isLimited { mix.limiting = .off }
    return AudioMixer(
      composition.edit.composition, tracks: tracks, mix: mix, sources: composition.catalog, sampleRate: encoding.sampleRate,
      channelCount: encoding.channelCount, start: start, damaged: damaged, destination: encoding.destination, gain: gain,
      processors: composition.registry, measures: true)
  }
}

extension [ExportAudio] {
  /// Measures the loudness of each track.
  ///
  /// - Parameter progress: Receives the progress of all of them, 0 … 1.
  mutating func measureLoudness(
    until end: MediaTime, progress: @escaping @Sendable (Double) -> Void
  ) async throws(CompositorError) {
    for index in indices {
      try await self[index].measureLoudness(until: end) { [count] in progress((Double(index) + $0) / Double(count)) }
    }
  }
}

extension Edit {
  /// The index of the output's audio track that players choose by default.
  var defaultAudioTrack: Int { audioTracks.firstIndex(where: \.isDefault) ?? 0 }
}

extension AudioEncodingSettings {
  /// The destination of the mix.
  var destination: AudioDestination {
    switch codec {
    case .pcmFloat32: .float
    case .pcmInt16, .pcmInt24, .flac, .alac: .integer
    case .aac, .opus, .mp3: .lossy
    }
  }
}
