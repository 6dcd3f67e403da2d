import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.serialized) struct ChannelRealTimeTests {
  static func realTime() -> ChannelMixer.Configuration {
    var configuration = ChannelMixer.Configuration()
    configuration.mode = .realTime
    return configuration
  }

  @Test func realTime_prepared_givesTheSamplesOfOffline() async throws {
    func make(_ configuration: ChannelMixer.Configuration) throws -> ChannelMixer {
      let mixer = try ChannelMixer(sources: MemorySounds(), configuration: configuration)
      for name in ["0.3", "0.5", "0.25"] {
        let channel = mixer.addChannel()
        try channel.enqueue([MemorySounds.asset(name), MemorySounds.asset("0.4"), MemorySounds.asset(name)])
        channel.play()
        try channel.setVolume(0.4, over: .seconds(0.2), at: .sample(9600))
      }
      return mixer
    }
    let expected = try ChannelMixerTests.pull(try make(ChannelMixer.Configuration()), 48_000)
    let mixer = try make(Self.realTime())
    mixer.prepare()
    let block = AudioBlock(channelCount: 2, capacity: 480)
    var (samples, events): ([Float], [ChannelEvent]) = ([], [])
    for _ in 0..<100 {
      events += try mixer.pull(480, into: block)
      samples += UnsafeBufferPointer(start: block.channels[0], count: 480)
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(samples == expected.samples[0])
    #expect(ChannelMixerTests.text(events) == ChannelMixerTests.text(expected.events))
  }

  @Test func slowDecoder_neverHoldsAPullUp_andLosesNoSample() throws {
    let sounds = MemorySounds(
      onRead: { _ in Thread.sleep(forTimeInterval: 0.05) }, value: { _, sample, _ in Float(sample + 1) / 65536 })
    let mixer = try ChannelMixer(sources: sounds, configuration: Self.realTime())
    let channel = mixer.addChannel()
    try channel.enqueue([MemorySounds.asset("0.5")])
    channel.play()
    let block = AudioBlock(channelCount: 2, capacity: 480)
    var (samples, underruns, slowest): ([Float], Int, Duration) = ([], 0, .zero)
    let clock = ContinuousClock()
    let start = clock.now
    while channel.state?.index == 0, clock.now - start < .seconds(20) {
      try slowest = max(
        slowest,
        clock.measure {
          for event in try mixer.pull(480, into: block) { if case .underrun = event.kind { underruns += 1 } }
        })
      samples += UnsafeBufferPointer(start: block.channels[0], count: 480)
      Thread.sleep(forTimeInterval: 0.002)
    }
    #expect(underruns > 1 && (channel.state?.underrunSampleCount ?? 0) > 4800)
    let heard: [Float] = samples.filter { $0 != 0 }
    let whole: [Float] = (1...24_000).map { Float($0) / 65536 }
    #expect(heard == whole)
    #expect(slowest < .milliseconds(45), "a pull took \(slowest) beside reads of 50 ms")
  }

  @Test func files_areOpenedLateAndClosedEarly() throws {
    for mode in [ChannelMixer.Mode.offline, .realTime] {
      let sounds = MemorySounds()
      var configuration = Self.realTime()
      (configuration.mode, configuration.openingLead) = (mode, .seconds(0.2))
      let mixer = try ChannelMixer(sources: sounds, configuration: configuration)
      let channels = (0..<3).map { _ in mixer.addChannel() }
      for channel in channels {
        try channel.enqueue((0..<20).map { MemorySounds.asset("0.5-\($0)") })
        channel.play()
      }
      mixer.prepare()
      #expect(sounds.opened <= 3, "only what is due is opened")
      let block = AudioBlock(channelCount: 2, capacity: 4800)
      while mixer.position < 11 * 48_000 {
        try mixer.pull(4800, into: block)
        mixer.prepare()
      }
      #expect(sounds.opened == 60 && sounds.peak <= 6 && sounds.open == 0, "\(sounds.opened) \(sounds.peak) \(sounds.open)")
    }
  }

  /// An hour of three channels, one of them of files, in a process of its own.
  @Test(.enabled(if: hasFFmpeg)) func memory_overAnHour_staysFlat() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("a.flac")
      try runProgram("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:d=20:r=48000", "-ac", "2", path])
      let table = (0..<4096).map { Float($0) / 8192 }
      let memory = MemorySounds(value: { _, sample, _ in table[Int(sample & 4095)] })
      let mixer = try ChannelMixer(sources: FilesAndMemory(memory: memory))
      let channels = (0..<3).map { _ in mixer.addChannel() }
      try channels[0].enqueue([ChannelAsset(.file(path: path))])
      try channels[1].enqueue(["7", "3", "600", "0.5"].map(MemorySounds.asset))
      try channels[2].enqueue(["90"].map(MemorySounds.asset))
      for channel in channels {
        channel.setRepeat(.queue)
        channel.play()
      }
      let block = AudioBlock(channelCount: 2, capacity: 48_000)
      var (early, starts) = (0, 0)
      for second in 0..<3600 {
        if second == 360 { early = residentPages() }
        if second % 20 == 7 {
          try channels[second % 3].setVolume(Double(second % 10) / 10)
          // A queue that never ends: what was played is forgotten.
          try channels[2].enqueue([MemorySounds.asset("5")])
          channels[2].skipForward()
          channels[2].removePlayed(keeping: 2)
        }
        for event in try mixer.pull(48_000, into: block) { if case .started = event.kind { starts += 1 } }
      }
      let growth = (residentPages() - early) * 4096
      print("an hour of channels: \(starts) entries, memory grew by \(growth / 1024) KiB")
      guard starts > 400, growth < 1 << 20, memory.peak <= 4 else { exit(2) }
    }
  }
}

private struct FilesAndMemory: AudioSourceProvider {
  let memory: MemorySounds

  func openAudio(
    _ source: MediaSource, trackIndex: Int, options: AudioReaderOptions
  ) throws(CompositorError) -> any AudioReader {
    if case .custom = source { return try memory.openAudio(source, trackIndex: trackIndex, options: options) }
    return try MediaOpener.openAudio(source, trackIndex: trackIndex, options: options)
  }
}

private func residentPages() -> Int {
  do {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  } catch {
    return .max
  }
}
