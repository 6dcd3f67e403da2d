import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Forty files, three channels and a script, against a mixer of plain arrays.
@Suite struct ChannelScriptTests {
  static let length: Int64 = 480_000

  /// Files of several kinds at 48 kHz in stereo, and what ffmpeg decodes from them.
  static func makeFiles(in folder: TemporaryFolder) throws -> (paths: [String], sounds: [[[Float]]]) {
    let kinds = [("wav", "pcm_s16le"), ("flac", "flac"), ("wav", "pcm_f32le"), ("aiff", "pcm_s24be"), ("m4a", "alac")]
    var arguments = ["-v", "error"]
    let paths = (0..<40).map { folder.file("\($0).\(kinds[$0 % kinds.count].0)") }
    for index in 0..<40 {
      let seconds = 0.2 + Double((index * 37) % 90) / 100
      let tone = "aevalsrc=0.3*sin(2*PI*\(200 + 31 * index)*t)|0.2*cos(2*PI*\(170 + 17 * index)*t):s=48000:d=\(seconds)"
      arguments += ["-f", "lavfi", "-i", tone]
    }
    for (index, path) in paths.enumerated() {
      arguments += ["-map", "\(index)", "-c:a", kinds[index % kinds.count].1, path]
    }
    try runProgram("ffmpeg", arguments)
    var decoding = ["-v", "error"]
    for path in paths { decoding += ["-i", path] }
    for (index, path) in paths.enumerated() {
      decoding += ["-map", "\(index)", "-f", "f32le", "-ac", "2", "-ar", "48000", path + ".raw"]
    }
    try runProgram("ffmpeg", decoding)
    let sounds = try paths.map { path -> [[Float]] in
      let data = try Data(contentsOf: URL(filePath: path + ".raw"))
      let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      return (0..<2).map { side in stride(from: side, to: samples.count, by: 2).map { samples[$0] } }
    }
    return (paths, sounds)
  }

