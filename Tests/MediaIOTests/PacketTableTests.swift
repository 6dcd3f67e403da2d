import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Core Audio Format: its packet table states which samples are heard, as Apple's encoders write it.
@Suite(.enabled(if: hasFFmpeg)) struct PacketTableTests {
  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(value >> (8 * $0) & 255) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + big(content.count, 8) + content
  }

  /// A number of 7 bits per byte, the highest first.
  private static func variable(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(128 | value >> 7), UInt8(value & 127)]
  }

  /// The frames of an ADTS stream, without their headers of 7 bytes.
  private static func frames(_ stream: [UInt8]) -> [[UInt8]] {
    var (frames, at) = ([[UInt8]](), 0)
    while at + 7 <= stream.count {
      let size = Int(stream[at + 3] & 3) << 11 | Int(stream[at + 4]) << 3 | Int(stream[at + 5]) >> 5
      frames.append(Array(stream[(at + 7)..<(at + size)]))
      at += size
    }
    return frames
  }

  /// A file of AAC at 44,100 Hz in one channel.
  private static func file(_ frames: [[UInt8]], valid: Int, priming: Int, remainder: Int) -> [UInt8] {
    let description =
      withUnsafeBytes(of: (44_100.0).bitPattern.bigEndian) { Array($0) } + Array("aac ".utf8)
      + [2, 0, 1024, 1, 0].flatMap { big($0, 4) }
    // Profile LC, index 4 of the sample rates, one channel.
    let configuration: [UInt8] = [0x12, 0x08]
    let decoder: [UInt8] = [0x40, 0x15] + [UInt8](repeating: 0, count: 11) + [5, 2] + configuration
    let cookie: [UInt8] =
      [0, 0, 0, 0, 3, UInt8(3 + 2 + decoder.count + 3), 0, 0, 0, 4, UInt8(decoder.count)] + decoder + [6, 1, 2]
    let table =
      big(frames.count, 8) + big(valid, 8) + big(priming, 4) + big(remainder, 4) + frames.flatMap { variable($0.count) }
    return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("kuki", cookie) + chunk("pakt", table)
      + chunk("data", big(0, 4) + frames.joined())
  }

  private static func samples(_ path: String, from first: Int64 = 0, count: Int) throws -> [Float] {
    let options = AudioReaderOptions(sampleRate: 44_100, channelCount: 1)
    let reader = try MediaOpener.openAudio(.file(path: path), options: options)
    let block = AudioBlock(channelCount: 1, capacity: count)
    try reader.read(frameCount: count, at: first, into: block.channels)
    return Array(UnsafeBufferPointer(start: block.channels[0], count: count))
  }

  private static func encoded(in folder: TemporaryFolder) throws -> [[UInt8]] {
    let stream = folder.file("a.aac")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=2:r=44100:a=0.3:seed=3", "-c:a", "aac", "-aac_pns", "0", "-f", "adts",
        stream,
      ])
    return frames([UInt8](try Data(contentsOf: URL(filePath: stream))))
  }

  /// {priming and remainder, priming alone, remainder alone}: the samples are those of the file whose table states neither.
  @Test(arguments: [(2112, 700), (1024, 0), (0, 700)]) func table_saysWhatIsHeard(_ priming: Int, _ remainder: Int) throws {
    let folder = try TemporaryFolder()
    let frames = try Self.encoded(in: folder)
    let total = frames.count * 1024
    let valid = total - priming - remainder
    let (plain, stated) = (folder.file("plain.caf"), folder.file("stated.caf"))
    try Data(Self.file(frames, valid: total, priming: 0, remainder: 0)).write(to: URL(filePath: plain))
    try Data(Self.file(frames, valid: valid, priming: priming, remainder: remainder)).write(to: URL(filePath: stated))
    let tracks = try [plain, stated].map { try #require(try MediaProbe.probe(.file(path: $0)).audioTracks.first) }
    #expect(tracks[0].timeRange.duration == MediaTime(value: Int64(total), timescale: 44_100))
    #expect(tracks[1].timeRange == TimeRange(start: .zero, end: MediaTime(value: Int64(valid), timescale: 44_100)))
    #expect(tracks[1].primingCount == priming && tracks[1].paddingCount == remainder)
    let expected = Array(try Self.samples(plain, count: total)[priming..<(priming + valid)])
    let found = try Self.samples(stated, count: valid + 2000)
    #expect(Array(found[..<valid]) == expected && found[valid...].allSatisfy { $0 == 0 })
    #expect(expected[80_000..<80_200].contains { abs($0) > 0.01 })
    #expect(try Self.samples(stated, from: 50_000, count: 2000) == Array(expected[50_000..<52_000]), "after a seek")
  }

  /// A table that contradicts the packets is ignored.
  @Test(arguments: [(100, 2112, 700), (1 << 40, 2112, 700), (0, 0, 5), (1000, 1 << 20, 0)])
  func table_thatCannotBe_isIgnored(_ valid: Int, _ priming: Int, _ remainder: Int) throws {
    let folder = try TemporaryFolder()
    let frames = try Self.encoded(in: folder)
    let path = folder.file("a.caf")
    try Data(Self.file(frames, valid: valid, priming: priming, remainder: remainder)).write(to: URL(filePath: path))
    let track = try #require(try MediaProbe.probe(.file(path: path)).audioTracks.first)
    #expect(track.timeRange.duration == MediaTime(value: Int64(frames.count * 1024), timescale: 44_100))
  }
}
