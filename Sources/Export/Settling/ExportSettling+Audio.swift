package import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

/// A property of the output's audio that the first clip with audio can determine.
public enum AudioProperty: String, Hashable, Sendable, Codable, CaseIterable {
  /// The sample rate.
  case sampleRate
  /// The number of channels.
  case channelCount
}

extension ExportSettings {
  /// The same settings with the channel count and the sample rate of the richest source, or of the first clip with audio, if
  /// that is enabled.
  ///
  /// - Returns: The settings, and notes on audio that is changed because other clips or the codec differ.
  func followingSourceAudio(
    of composition: ValidatedComposition, in output: OutputName
  ) -> (settings: ExportSettings, notes: [ExportNote]) {
    guard let audio else { return (self, []) }
    let used = composition.usedAudioTracks
    guard let container = output.container, !container.audioCodecs.isEmpty else {
      return (keepsSourceAudio ? keepingRichest(of: used.map(\.info)) : self, [])
    }
    var settings = self
    if keepsFloatingPoint, audio.chosenCodec == .flac, container.audioCodecs.contains(.pcmFloat32),
      used.contains(where: { $0.info.isFloatingPoint })
    {
      settings.audio?.codec = .pcmFloat32
    }
    let encoding = (settings.audio ?? audio).settled(for: container)
    var notes = passthrough == nil ? noteOnSamples(of: used, encoding, in: container) : []
    if keepsSourceAudio { return (settings.keepingRichest(of: used.map(\.info)), notes) }
    guard !audioFromFirstClip.isEmpty, let first = used.first else { return (settings, notes) }
    if audioFromFirstClip.contains(.sampleRate) {
      let wanted = largestSampleRate.map { min($0, first.info.sampleRate) } ?? first.info.sampleRate
      let rate = encoding.supportedSampleRate(nearest: wanted)
      settings.audio?.sampleRate = rate
      notes += note(onRate: rate, of: used, encoding)
    }
    if audioFromFirstClip.contains(.channelCount) {
      let wanted = mostChannels.map { min($0, first.info.channelCount) } ?? first.info.channelCount
      let count = encoding.supportedChannelCount(nearest: wanted)
      settings.audio?.channelCount = count
      notes += note(onChannels: count, of: used, encoding)
    }
    return (settings, notes)
  }

  private func keepingRichest(of tracks: [AudioTrackInfo]) -> ExportSettings {
    let usual = AudioEncodingSettings()
    guard let audio, audio.sampleRate == usual.sampleRate, audio.channelCount == usual.channelCount,
      let channelCount = tracks.map(\.channelCount).max(), let sampleRate = tracks.map(\.sampleRate).max()
    else { return self }
    var settings = self
    let (counts, rates) = (AudioEncodingSettings.channelCounts, AudioEncodingSettings.sampleRates)
    settings.audio?.channelCount = min(max(channelCount, counts.lowerBound), counts.upperBound)
    settings.audio?.sampleRate = min(max(sampleRate, rates.lowerBound), rates.upperBound)
    return settings
  }

  private typealias UsedTrack = (source: MediaSource, info: AudioTrackInfo)

  /// Notes on the sources whose rate is lowered, or on the first one, if its codec requires another rate.
  private func note(onRate rate: Int, of tracks: [UsedTrack], _ encoding: AudioEncodingSettings) -> [ExportNote] {
    guard let first = tracks.first else { return [] }
    if first.info.sampleRate != rate {
      let limit = largestSampleRate.map { $0 < first.info.sampleRate } == true ? "the preset's" : "\(encoding.codec.rawValue)'s"
      return [
        ExportNote(
          .audioFormat, "audio of \(first.source) has \(first.info.sampleRate) Hz, the output \(rate) Hz, \(limit) nearest",
          source: first.source)
      ]
    }
    let higher = richest(tracks, by: \.sampleRate, above: rate)
    let kept = RecoveryOption(.sampleRate, value: "\(higher.first?.info.sampleRate ?? rate)")
    return notes(on: higher, advice: ": \(kept) keeps it", rest: "has more than \(rate) Hz") { track in
      "has \(track.sampleRate) Hz, the output \(rate) Hz, as the first clip"
    }
  }

