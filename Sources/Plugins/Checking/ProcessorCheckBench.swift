import CCompositorPluginProcess
import CompositorAPI

/// Runs single checks of an audio processor in the plugin's process.
struct ProcessorCheckBench {
  let factory: AudioProcessorFactory
  /// The results of earlier checks.
  let known: PluginCheckKnowledge

  func run(_ step: PluginCheckStep) throws -> PluginCheckResult {
    switch step {
    case .description: return PluginCheckBench.describe(factory.descriptor.schema, reservedKeys: [])
    case .blocks: return try blocks()
    case .determinism: return try determinism()
    case .values: return try values()
    case .valuesAnew: return try valuesAnew()
    case .leaks: return try leaks()
    case .signals: return PluginCheckBench.changedSignal ?? PluginCheckResult(.passed)
    case .process, .exit:
      _ = try output(of: make())
      return PluginCheckBench.changedState ?? PluginCheckResult(.passed)
    default: return PluginCheckResult(.skipped, "It makes no frames.")
    }
  }

  private static let maximumCount = 1024

  private var parameters: ParameterValues {
    Dictionary(
      factory.descriptor.parameters.map { ($0.key, known.values[$0.key] ?? $0.defaultValue ?? $0.kind.extremes[0]) },
      uniquingKeysWith: { $1 })
  }

  private func make(
    rate: Int = 48_000, channels: Int = 2, parameters: ParameterValues? = nil
  ) throws -> any AudioBlockProcessor {
    try factory.makeProcessor(
      parameters: parameters ?? self.parameters,
      context: AudioProcessingContext(sampleRate: rate, channelCount: channels, maximumCount: Self.maximumCount))
  }

  /// Every number of samples and channels and every usual rate, between inaccessible pages.
  private func blocks() throws -> PluginCheckResult {
    for rate in [8000, 44_100, 48_000, 96_000] {
      for channels in [1, 2, 6, 8] {
        let place = "\(channels) channel\(channels == 1 ? "" : "s") at \(rate) Hz"
        let processor: any AudioBlockProcessor
        do {
          processor = try make(rate: rate, channels: channels)
        } catch let error as CompositorError where channels > 2 && error.code != .pluginFailed {
          continue
        }
        guard processor.latency >= 0, processor.tail >= 0 else {
          return PluginCheckResult(.failed, "The latency or the tail is negative.", at: place)
        }
        guard processor.latency <= rate * Self.longestLatency else {
          return PluginCheckResult(
            .failed, "The latency is \(processor.latency) samples; the host waits for \(Self.longestLatency) s of them.",
            at: place)
        }
        let (latency, tail) = (processor.latency, processor.tail)
        var position: Int64 = 0
        for count in [1, 7, 64, 480, Self.maximumCount] {
          guard let samples = Samples(channels: channels, count: count) else {
            return PluginCheckResult(.failed, "There is not enough memory.")
          }
          samples.fill(seed: UInt64(count))
          try samples.process(processor, position: position)
          position += Int64(count)
          if !samples.areFinite { return PluginCheckResult(.failed, "It wrote a value that is not finite.", at: place) }
          guard samples.isIntact else {
            return PluginCheckResult(.failed, "It wrote beside the \(count) samples of a block.", at: place)
          }
        }
        let last = (processor as? BinaryProcessor)?.presentDelays ?? (processor.latency, processor.tail)
        guard last == (latency, tail) else {
          return PluginCheckResult(.failed, "The latency or the tail has changed.", at: place)
        }
      }
    }
    return try unusualInput() ?? PluginCheckResult(.passed)
  }

  /// Seconds after which a render gives up waiting for the first sample.
  private static let longestLatency = 60

  /// Noise, silence and full scale, from the start and from far positions: some seconds of each, as long as that takes little time.
  private func unusualInput() throws -> PluginCheckResult? {
    let end = ContinuousClock.now + .seconds(2)
    let starts: [Int64] = [0, 3600 * 48_000, Int64(Int32.max) - 48_000, 1 << 40]
    for input in Samples.Input.allCases {
      for start in starts {
        let processor = try make()
        guard let samples = Samples(channels: 2, count: Self.maximumCount) else { return nil }
        for block in 0..<Int64(start == 0 ? 469 : 94) {
          guard ContinuousClock.now < end else { return nil }
          let position = start + block * Int64(Self.maximumCount)
          samples.fill(seed: UInt64(block), with: input)
          try samples.process(processor, position: position)
          guard samples.areFinite else {
            return PluginCheckResult(
              .failed, "It wrote a value that is not finite.", at: "\(input.rawValue) at sample \(position)")
          }
        }
      }
    }
    return nil
  }

  /// Two instances, and one after a reset, give the same samples.
  private func determinism() throws -> PluginCheckResult {
    let (first, second) = (try make(), try make())
    guard first.latency == second.latency, first.tail == second.tail else {
      return PluginCheckResult(.failed, "Another instance has another latency or tail.")
    }
    let expected = try output(of: first)
    guard try output(of: second) == expected else {
      return PluginCheckResult(.failed, "Another instance gave other samples.")
    }
    first.reset()
    return try output(of: first) == expected
      ? PluginCheckResult(.passed) : PluginCheckResult(.failed, "It gave other samples after a reset.")
  }

