import Foundation
import Testing

/// Audio of which nothing says where its channels belong.
@Suite struct ChannelPositionTests {
  /// A WAV file of 16 bits at 48 kHz, 0.2 s of a tone in one of its channels.
  private static func wav(_ channels: Int, tone: Int, mask: UInt32?) -> Data {
    func little(_ value: Int, _ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }) }
    let frames = 9600
    var format = little(mask == nil ? 1 : 0xfffe, 2) + little(channels, 2) + little(48_000, 4) + little(96_000 * channels, 4)
    format += little(2 * channels, 2) + little(16, 2)
    if let mask {
      // A format of PCM.
      let kind: [UInt8] = [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
      format += little(22, 2) + little(16, 2) + little(Int(mask), 4) + Data(kind)
    }
    var samples = Data()
    for frame in 0..<frames {
      let value = Int((sin(Double(frame) / 10) * 8000).rounded())
      for channel in 0..<channels { samples += little(channel == tone ? value : 0, 2) }
    }
    let body = Data("WAVEfmt ".utf8) + little(format.count, 4) + format + Data("data".utf8) + little(samples.count, 4) + samples
    return Data("RIFF".utf8) + little(body.count, 4) + body
  }

  /// {2, 3, 6, 8, 10 channels} × {no positions, positions} × {all of them, chosen}.
  @Test(
    arguments: [
      (2, nil, ""), (3, 0, "are taken for 2.1, whose low-frequency channel is left out"), (6, 0, "are taken for 5.1, whose"),
      (8, 0, "are taken for 7.1, whose"), (6, 0x3f, ""), (3, 7, ""), (10, 0, "by which they could be mixed"),
    ] as [(Int, UInt32?, String)])
  func positions_thatAreNotStated_areSaid(_ channels: Int, _ mask: UInt32?, _ says: String) throws {
    let scratch = try Scratch()
    try Self.wav(channels, tone: channels - 1, mask: mask).write(to: scratch.folder.appending(path: "a.wav"))
    let isRefused = says.contains("by which")
    let validated = try ToolRun.compositor(["validate", "a.wav"], in: scratch.folder)
    #expect(
      (validated.status == 0) != isRefused && validated.output.contains("assumedChannels") == !says.isEmpty, "\(validated)")
    #expect(says.isEmpty || validated.output.contains(says), "\(validated.output)")
    let rendered = try scratch.render(["a.wav", "-o", "o.wav", "--channels", "2"])
    #expect(
      (rendered.status == 0) != isRefused && rendered.errors.contains("have no positions") == !says.isEmpty, "\(rendered)")
    // Who chooses knows.
    let chosen = try scratch.render(["a.wav", "-o", "o.wav", "--source-channels", "\(channels - 1)"])
    #expect(chosen.status == 0 && !chosen.errors.contains("have no positions"), "\(chosen)")
    let level = try ToolRun.program(
      "ffmpeg", "-i", scratch.folder.appending(path: "o.wav").path, "-af", "volumedetect", "-f", "null", "-")
    #expect(level.errors.contains("max_volume: -12"), "\(level.errors.suffix(400))")
  }
}
