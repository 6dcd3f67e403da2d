import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling

/// Encodes and writes on a thread of its own, in parallel with decoding and composing.
actor OutputWriter {
  /// The writer of the frames, and the source of each audio track.
  struct Parts {
    let sink: any MovieSink
    let sounds: [any AudioSampleSource]
    let channelCount: Int
  }

  private let thread = SerialThread(name: "encode")
  private let parts: Parts
  private let block: AudioBlock?
  private var isOpen = true
  private var appendedCount = 0

  /// Opens the encoders. Blocks.
  init(_ open: sending () throws(CompositorError) -> Parts) throws(CompositorError) {
    let parts = try open()
    self.parts = parts
    self.block = parts.sounds.isEmpty ? nil : AudioBlock(channelCount: parts.channelCount, capacity: 4096)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Number of frames that have left the encoder.
  private var encodedCount: Int { parts.sink.encodedFrameCount ?? appendedCount }

  /// Writes a frame, and the audio up to its end. Returns when the encoder has taken it.
  ///
  /// - Parameter clock: Measures the time of encoding and mixing; `nil` disables measuring.
  /// - Returns: Number of frames that have left the encoder.
  func append(
    _ frame: Frame, at time: MediaTime, duration: MediaTime, clock: StageTimingRecorder? = nil
  ) throws(CompositorError) -> Int {
    let start = ContinuousClock.now
    try parts.sink.append(frame, at: time, duration: duration)
    clock?.trace?.add("encode", from: start)
    appendedCount += 1
    guard let block else { return encodedCount }
    for (track, sound) in parts.sounds.enumerated() {
      while parts.sink.missingAudioSampleCount(track: track) > 0 {
        let count = Int(min(Int64(block.capacity), parts.sink.missingAudioSampleCount(track: track)))
        let start = ContinuousClock.now
        try sound.mix(count, into: block)
        clock?.add(since: start, to: \.audio)
        try parts.sink.append(block, count: count, track: track)
      }
    }
    return encodedCount
  }

  /// Encodes some of the frames that the encoders still hold.
  ///
  /// - Returns: Number of frames that have left the encoder; `nil` once none are left.
  /// - Throws: The errors of encoding; `.cancelled`.
  func drain() throws(CompositorError) -> Int? {
    guard !Task.isCancelled else { throw CompositorError(.cancelled, "The export was canceled.") }
    return try parts.sink.drain() ? encodedCount : nil
  }

  /// Whether audio accompanies the frames.
  var hasAudio: Bool { !parts.sounds.isEmpty }

  /// The audio's damage found so far.
  var audioDamage: MediaLosses { MediaLosses(of: parts.sounds) }

  /// The loudness of an audio track that was written; `nil` without it.
  func loudness(ofTrack track: Int) throws(CompositorError) -> AudioLoudness? {
    guard parts.sounds.indices.contains(track) else { return nil }
    return try parts.sounds[track].loudness()
  }

  /// Finishes the file, which is durable when this method returns.
  func finish() throws(CompositorError) -> MovieSummary {
    let summary = try parts.sink.finish()
    isOpen = false
    return summary
  }

  /// Closes and removes the written files; does nothing after a finish.
  func abandon() {
    if isOpen { parts.sink.abandon() }
    isOpen = false
  }
}

extension MediaLosses {
  /// The damage of several sources. What several of them read is counted once.
  init(of sounds: [any AudioSampleSource]) {
    self.init()
    var known: Set<MediaLoss> = []
    for sound in sounds {
      for loss in sound.damage.all where known.insert(loss).inserted {
        add([loss.damage], in: Track(loss.source, loss.mediaType, loss.trackIndex))
      }
    }
  }
}
