import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import Foundation
import Synchronization

/// Files, opened as a catalog opens them.
struct FileSounds: AudioSourceProvider {
  func openAudio(
    _ source: MediaSource, trackIndex: Int, options: AudioReaderOptions
  ) throws(CompositorError) -> any AudioReader {
    try MediaOpener.openAudio(source, trackIndex: trackIndex, options: options)
  }
}

/// Audio in memory by name: `"3"` lasts 3 seconds. Readers are counted.
final class MemorySounds: AudioSourceProvider {
  let value: @Sendable (String, Int64, Int) -> Float
  /// Called before each read, on the reading thread.
  let onRead: @Sendable (String) -> Void
  private let counts = Mutex((opened: 0, open: 0, peak: 0))

  init(
    onRead: @escaping @Sendable (String) -> Void = { _ in },
    value: @escaping @Sendable (String, Int64, Int) -> Float = { name, sample, channel in
      Float((sample &* 7 &+ Int64(name.utf8.first ?? 0) &* 31 &+ Int64(channel)) % 1009) / 1009
    }
  ) {
    self.onRead = onRead
    self.value = value
  }

  var opened: Int { counts.withLock { $0.opened } }
  var open: Int { counts.withLock { $0.open } }
  var peak: Int { counts.withLock { $0.peak } }

  static func asset(_ name: String) -> ChannelAsset { ChannelAsset(.custom(name: name)) }

  static func seconds(_ name: String) -> MediaTime { .seconds(Double(name.split(separator: "-").first ?? "") ?? 1) }

  func openAudio(
    _ source: MediaSource, trackIndex: Int, options: AudioReaderOptions
  ) throws(CompositorError) -> any AudioReader {
    guard case .custom(let name) = source, name != "missing" else {
      throw CompositorError(.fileNotFound, "There is no such sound.")
    }
    counts.withLock { counts in
      counts.opened += 1
      counts.open += 1
      counts.peak = max(counts.peak, counts.open)
    }
    return Reader(name, self, options)
  }

  private func didClose() { counts.withLock { $0.open -= 1 } }

  private final class Reader: AudioReader {
    let info: AudioTrackInfo
    let options: AudioReaderOptions
    private let (name, sounds): (String, MemorySounds)

    init(_ name: String, _ sounds: MemorySounds, _ options: AudioReaderOptions) {
      info = AudioTrackInfo(
        index: 0, codec: "memory", sampleRate: options.sampleRate, channelCount: options.channelCount,
        timeRange: .zero..<MemorySounds.seconds(name))
      self.options = options
      (self.name, self.sounds) = (name, sounds)
    }

    deinit { sounds.didClose() }

    func read(
      frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
    ) throws(CompositorError) {
      sounds.onRead(name)
      if name.hasSuffix("-broken"), position + Int64(frameCount) > 24_000 {
        throw CompositorError(.decodeFailed, "The sound is broken.")
      }
      for (channel, samples) in channels.enumerated() {
        for index in 0..<frameCount { samples[index] = sounds.value(name, position + Int64(index), channel) }
      }
    }
  }
}

/// What a script tells one channel.
enum ScriptAction {
  case enqueue([Int]), insertNext([Int]), play, pause, forward, backward, seek(Int64), jump(Int)
  case volume(Double, over: Int64), pan(Double, over: Int64), repeating(ChannelRepeat)
}

struct ScriptLine {
  var channel: Int
  var sample: Int64
  var action: ScriptAction
}

/// Channels in the plainest way: one sample after another, whole files in arrays.
struct PlainChannel {
  let sounds: [[[Float]]]
  var queue: [Int] = []
  var index = 0
  var position = 0
  var isPlaying = false
  var repeating = ChannelRepeat.off
  var volume = 1.0, pan = 0.0
  var gains = [1.0, 1.0]
  var ramps: [(from: Double, to: Double, start: Int64, length: Int64)] = [(1, 1, 0, 0), (1, 1, 0, 0)]
  var volumeEnd: Int64 = 0, panEnd: Int64 = 0
  /// `started 3@480`
  var log: [String] = []
  var hasStarted = false

  init(sounds: [[[Float]]]) { self.sounds = sounds }

  mutating func end(_ why: String, _ sample: Int64) {
    if hasStarted { log.append("\(why) \(queue[index])@\(sample)") }
    (hasStarted, position) = (false, 0)
  }

  mutating func go(_ next: Int) { index = repeating == .queue && next >= queue.count ? 0 : min(next, queue.count) }

  mutating func ramp(_ sample: Int64, _ least: Int64) -> Int64 {
    let aims = [volume * min(1, 1 - pan), volume * min(1, 1 + pan)]
    let steps = zip(aims, gains).map { Int64((abs($0 - $1) * 1024).rounded(.up)) }
    let length = max(least, steps[0], steps[1])
    for side in 0..<2 { ramps[side] = (gains[side], aims[side], sample, length) }
    return sample + length
  }

  mutating func act(_ action: ScriptAction, _ sample: Int64) {
    switch action {
    case .enqueue(let items): queue += items
    case .insertNext(let items): queue.insert(contentsOf: items, at: min(index + 1, queue.count))
    case .play: isPlaying = true
    case .pause: isPlaying = false
    case .forward:
      if index < queue.count { end("skipped", sample) }
      go(index + 1)
    case .backward:
      if index < queue.count { end("skipped", sample) }
      index = max(0, index - 1)
    case .jump(let at):
      if index < queue.count { end("skipped", sample) }
      index = at
    case .seek(let to): if index < queue.count { position = Int(to) }
    case .repeating(let mode): repeating = mode
    case .volume(let value, let over):
      volume = value
      volumeEnd = ramp(sample, max(over, panEnd - sample))
    case .pan(let value, let over):
      pan = value
      panEnd = ramp(sample, max(over, volumeEnd - sample))
    }
  }

  mutating func next(_ sample: Int64) -> (Float, Float) {
    setGains(sample)
    while isPlaying, index < queue.count {
      let sound = sounds[queue[index]]
      guard position < sound[0].count else {
        finish(sample)
        continue
      }
      if !hasStarted { log.append("started \(queue[index])@\(sample)") }
      hasStarted = true
      let values = (sound[0][position] * Float(gains[0]), sound[1][position] * Float(gains[1]))
      position += 1
      if position == sound[0].count { finish(sample + 1) }
      return values
    }
    return (0, 0)
  }

  mutating func finish(_ sample: Int64) {
    end("ended", sample)
    if repeating != .entry { go(index + 1) }
  }
}
