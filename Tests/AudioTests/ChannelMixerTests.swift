import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import Foundation
import Synchronization
import Testing

@Suite struct ChannelMixerTests {
  /// Pulls `count` samples in blocks of `size`.
  @discardableResult
  static func pull(
    _ mixer: ChannelMixer, _ count: Int, blocks size: Int = 480
  ) throws -> (samples: [[Float]], events: [ChannelEvent]) {
    let channelCount = mixer.configuration.outputChannelCount
    let block = AudioBlock(channelCount: channelCount, capacity: size)
    var samples = [[Float]](repeating: [], count: channelCount)
    var events: [ChannelEvent] = []
    var done = 0
    while done < count {
      let part = min(size, count - done)
      events += try mixer.pull(part, into: block)
      for side in 0..<channelCount { samples[side] += UnsafeBufferPointer(start: block.channels[side], count: part) }
      done += part
    }
    return (samples, events)
  }

  /// `started 1@480`, with entries by their number.
  static func text(_ events: [ChannelEvent]) -> [String] {
    events.map { event in
      switch event.kind {
      case .started(let entry): "started \(entry.id)@\(event.sample)"
      case .ended(let entry, .finished, _): "ended \(entry.id)@\(event.sample)"
      case .ended(let entry, .skipped, _): "skipped \(entry.id)@\(event.sample)"
      case .ended(let entry, .failed(let error), _): "failed \(entry.id)@\(event.sample) \(error.code)"
      case .queueEnded: "queue@\(event.sample)"
      case .underrun(let entry): "underrun \(entry.id)@\(event.sample)"
      }
    }
  }

  @Test func volumeChanges_onFullScale_makeNoStepAboveMinus60dB() throws {
    let mixer = try ChannelMixer(sources: MemorySounds(value: { _, _, _ in 1 }))
    let channel = mixer.addChannel()
    try channel.enqueue([MemorySounds.asset("100")])
    channel.play()
    let block = AudioBlock(channelCount: 2, capacity: 300)
    var random = SystemlessRandom(state: 5)
    var (last, largest, lowest): ([Float], Float, Float) = ([1, 1], 0, 1)
    for round in 0..<4000 {
      if round % 3 == 0 { try channel.setVolume(.random(in: 0...1, using: &random)) }
      if round % 50 == 0 { try channel.setVolume(round % 100 == 0 ? 0 : 1) }
      if round % 7 == 0 { try channel.setPan(.random(in: -1...1, using: &random)) }
      try mixer.pull(300, into: block)
      for side in 0..<2 {
        for index in 0..<300 {
          largest = max(largest, abs(block[side, index] - last[side]))
          last[side] = block[side, index]
          lowest = min(lowest, last[side])
        }
      }
    }
    #expect(largest > 0.0009 && largest <= 0.001, "\(20 * log10(largest)) dBFS")
    #expect(lowest < 0.05)
  }

  @Test func volumeOverTime_isLinear_andEndsWhereItSays() throws {
    let mixer = try ChannelMixer(sources: MemorySounds(value: { _, _, _ in 1 }))
    let channel = mixer.addChannel()
    try channel.enqueue([MemorySounds.asset("10")])
    channel.play()
    try channel.setVolume(0.25, over: .seconds(1), at: .sample(1000))
    let (samples, _) = try Self.pull(mixer, 96_000)
    #expect(samples[0][1000] == 1 && samples[0][25_000] == 0.625 && samples[0][49_000] == 0.25)
    #expect(samples[0][95_999] == 0.25 && channel.state?.volume == 0.25)
  }

  @Test func transport_tellsPositionsAndEvents() throws {
    let sounds = MemorySounds()
    let mixer = try ChannelMixer(sources: sounds)
    let channel = mixer.addChannel()
    let part = ChannelAsset(.custom(name: "9-part"), timeRange: .seconds(2) ..< .seconds(2.5))
    let entries = try channel.enqueue([MemorySounds.asset("1"), part, MemorySounds.asset("2")])
    #expect(entries.map(\.id) == [1, 2, 3] && sounds.opened == 0)
    channel.play(at: .sample(4800))
    var (samples, events) = try Self.pull(mixer, 4800 + 48_000 + 12_000)
    #expect(Self.text(events) == ["started 1@4800", "ended 1@52800", "started 2@52800"])
    #expect(samples[0][4799] == 0 && samples[0][4801] == sounds.value("1", 1, 0))
    #expect(samples[1][52_800] == sounds.value("9-part", 96_000, 1))
    #expect(channel.state?.current == entries[1] && channel.state?.position == .seconds(2.25))
    #expect(sounds.open == 1 && sounds.peak <= 2)
    channel.skipBackward()
    channel.pause(at: .sample(69_600))
    (samples, events) = try Self.pull(mixer, 9600)
    #expect(Self.text(events) == ["skipped 2@64800", "started 1@64800"])
    #expect(samples[0][4799] == sounds.value("1", 4799, 0) && samples[0][4800] == 0)
    #expect(channel.state?.isPlaying == false && channel.state?.position == .seconds(0.1))
    channel.play()
    channel.jump(to: entries[2])
    try channel.seek(to: .seconds(1.9))
    (samples, events) = try Self.pull(mixer, 9600)
    #expect(Self.text(events) == ["skipped 1@74400", "started 3@74400", "ended 3@79200", "queue@79200"])
    #expect(channel.state?.current == nil && channel.state?.isPlaying == true && sounds.open == 0)
    try channel.enqueue([MemorySounds.asset("1")])
    channel.removePlayed()
    (_, events) = try Self.pull(mixer, 480)
    #expect(Self.text(events) == ["started 4@84000"] && channel.state?.queue.map(\.id) == [4])
    channel.close()
    try Self.pull(mixer, 480)
    #expect(channel.state == nil && sounds.open == 0)
  }