  /// Every kind of command, many at the same sample, some in the first and last sample of blocks.
  static func script(seed: UInt64) -> [ScriptLine] {
    var random = SystemlessRandom(state: seed)
    var lines: [ScriptLine] = []
    for channel in 0..<3 {
      let items = (0..<40).filter { $0 % 3 == channel }
      lines.append(ScriptLine(channel: channel, sample: 0, action: .enqueue(items)))
      lines.append(ScriptLine(channel: channel, sample: Int64(channel) * 4800, action: .play))
      for _ in 0..<30 {
        var sample = Int64.random(in: 0..<length, using: &random)
        if Bool.random(using: &random) { sample = sample / 4800 * 4800 }
        let action: ScriptAction
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1:
          action = .volume(.random(in: 0...1.5, using: &random), over: [0, 0, 24_000].randomElement(using: &random) ?? 0)
        case 2: action = .pan(.random(in: -1...1, using: &random), over: 0)
        case 3: action = .pause
        case 4, 5: action = .play
        case 6: action = .forward
        case 7: action = .backward
        case 8: action = .seek(.random(in: 0..<30_000, using: &random))
        case 9: action = .repeating(ChannelRepeat.allCases.randomElement(using: &random) ?? .off)
        default: action = .insertNext([.random(in: 0..<40, using: &random)])
        }
        lines.append(ScriptLine(channel: channel, sample: sample, action: action))
      }
    }
    return lines
  }

  /// Left, right, and events by channel.
  static func plain(_ lines: [ScriptLine], _ sounds: [[[Float]]]) -> (samples: [[Float]], log: [[String]]) {
    var channels = (0..<3).map { _ in PlainChannel(sounds: sounds) }
    var due: [Int64: [ScriptLine]] = [:]
    for line in lines { due[line.sample, default: []].append(line) }
    var samples = [[Float]](repeating: Array(repeating: 0, count: Int(length)), count: 2)
    for sample in 0..<length {
      if let lines = due[sample] {
        for line in lines {
          // A change of volume begins with the gain of the command's own sample.
          channels[line.channel].setGains(sample)
          channels[line.channel].act(line.action, sample)
        }
      }
      for channel in channels.indices {
        let (left, right) = channels[channel].next(sample)
        samples[0][Int(sample)] += left
        samples[1][Int(sample)] += right
      }
    }
    return (samples, channels.map(\.log))
  }

  static func mixed(
    _ lines: [ScriptLine], _ paths: [String], blocks: () -> Int
  ) throws -> (samples: [[Float]], log: [[String]]) {
    let mixer = try ChannelMixer(sources: FileSounds())
    let channels = (0..<3).map { _ in mixer.addChannel() }
    func assets(_ items: [Int]) -> [ChannelAsset] { items.map { ChannelAsset(.file(path: paths[$0])) } }
    for line in lines {
      let (channel, time) = (channels[line.channel], ChannelTime.sample(line.sample))
      func duration(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 48_000) }
      switch line.action {
      case .enqueue(let items): try channel.enqueue(assets(items), at: time)
      case .insertNext(let items): try channel.insertNext(assets(items), at: time)
      case .play: channel.play(at: time)
      case .pause: channel.pause(at: time)
      case .forward: channel.skipForward(at: time)
      case .backward: channel.skipBackward(at: time)
      case .jump: Issue.record("jumps name entries")
      case .seek(let sample): try channel.seek(to: duration(sample), at: time)
      case .repeating(let mode): channel.setRepeat(mode, at: time)
      case .volume(let volume, let over): try channel.setVolume(volume, over: duration(over), at: time)
      case .pan(let pan, let over): try channel.setPan(pan, over: duration(over), at: time)
      }
    }
    var samples: [[Float]] = [[], []]
    var log = [[String]](repeating: [], count: 3)
    while mixer.position < length {
      let count = min(blocks(), Int(length - mixer.position))
      let block = AudioBlock(channelCount: 2, capacity: count)
      for event in try mixer.pull(count, into: block) {
        func number(_ entry: ChannelEntry) -> Int { paths.firstIndex(of: entry.asset.source.description) ?? -1 }
        guard let channel = channels.firstIndex(where: { $0.id == event.channel }) else { continue }
        switch event.kind {
        case .started(let entry): log[channel].append("started \(number(entry))@\(event.sample)")
        case .ended(let entry, .finished, _): log[channel].append("ended \(number(entry))@\(event.sample)")
        case .ended(let entry, .skipped, _): log[channel].append("skipped \(number(entry))@\(event.sample)")
        case .ended(_, .failed(let error), _): Issue.record("\(error)")
        case .queueEnded, .underrun: break
        }
      }
      for side in 0..<2 { samples[side] += UnsafeBufferPointer(start: block.channels[side], count: count) }
    }
    return (samples, log)
  }

  @Test(.enabled(if: hasFFmpeg)) func script_ofThreeChannelsAndFortyFiles_playsEachSampleWhereItSays() throws {
    let folder = try TemporaryFolder()
    let (paths, sounds) = try Self.makeFiles(in: folder)
    for seed in 1...3 as ClosedRange<UInt64> {
      let lines = Self.script(seed: seed)
      let expected = Self.plain(lines, sounds)
      #expect(expected.log.joined().count > 50)
      var random = SystemlessRandom(state: seed)
      let sizes: [() -> Int] =
        seed == 1 ? [{ 480 }, { 1 }, { 4096 }, { 480_000 }] : [{ 4800 }, { Int.random(in: 1...9000, using: &random) }]
      var first: [[Float]]?
      for size in sizes {
        let found = try Self.mixed(lines, paths, blocks: size)
        for side in 0..<2 {
          let difference = zip(found.samples[side], expected.samples[side]).map { abs($0 - $1) }.max() ?? 1
          #expect(found.samples[side].count == Int(Self.length) && difference < 2e-6, "seed \(seed), side \(side)")
        }
        for (found, expected) in zip(found.log, expected.log) {
          #expect(zip(found, expected).first { $0 != $1 } == nil && found.count == expected.count, "seed \(seed)")
        }
        if let first { #expect(found.samples == first, "seed \(seed)") } else { first = found.samples }
      }
    }
  }
}

extension PlainChannel {
  mutating func setGains(_ sample: Int64) {
    for side in 0..<2 {
      let ramp = ramps[side]
      let elapsed = sample - ramp.start
      gains[side] =
        elapsed < ramp.length ? ramp.from + (ramp.to - ramp.from) * Double(elapsed) / Double(ramp.length) : ramp.to
    }
  }
}

/// SplitMix64.
struct SystemlessRandom: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
