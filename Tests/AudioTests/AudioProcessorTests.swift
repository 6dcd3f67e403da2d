import CompositorAPI
import CompositorAudio
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorTestMedia
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Doubles its input and gives it 100 samples late, in blocks whose positions it checks.
private final class LateDouble: AudioProcessor {
  static let descriptor = AudioProcessorDescriptor(
    id: "test.late", name: "Late", summary: "Twice as loud.",
    parameters: [ParameterDescription("gain", .number(minimum: 0, maximum: 4, unit: ""), default: .number(2), summary: "Gain.")]
  )
  private let gain: Float
  private var kept: [[Float]]
  private var next: Int64?

  init(parameters: ParameterValues, context: AudioProcessingContext) throws {
    gain = Float(parameters["gain"]?.number ?? 0)
    kept = Array(repeating: Array(repeating: 0, count: 100), count: context.channelCount)
  }

  var latency: Int { 100 }
  var tail: Int { 50 }

  func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) throws {
    if let next, next != position { throw CompositorError(.internalFault, "Blocks do not follow one another.") }
    guard count == 1024 else { throw CompositorError(.internalFault, "A block has \(count) samples.") }
    next = position + Int64(count)
    for (index, channel) in channels.enumerated() {
      let all = kept[index] + UnsafeBufferPointer(start: channel, count: count)
      for sample in 0..<count { channel[sample] = all[sample] * gain }
      kept[index] = Array(all.suffix(100))
    }
  }
}

@Suite struct AudioProcessorTests {
  private static func value(_ sample: Int, _ channel: Int) -> Float {
    let noise =
      Float((UInt32(truncatingIfNeeded: sample &+ 1) &* (2_654_435_761 &+ UInt32(channel) &* 64)) >> 8) / 16_777_216 - 0.5
    let level: Float = sample / 6000 % 2 == 0 ? 0.6 : 0.15
    return level * noise + 0.2 * Float(sin(Double(sample) * 0.05 * Double(channel + 1)))
  }