  @Test func entriesThatFail_areToldAndSkipped_theOthersPlayOn() throws {
    let sounds = MemorySounds()
    let mixer = try ChannelMixer(sources: sounds)
    let (first, second) = (mixer.addChannel(), mixer.addChannel())
    try first.enqueue(["missing", "2-broken", "1"].map(MemorySounds.asset))
    try second.enqueue(["missing", "missing"].map(MemorySounds.asset))
    second.setRepeat(.queue)
    first.play()
    second.play()
    let one = Self.text(try Self.pull(mixer, 48_000, blocks: 48_000).events)
    #expect(one.contains("failed 1@0 fileNotFound") && one.contains("started 2@0"))
    #expect(one.contains("failed 2@20480 decodeFailed") && one.contains("started 3@20480"))
    #expect(one.contains("failed 4@0 fileNotFound") && one.contains("queue@0") && one.count < 12)
    let outside = ChannelAsset(.custom(name: "1"), timeRange: .seconds(5) ..< .seconds(6))
    try second.enqueue([outside, MemorySounds.asset("1")])
    let two = Self.text(try Self.pull(mixer, 480).events)
    #expect(two == ["failed 6@48000 invalidValue", "started 7@48000"])
  }

  @Test func hostileValues_areErrors() throws {
    let mixer = try ChannelMixer(sources: MemorySounds())
    let channel = mixer.addChannel()
    func code(_ body: () throws -> Void) -> CompositorError.Code? {
      do { try body() } catch { return (error as? CompositorError)?.code }
      return nil
    }
    let asset = ChannelAsset(.custom(name: "1"))
    for time in [MediaTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
      #expect(code { try channel.seek(to: time) } == .invalidValue)
      #expect(code { try channel.setVolume(1, over: time) } == .invalidValue)
      var start = asset
      start.timeRange = TimeRange(start: time, duration: .seconds(1))
      #expect(code { try channel.enqueue([asset, start]) } == .invalidValue)
    }
    for time in [MediaTime.invalid, .indefinite, .negativeInfinity, .zero, .seconds(-1)] {
      var range = asset
      range.timeRange = TimeRange(start: .zero, duration: time)
      #expect(code { try channel.insertNext([range]) } == .invalidValue)
    }
    for number in [Double.nan, .infinity, -.infinity, -0.1, 17, 0x1p63] {
      #expect(code { try channel.setVolume(number) } == .invalidValue)
      if abs(number) > 1 || number.isNaN { #expect(code { try channel.setPan(number) } == .invalidValue) }
    }
    #expect(code { try channel.setVolume(1, over: .seconds(-1)) } == .invalidValue)
    #expect(code { try channel.enqueue([ChannelAsset("a", trackIndex: -1)]) } == .invalidValue)
    for change: (inout ChannelMixer.Configuration) -> Void in [
      { $0.sampleRate = 0 }, { $0.sampleRate = .max }, { $0.outputChannelCount = 0 }, { $0.outputChannelCount = 9 },
      { $0.bufferDuration = .invalid }, { $0.bufferDuration = .positiveInfinity }, { $0.openingLead = .seconds(-1) },
    ] {
      var configuration = ChannelMixer.Configuration()
      change(&configuration)
      #expect(code { _ = try ChannelMixer(sources: MemorySounds(), configuration: configuration) } == .invalidValue)
    }
    let block = AudioBlock(channelCount: 2, capacity: 10)
    #expect(code { try mixer.pull(11, into: block) } == .invalidValue)
    #expect(code { try mixer.pull(-1, into: block) } == .invalidValue)
    #expect(code { try mixer.pull(1, into: AudioBlock(channelCount: 1, capacity: 10)) } == .invalidValue)
    #expect(channel.state?.queue.isEmpty == true)
    // Extremes that are in order.
    try channel.enqueue([asset])
    channel.play(at: .sample(.min))
    channel.pause(at: .sample(.max))
    try channel.seek(to: MediaTime(value: .min, timescale: 1))
    try mixer.pull(10, into: block)
    #expect(channel.state?.position == MediaTime(value: 10, timescale: 48_000))
    try channel.seek(to: MediaTime(value: .max, timescale: 1))
    #expect(Self.text(try mixer.pull(10, into: block)).first == "ended 1@10")
  }

  @Test func commandsFromManyThreads_whileAnotherPulls_allTakeEffect() async throws {
    let mixer = try ChannelMixer(sources: MemorySounds())
    let events = mixer.events()
    let counter = Task {
      var started = 0
      for await event in events {
        if case .started = event.kind { started += 1 }
        if started == 8 * 50 { return started }
      }
      return started
    }
    let channels = (0..<8).map { _ in mixer.addChannel() }
    await withThrowingTaskGroup(of: Void.self) { group in
      for channel in channels {
        group.addTask {
          for index in 0..<50 {
            try channel.enqueue([MemorySounds.asset("0.01")])
            try channel.setVolume(Double(index) / 50)
            channel.play()
            _ = channel.state
          }
        }
      }
      group.addTask { _ = try Self.pull(mixer, 480 * 1000, blocks: 480) }
    }
    try Self.pull(mixer, 480 * 60)
    #expect(channels.allSatisfy { $0.state?.queue.count == 50 && $0.state?.index == 50 && $0.state?.volume == 0.98 })
    #expect(await counter.value == 400)
  }
}