  /// Notes on the sources whose channels are mixed down, or on the first one, if it gets more.
  private func note(onChannels count: Int, of tracks: [UsedTrack], _ encoding: AudioEncodingSettings) -> [ExportNote] {
    guard let first = tracks.first else { return [] }
    func channels(_ count: Int) -> String { count == 1 ? "1 channel" : "\(count) channels" }
    let richer = richest(tracks, by: \.channelCount, above: count)
    if let most = richer.first {
      let keeps = encoding.supportedChannelCount(nearest: most.info.channelCount) > count && mostChannels == nil
      let kept = RecoveryOption(.channelCount, value: "\(most.info.channelCount)")
      let reason = keeps ? "as the first clip" : "the most that fit the output"
      return notes(on: richer, advice: keeps ? ": \(kept) keeps them" : "", rest: "is mixed down to \(count)") { track in
        "has \(channels(track.channelCount)), mixed down to \(count), \(reason)"
      }
    }
    guard first.info.channelCount < count else { return [] }
    return [
      ExportNote(
        .audioFormat, "audio of \(first.source) has \(channels(first.info.channelCount)), which the output holds in \(count)",
        source: first.source)
    ]
  }

  /// The best track of each source that has more of something than the output, the one with most first.
  private func richest(
    _ tracks: [UsedTrack], by value: KeyPath<AudioTrackInfo, Int>, above limit: Int
  ) -> [UsedTrack] {
    var known: Set<MediaSource> = []
    return tracks.enumerated().filter { $0.element.info[keyPath: value] > limit }
      .sorted { (-$0.element.info[keyPath: value], $0.offset) < (-$1.element.info[keyPath: value], $1.offset) }
      .map(\.element).filter { known.insert($0.source).inserted }
  }

  /// Notes on at most three sources, and on how many others there are.
  ///
  /// - Parameters:
  ///   - advice: How to keep what the first source has.
  ///   - rest: What happens to the audio of the others.
  private func notes(
    on tracks: [UsedTrack], advice: Wording, rest: String, _ loss: (AudioTrackInfo) -> String
  ) -> [ExportNote] {
    let notes = tracks.prefix(3).enumerated().map { index, track in
      ExportNote(
        .audioFormat, "audio of \(track.source) \(loss(track.info))" + (index == 0 ? .advice(advice) : ""),
        source: track.source)
    }
    let count = tracks.count - notes.count
    guard count > 0 else { return notes }
    return notes + [ExportNote(.audioFormat, "audio of \(count) more \(count == 1 ? "source" : "sources") \(rest)")]
  }
}

extension ValidatedComposition {
  /// The audio tracks of sources that are heard in any track of the output, each once, in order of time, then of the output's tracks.
  fileprivate var usedAudioTracks: [(source: MediaSource, info: AudioTrackInfo)] {
    /// The first track of the output that has a track; `nil` if none has.
    func rank(_ track: CompositionTrack) -> Int? {
      guard !edit.audioTracks.isEmpty else { return track.isEnabled ? 0 : nil }
      return edit.audioTracks.firstIndex { $0.trackIDs.contains(track.trackID) }
    }
    let segments = heardAudio.compactMap { track, segment in rank(track).map { (rank: $0, segment: segment) } }
    let inOrder = segments.enumerated().sorted {
      ($0.element.segment.timeMapping.target.start, $0.element.rank, $0.offset)
        < ($1.element.segment.timeMapping.target.start, $1.element.rank, $1.offset)
    }
    var known: Set<MediaPosition> = []
    return inOrder.map(\.element.segment).compactMap { segment in
      guard let source = segment.source,
        known.insert(MediaPosition(source: source, trackIndex: segment.sourceTrackIndex, time: .zero)).inserted,
        let info = media[source]?.audioTracks.first(where: { $0.index == segment.sourceTrackIndex })
      else { return nil }
      return (source, info)
    }
  }
}

extension ExportSettings {
  /// The types of tracks that are written to an output.
  package func mediaTypes(in output: OutputName) -> Set<MediaType> {
    var types = output.mediaTypes
    if audio == nil { types.remove(.audio) }
    if videoTrack == .never { types.remove(.video) }
    return types
  }
}

extension ValidatedComposition {
  /// Descriptions of the audio tracks of a movie, without what its container cannot hold. A track that the edit doesn't describe has the
  /// language of its sources, if it is the same.
  func audioDescriptions(_ encoding: AudioEncodingSettings, in container: MovieContainer) -> [AudioTrackDescription] {
    func held(_ language: String?) -> String? { language.flatMap { container.holds(language: $0) ? $0 : nil } }
    guard !edit.audioTracks.isEmpty else {
      let languages = Set(usedAudioTracks.map(\.info.language))
      let language = languages.count == 1 ? languages.first ?? nil : nil
      let title = container.holdsTrackTitles && usedAudioTracks.count == 1 ? usedAudioTracks.first?.info.title : nil
      return [AudioTrackDescription(encoding: encoding, language: held(language), title: title)]
    }
    return edit.audioTracks.map { track in
      AudioTrackDescription(
        encoding: encoding, language: held(track.language), title: container.holdsTrackTitles ? track.title : nil,
        isDefault: track.isDefault)
    }
  }
}
