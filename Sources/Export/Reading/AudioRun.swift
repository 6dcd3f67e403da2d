import CompositorAPI
import CompositorAudio
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import Synchronization

/// Mixes the audio of a composition on demand, on a thread of its own, so that blocking file access delays nothing else. One
/// consumer at a time.
actor AudioRun {
  /// Total number of samples.
  nonisolated let sampleCount: Int64
  private let thread = SerialThread(name: "audio")
  private let isStopped = Atomic(false)
  private var audio: ExportAudio
  /// Position of the first sample in composition time.
  private let first: Int64
  private let end: MediaTime
  private var mixer: AudioMixer?
  private var measuring: CancellableCall?
  private var position: Int64 = 0
  private var block: AudioBlock?
  /// The last samples returned. Their memory is reused once it was released.
  private var given: [[Float]] = []
  /// The damage found so far.
  private(set) var damage = MediaLosses()

  /// - Parameter range: The range from the first sample to the end of the last.
  init(_ audio: ExportAudio, in range: TimeRange) {
    self.audio = audio
    end = range.end
    first = range.start.rounded(toUnitsOf: Rational(1, audio.encoding.sampleRate))
    sampleCount = audio.encoding.sampleCount(lasting: range.duration)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// The next samples, at most `count`; `nil` after the last.
  ///
  /// - Throws: The errors of mixing; `.cancelled` after ``stop()``.
  func next(_ count: Int) async throws(CompositorError) -> RenderedAudio? {
    let count = Int(min(Int64(max(0, count)), sampleCount - position))
    guard count > 0 else { return nil }
    try checkStop()
    let mixer = try await preparedMixer()
    let block = buffer(for: count)
    if given.first?.count != count { given = block.channels.map { _ in [Float](repeating: 0, count: count) } }
    var done = 0
    while done < count {
      try checkStop()
      let part = min(block.capacity, count - done)
      try mixer.mix(part, into: block)
      for channel in given.indices {
        given[channel].withUnsafeMutableBufferPointer { samples in
          _ = samples[done...].update(fromContentsOf: UnsafeBufferPointer(start: block.channels[channel], count: part))
        }
      }
      done += part
    }
    let rate = audio.encoding.sampleRate
    let rendered = RenderedAudio(
      time: MediaTime(value: first + position, timescale: Int32(clamping: rate)), position: position, sampleRate: rate,
      channels: given)
    position += Int64(count)
    damage = mixer.damage
    // This closes its files.
    if position == sampleCount { self.mixer = nil }
    return rendered
  }

  /// Makes the next step throw `.cancelled`.
  nonisolated func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Stops, and closes every file.
  func close() {
    stop()
    measuring?.cancel()
    mixer = nil
  }

  private func checkStop() throws(CompositorError) {
    guard !isStopped.load(ordering: .relaxed), !Task.isCancelled else { throw CompositorError(stopping: CancellationError()) }
  }

  private func buffer(for count: Int) -> AudioBlock {
    if let block { return block }
    let made = AudioBlock(channelCount: audio.encoding.channelCount, capacity: 4096)
    block = made
    return made
  }

  /// The mixer, made once the gain for the requested loudness is known.
  private func preparedMixer() async throws(CompositorError) -> AudioMixer {
    if let mixer { return mixer }
    if audio.measuresLoudness, position == 0 {
      let call = CancellableCall()
      measuring = call
      let result = await call.run { [audio, end] in
        var measured = audio
        try await measured.measureLoudness(until: end) { _ in }
        return measured
      }
      measuring = nil
      do { audio = try result.get() } catch { throw CompositorError(stopping: error) }
    }
    try checkStop()
    let made = audio.mixer()
    mixer = made
    return made
  }
}