  /// What a chain makes of ``value(_:_:)`` from a place on.
  private func processed(
    _ uses: [AudioProcessorUse], _ registry: CompositorRegistry = .builtIn, from start: Int = 0, count: Int, end: Int = .max,
    portion: Int = 1000
  ) throws -> [[Float]] {
    var position = start
    let chain = try #require(
      AudioProcessorChain(
        uses, provider: registry, sampleRate: 48_000, channelCount: 2, position: Int64(start)
      ) { count, channels throws(CompositorError) in
        for (index, channel) in channels.enumerated() {
          for sample in 0..<count { channel[sample] = position + sample < end ? Self.value(position + sample, index) : 0 }
        }
        position += count
      })
    let block = AudioBlock(channelCount: 2, capacity: portion)
    var result: [[Float]] = [[], []]
    while result[0].count < count {
      let part = min(portion, count - result[0].count)
      try chain.read(part, into: block.channels)
      for channel in 0..<2 { result[channel] += UnsafeBufferPointer(start: block.channels[channel], count: part) }
    }
    return result
  }

  /// Filters with values, as ffmpeg writes them.
  static let filters: [(String, ParameterValues)] = [
    ("acompressor", ["threshold": .number(0.1), "ratio": .number(4)]), ("acontrast", [:]), ("acrusher", ["bits": .number(6)]),
    ("aecho", ["delays": .string("60|90"), "decays": .string("0.4|0.3")]), ("aemphasis", [:]), ("aexciter", [:]),
    ("agate", ["threshold": .number(0.05)]), ("alimiter", ["limit": .number(0.3)]), ("allpass", ["frequency": .number(900)]),
    ("aphaser", [:]), ("apulsator", [:]), ("asoftclip", ["threshold": .number(0.3)]), ("asubboost", [:]),
    ("asubcut", [:]), ("asupercut", [:]), ("bandpass", ["frequency": .number(500)]), ("bandreject", [:]),
    ("bass", ["gain": .number(8)]), ("biquad", ["b0": .number(0.5), "b1": .number(0.25), "a0": .number(1)]),
    (
      "chorus",
      [
        "in_gain": .number(0.6), "out_gain": .number(0.8), "delays": .string("45"), "decays": .string("0.4"),
        "speeds": .string("0.3"), "depths": .string("2"),
      ]
    ),
    ("compand", ["attacks": .string("0.1"), "decays": .string("0.4")]),
    ("crossfeed", [:]), ("crystalizer", [:]), ("dcshift", ["shift": .number(0.1)]), ("deesser", [:]),
    ("equalizer", ["frequency": .number(1000), "gain": .number(6)]), ("extrastereo", [:]), ("flanger", [:]),
    ("haas", [:]), ("highpass", ["frequency": .number(400)]), ("highshelf", ["gain": .number(-6)]),
    ("lowpass", ["frequency": .number(800)]), ("lowshelf", ["gain": .number(4)]), ("stereotools", ["mlev": .number(0.5)]),
    ("stereowiden", [:]), ("superequalizer", ["1b": .number(4)]), ("tiltshelf", ["gain": .number(3)]),
    ("treble", ["gain": .number(5)]), ("tremolo", [:]), ("volume", ["volume": .string("0.5")]),
    ("adynamicsmooth", [:]), ("adynamicequalizer", [:]), ("afftdn", [:]), ("aderivative", [:]), ("aintegral", [:]),
    ("firequalizer", ["gain": .string("if(lt(f,1000),0,-12)")]), ("speechnorm", [:]), ("mcompand", [:]),
  ]

  @Test func process_filtersOfLibavfilter_areWhatFFmpegMakesOfTheSameSamples() throws {
    let folder = try TemporaryFolder()
    let count = 72_000
    var bytes = Data()
    for sample in 0..<count {
      for channel in 0..<2 { withUnsafeBytes(of: Self.value(sample, channel)) { bytes.append(contentsOf: $0) } }
    }
    try bytes.write(to: URL(fileURLWithPath: folder.file("in.f32")))
    let there = Self.filters.filter { AudioFilterGraph.isAvailable($0.0) }
    #expect(there.count >= 25)
    var arguments = ["-v", "error", "-f", "f32le", "-ar", "48000", "-ac", "2", "-i", folder.file("in.f32")]
    for (name, values) in there {
      let options = values.map { "\($0.key)=\(FilterText.of($0.value))" } + (name == "alimiter" ? ["latency=1"] : [])
      let text = options.isEmpty ? name : "\(name)=\(options.sorted().joined(separator: ":"))"
      arguments += ["-map", "0:a", "-af", text, "-c:a", "pcm_f32le", "-f", "f32le", folder.file("\(name).f32")]
    }
    try runProgram("ffmpeg", arguments)
    for (name, values) in there {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("\(name).f32")))
      let expected = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let use = AudioProcessorUse(AudioProcessorID(rawValue: "avfilter.\(name)"), parameters: values)
      // What a filter gives at the end of a file, some give of silence instead.
      let compared = min(60_000, expected.count / 2)
      let found = try processed([use], count: compared)
      var worst: Float = 0
      for channel in 0..<2 {
        for sample in 0..<compared { worst = max(worst, abs(found[channel][sample] - expected[sample * 2 + channel])) }
      }
      #expect(compared == 60_000 && worst < 1e-6, "\(name): \(worst) in \(compared)")
      // Not the input again: a filter that is not applied would pass as well.
      // Those that react to what these samples do not have are left out.
      if !["deesser", "adynamicequalizer"].contains(name) {
        let changed = (0..<compared).contains { abs(found[0][$0] - Self.value($0, 0)) > 1e-3 }
        #expect(changed, "\(name)")
      }
    }
  }

  @Test func process_lateProcessor_standsWhereItStood_inAnyPortions() throws {
    var registry = CompositorRegistry.builtIn
    try registry.register(LateDouble.self)
    let uses = [AudioProcessorUse("test.late"), AudioProcessorUse("test.late", parameters: ["gain": .number(0.5)])]
    let reference = try processed(uses, registry, from: 777, count: 9000)
    for channel in 0..<2 { for sample in 0..<9000 { #expect(reference[channel][sample] == Self.value(777 + sample, channel)) } }
    for portion in [1, 37, 1024, 4096] where portion > 1 {
      #expect(try processed(uses, registry, from: 777, count: 9000, portion: portion) == reference)
    }
    let echo = [
      AudioProcessorUse("avfilter.aecho"), AudioProcessorUse("avfilter.alimiter"), AudioProcessorUse("avfilter.afftdn"),
    ]
    let once = try processed(echo, count: 20_000, portion: 4096)
    for portion in [61, 512, 20_000] { #expect(try processed(echo, count: 20_000, portion: portion) == once) }
  }

  @Test func process_timeRange_leavesTheRestAloneAndRingsOut() throws {
    // One echo after 100 ms: 4800 samples.
    let range = TimeRange(
      start: MediaTime(value: 10_000, timescale: 48_000), duration: MediaTime(value: 5000, timescale: 48_000))
    let values: ParameterValues = [
      "in_gain": .number(1), "out_gain": .number(1), "delays": .string("100"), "decays": .string("0.5"),
    ]
    let found = try processed([AudioProcessorUse("avfilter.aecho", parameters: values, timeRange: range)], count: 30_000)
    for sample in 0..<30_000 {
      let dry = Self.value(sample, 0)
      let isEcho = (14_800..<19_800).contains(sample)
      let expected = dry + (isEcho ? 0.5 * Self.value(sample - 4800, 0) : 0)
      let limited = (10_000..<15_000).contains(sample) ? min(1, max(-1, expected)) : expected
      guard abs(found[0][sample] - limited) > 1e-6 else { continue }
      Issue.record("sample \(sample): \(found[0][sample]), not \(limited)")
      return
    }
  }

  /// A delay has output for its whole range before it has taken the range's last samples.
  @Test func process_timeRangeOfADelay_leavesTheRestAloneAndPlaysAllOfTheRange() throws {
    let range = TimeRange(
      start: MediaTime(value: 10_000, timescale: 48_000), duration: MediaTime(value: 5000, timescale: 48_000))
    for (delay, milliseconds) in [(480, 10), (4800, 100), (9600, 200)] {
      let values: ParameterValues = ["delays": .string("\(milliseconds)"), "all": .bool(true)]
      let use = AudioProcessorUse("avfilter.adelay", parameters: values, timeRange: range)
      for portion in [512, 30_000] {
        let found = try processed([use], count: 30_000, portion: portion)
        let wrong = (0..<30_000).first { sample in
          let dry = (10_000..<15_000).contains(sample) ? 0 : Self.value(sample, 0)
          let isDelayed = (10_000..<15_000).contains(sample - delay)
          return abs(found[0][sample] - dry - (isDelayed ? Self.value(sample - delay, 0) : 0)) > 1e-6
        }
        #expect(wrong == nil, "\(milliseconds) ms, in portions of \(portion)")
      }
    }
  }

  @Test func validate_badProcessors_saysWhereAndWhat() throws {
    let catalog = MediaCatalog()
    var composition = Composition()
    let track = composition.addTrack(.audio)
    var parameters = AudioMixInputParameters(trackID: track)
    parameters.processors = [
      AudioProcessorUse("avfilter.aeccho"), AudioProcessorUse("avfilter.highpass", parameters: ["freqency": .number(100)]),
      AudioProcessorUse("avfilter.highpass", parameters: ["frequency": .string("low")]), AudioProcessorUse("avfilter.areverse"),
      AudioProcessorUse("avfilter.highpass", timeRange: TimeRange(start: .invalid, duration: .seconds(1))),
    ]
    var mix = AudioMix(inputParameters: [parameters])
    mix.processors = [
      AudioProcessorUse("org.example.absent"), AudioProcessorUse("avfilter.highpass", parameters: ["frequency": .number(-1)]),
    ]
    let edit = Edit(
      composition: composition,
      videoComposition: VideoComposition(
        frameDuration: MediaTime(value: 1, timescale: 25), renderSize: PixelSize(width: 64, height: 64)),
      audioMix: mix)
    let found = CompositionValidator.validate(edit, catalog: catalog).diagnostics.filter {
      [.unknownCompositor, .invalidParameter].contains($0.code)
    }
    let texts = found.map(\.description)
    #expect(found.count == 7, "\(texts)")
    let hints = ["avfilter.aecho", "frequency", "a number", "more or fewer", "duration", "plugins", "a number 0"]
    for (text, hint) in zip(texts, hints) { #expect(text.contains(hint), "\(text) without \(hint)") }
    #expect(found.prefix(5).allSatisfy { $0.track == track })
  }

  @Test func register_twoProcessorsOfOneName_isRefused() throws {
    var registry = CompositorRegistry.builtIn
    try registry.register(LateDouble.self)
    try registry.register(LateDouble.self)
    let other = AudioProcessorFactory(LateDouble.descriptor, plugin: "p.so") { try LateDouble(parameters: $0, context: $1) }
    #expect(throws: CompositorError.self) { try registry.register(other) }
    #expect(registry.audioProcessorDescriptors.contains { $0.id == "test.late" })
    #expect(registry.audioProcessorDescriptors.count > 40)
  }
}

private enum FilterText {
  static func of(_ value: ParameterValue) -> String {
    switch value {
    case .data: ""
    case .string(let text): "'\(text)'"
    case .number(let number): "\(number)"
    case .integer(let number): "\(number)"
    case .bool(let flag): flag ? "1" : "0"
    case .list: ""
    }
  }
}
