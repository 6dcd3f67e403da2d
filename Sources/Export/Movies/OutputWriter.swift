import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling

/// Encodes and writes on a thread of its own, so that decoding and composing go on meanwhile.
actor OutputWriter {
  /// What writes the pictures, and where the sound comes from, if there is any.
  struct Parts {
    let sink: any MovieSink
    let sound: (any AudioSampleSource)?
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
    self.block = parts.sound.map { _ in AudioBlock(channelCount: parts.channelCount, capacity: 4096) }
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Frames that have left the encoder.
  private var encodedCount: Int { parts.sink.encodedFrameCount ?? appendedCount }

  /// Writes a frame, and the sound up to its end. Returns when the encoder has taken it.
  ///
  /// - Parameter clock: Where encoding and mixing are measured; nil for nowhere.
  /// - Returns: How many frames have left the encoder.
  func append(
    _ frame: Frame, at time: MediaTime, duration: MediaTime, clock: StageTimingRecorder? = nil
  ) throws(CompositorError) -> Int {
    let start = ContinuousClock.now
    try parts.sink.append(frame, at: time, duration: duration)
    clock?.trace?.add("encode", from: start)
    appendedCount += 1
    guard let sound = parts.sound, let block else { return encodedCount }
    while parts.sink.missingAudioSampleCount > 0 {
      let count = Int(min(Int64(block.capacity), parts.sink.missingAudioSampleCount))
      let start = ContinuousClock.now
      try sound.mix(count, into: block)
      clock?.add(since: start, to: \.audio)
      try parts.sink.append(block, count: count)
    }
    return encodedCount
  }

  /// Encodes a little of what the encoders still hold.
  ///
  /// - Returns: How many frames have left the encoder; nil once nothing is left.
  /// - Throws: What encoding throws; `.cancelled`.
  func drain() throws(CompositorError) -> Int? {
    guard !Task.isCancelled else { throw CompositorError(.cancelled, "The export was cancelled.") }
    return try parts.sink.drain() ? encodedCount : nil
  }

  /// Whether there is audio beside the frames.
  var hasAudio: Bool { parts.sound != nil }

  /// The damage that audio met so far.
  var audioDamage: MediaLosses { parts.sound?.damage ?? MediaLosses() }

  /// The loudness of the audio that was written; nil without audio.
  func loudness() throws(CompositorError) -> AudioLoudness? {
    guard let sound = parts.sound else { return nil }
    return try sound.loudness()
  }

  /// Ends the file: all of it is on the disk when this returns.
  func finish() throws(CompositorError) -> MovieSummary {
    let summary = try parts.sink.finish()
    isOpen = false
    return summary
  }

  /// Closes and removes what was written; nothing after a finish.
  func abandon() {
    if isOpen { parts.sink.abandon() }
    isOpen = false
  }
}