  /// The defaults, and each parameter alone with another value.
  private var valueSets: [(key: String?, parameters: ParameterValues)] {
    let defaults = parameters
    return [(nil, defaults)]
      + factory.descriptor.parameters.prefix(32).compactMap { description in
        description.kind.otherValue(than: defaults[description.key]).map {
          (description.key, defaults.merging([description.key: $0]) { $1 })
        }
      }
  }

  /// Samples for ``valuesAnew()``, in a new process: the defaults come first.
  private func values() throws -> PluginCheckResult {
    var result = PluginCheckResult(.passed)
    result.frames = try valueSets.map { try self.hash($0.parameters) }
    return result
  }

  /// Compares the samples of ``values()`` with those of a new process in which other values come first.
  private func valuesAnew() throws -> PluginCheckResult {
    let sets = valueSets
    let anew = Array(try sets.reversed().map { try self.hash($0.parameters) }.reversed())
    guard known.frames.count == anew.count, let different = anew.indices.last(where: { anew[$0] != known.frames[$0] }) else {
      return PluginCheckResult(.passed, "\(sets.count) sets of values gave the same samples in two new processes.")
    }
    let subject = sets[different].key.map { "“\($0)”" } ?? "A parameter"
    return PluginCheckResult(
      .failed,
      "\(subject) depends on the value that came first in the process: instances with other values give other samples after it."
    )
  }

  /// A hash of the output with parameters; `nil` if they are refused.
  private func hash(_ parameters: ParameterValues) throws -> UInt64? {
    let processor: any AudioBlockProcessor
    do {
      processor = try make(parameters: parameters)
    } catch let error as CompositorError where error.code != .pluginFailed {
      return nil
    }
    return try output(of: processor).reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private func output(of processor: any AudioBlockProcessor) throws -> [UInt32] {
    var bits: [UInt32] = []
    for block in 0..<20 {
      guard let samples = Samples(channels: 2, count: Self.maximumCount) else { return [] }
      samples.fill(seed: UInt64(block))
      try samples.process(processor, position: Int64(block * Self.maximumCount))
      bits += samples.bits
    }
    return bits
  }

  private func leaks() throws -> PluginCheckResult {
    guard let samples = Samples(channels: 2, count: Self.maximumCount) else { return PluginCheckResult(.passed) }
    func round() throws {
      for _ in 0..<20 {
        let processor = try make()
        for block in 0..<4 { try samples.process(processor, position: Int64(block * Self.maximumCount)) }
      }
    }
    try round()
    var meter = LeakMeter(instances: 20, rounds: LeakMeter.usualRounds, framesOfAnInstance: 4)
    for _ in 0..<LeakMeter.usualRounds { try meter.measure { try round() } }
    return meter.result
  }
}

/// Planar samples, each channel at the end of memory of its own, before an inaccessible page.
private struct Samples {
  private let memory: [GuardedMemory]
  private let channels: [UnsafeMutablePointer<Float>]
  private let count: Int
  private static let margin = 64
  private static let filling: Float = 12_345

  init?(channels: Int, count: Int) {
    let byteCount = (count + Self.margin) * MemoryLayout<Float>.stride
    let memory = (0..<channels).compactMap { _ in GuardedMemory(byteCount: byteCount) }
    guard memory.count == channels else { return nil }
    (self.memory, self.count) = (memory, count)
    self.channels = memory.map { memory in
      let page = 4096
      let end = memory.base + (byteCount + page - 1) / page * page
      let start = end - count * MemoryLayout<Float>.stride
      (start - Self.margin * 4).assumingMemoryBound(to: Float.self).update(repeating: Self.filling, count: Self.margin)
      return start.assumingMemoryBound(to: Float.self)
    }
  }

  enum Input: String, CaseIterable {
    /// Of −20 dBFS.
    case noise
    case silence
    case fullScale = "full scale"
  }

  func fill(seed: UInt64, with input: Input = .noise) {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
    for channel in channels {
      for index in 0..<count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        switch input {
        case .noise: channel[index] = (Float(state >> 40) / Float(1 << 24) - 0.5) * 0.2
        case .silence: channel[index] = 0
        case .fullScale: channel[index] = state >> 63 == 0 ? 1 : -1
        }
      }
    }
  }

  func process(_ processor: any AudioBlockProcessor, position: Int64) throws {
    try processor.process(channels, count: count, position: position)
  }

  var areFinite: Bool { channels.allSatisfy { channel in (0..<count).allSatisfy { channel[$0].isFinite } } }
  var isIntact: Bool {
    channels.allSatisfy { channel in (1...Self.margin).allSatisfy { channel[-$0] == Self.filling } }
  }
  var bits: [UInt32] { channels.flatMap { channel in (0..<count).map { channel[$0].bitPattern } } }
}
