import CompositorAPI
import CompositorMediaIO
import Foundation
import Testing

@Suite struct AudioFilterGraphTests {
  private static func tone(_ count: Int, channels: Int, frequency: Double = 997) -> AudioBlock {
    let block = AudioBlock(channelCount: channels, capacity: count)
    for channel in 0..<channels {
      for index in 0..<count {
        block[channel, index] = Float(0.25 * sin(2 * .pi * frequency * Double(index) / 48_000 + Double(channel)))
      }
    }
    return block
  }

  /// Everything that a graph makes of a block that is sent and received in portions.
  private static func filtered(
    _ block: AudioBlock, _ graph: AudioFilterGraph, sending portion: Int, receiving: Int
  ) throws -> [[Float]] {
    var result = Array(repeating: [Float](), count: block.channelCount)
    let room = AudioBlock(channelCount: block.channelCount, capacity: receiving)
    func take() throws {
      while case let count = try graph.receive(receiving, into: room.channels), count > 0 {
        for channel in result.indices { result[channel] += UnsafeBufferPointer(start: room.channels[channel], count: count) }
      }
    }
    var sent = 0
    while sent < block.capacity {
      let count = min(portion, block.capacity - sent)
      try graph.send(block.channels.map { $0 + sent }, count: count)
      sent += count
      try take()
    }
    try graph.sendEnd()
    try take()
    #expect(graph.hasEnded)
    return result
  }

  @Test(arguments: [1, 2, 6, 8], [(1, 7), (480, 4096), (4096, 480), (96_000, 96_000)])
  func send_inAnyPortions_givesTheSameSamples(channels: Int, portions: (Int, Int)) throws {
    let block = Self.tone(9_600, channels: channels)
    let graph = try AudioFilterGraph("volume=0.5", sampleRate: 48_000, channelCount: channels)
    let found = try Self.filtered(block, graph, sending: portions.0, receiving: portions.1)
    for channel in 0..<channels {
      #expect(found[channel] == (0..<9_600).map { block[channel, $0] * 0.5 })
    }
  }

  @Test func atempo_at2_halvesTheLength() throws {
    let graph = try AudioFilterGraph("atempo=2", sampleRate: 48_000, channelCount: 2)
    let found = try Self.filtered(Self.tone(96_000, channels: 2), graph, sending: 1024, receiving: 1024)
    #expect(abs(found[0].count - 48_000) < 480)
  }

  @Test func ebur128_writesLoudness() throws {
    let graph = try AudioFilterGraph("ebur128=metadata=1", sampleRate: 48_000, channelCount: 2)
    _ = try Self.filtered(Self.tone(480_000, channels: 2, frequency: 997), graph, sending: 4096, receiving: 4096)
    // Two channels of 997 Hz with an amplitude of 0.25 (−12.04 dBFS): the definition gives −12.04 LUFS.
    let loudness = try #require(graph.metadata("lavfi.r128.I").flatMap(Double.init))
    #expect(abs(loudness + 12.04) < 0.1)
  }

  @Test func command_changesTheFilterWhileItWorks() throws {
    let graph = try AudioFilterGraph("volume=1", sampleRate: 48_000, channelCount: 1)
    let (block, room) = (Self.tone(100, channels: 1), AudioBlock(channelCount: 1, capacity: 100))
    try graph.send(block.channels, count: 100)
    #expect(try graph.receive(100, into: room.channels) == 100)
    #expect(room[0, 50] == block[0, 50])
    try graph.command("volume", "volume", "0.25")
    try graph.send(block.channels, count: 100)
    #expect(try graph.receive(100, into: room.channels) == 100)
    #expect(room[0, 50] == block[0, 50] / 4)
    #expect(throws: CompositorError.self) { try graph.command("volume", "volume", "what") }
    #expect(throws: CompositorError.self) { try graph.command("atempo", "tempo", "2") }
  }

  @Test func graphs_thatAreNone_areRefused() {
    func code(_ text: String, rate: Int = 48_000, channels: Int = 2) -> CompositorError.Code? {
      do {
        _ = try AudioFilterGraph(text, sampleRate: rate, channelCount: channels)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code("volume=0.5") == nil)
    #expect(code("nothing") == .invalidParameter)
    #expect(code("volume=what") == .invalidParameter)
    #expect(code("asplit") == .invalidParameter)
    #expect(code("amix") == .invalidParameter)
    #expect(code("gblur") == .invalidParameter)
    #expect(code("") == .invalidParameter)
    #expect(code("volume", channels: 9) == .invalidParameter)
    #expect(code("volume", rate: 0) == .invalidParameter)
    #expect(code("amovie=x.wav") == .sourceRefused)
    #expect(code("ladspa=file=x") == .sourceRefused)
    #expect(code("asr=logfn=x:hmm=y:dict=z:lm=w") == .sourceRefused)
  }

  @Test func audioFilters_haveOneInputAndOneOutput() {
    let names = AudioFilterGraph.audioFilters
    #expect(names.contains("atempo") && names.contains("acompressor") && names.contains("volume"))
    #expect(!names.contains("amix") && !names.contains("gblur") && !names.contains("amovie") && !names.contains("ladspa"))
    #expect(!names.contains("asr") && !names.contains("arnndn"))
    #expect(AudioFilterGraph.isAvailable("ebur128") && !AudioFilterGraph.isAvailable("nothing"))
  }
}
