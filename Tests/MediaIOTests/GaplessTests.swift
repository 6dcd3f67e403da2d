import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// What containers state of the ends of audio beside packets: iTunes' tag, and streams that end with an empty packet.
@Suite(.enabled(if: hasFFmpeg)) struct GaplessTests {
  private static func samples(_ path: String, rate: Int, from first: Int64 = 0, count: Int) throws -> [Float] {
    let reader = try MediaOpener.openAudio(.file(path: path), options: AudioReaderOptions(sampleRate: rate, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: count)
    try reader.read(frameCount: count, at: first, into: block.channels)
    #expect(reader.damage.isEmpty, "\(reader.damage)")
    return Array(UnsafeBufferPointer(start: block.channels[0], count: count))
  }

  /// A box of ISO/IEC 14496-12.
  private static func box(_ type: String, _ contents: Data) -> Data {
    withUnsafeBytes(of: UInt32(contents.count + 8).bigEndian) { Data($0) } + Data(type.utf8) + contents
  }

  /// Appends iTunes' tag to the last box of a file, which has to be its index.
  private static func tag(_ path: String, _ value: String, to tagged: String) throws {
    var data = try Data(contentsOf: URL(filePath: path))
    let zeros = Data(count: 4)
    let text = box("data", Data([0, 0, 0, 1]) + zeros + Data(value.utf8))
    let free = box("mean", zeros + Data("com.apple.iTunes".utf8)) + box("name", zeros + Data("iTunSMPB".utf8)) + text
    let handler = box("hdlr", Data(count: 8) + Data("mdirappl".utf8) + Data(count: 9))
    let meta = box("udta", box("meta", zeros + handler + box("ilst", box("----", free))))
    let start = try #require(data.range(of: Data("moov".utf8), options: .backwards)).lowerBound - 4
    let size = data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    try #require(start + size == data.count)
    withUnsafeBytes(of: UInt32(size + meta.count).bigEndian) { data.replaceSubrange(start..<start + 4, with: $0) }
    try (data + meta).write(to: URL(filePath: tagged))
  }

  /// Without an edit list, iTunes' tag says which samples are audible; the samples are those of the file without the tag, a packet earlier.
  @Test(arguments: [44_100, 48_000], [88_200, 95_001]) func tag_ofITunes_isFollowed(_ rate: Int, _ count: Int) throws {
    let folder = try TemporaryFolder()
    let (bare, tagged) = (folder.file("bare.m4a"), folder.file("tagged.m4a"))
    let noise = "anoisesrc=r=\(rate):a=0.3:seed=3,atrim=end_sample=\(count)"
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", noise, "-c:a", "aac", "-aac_pns", "0", "-use_editlist", "0", bare])
    let padding = (1024 - count % 1024) % 1024
    let numbers = [0, 1024, padding, count, 0, 0].map { number in
      let digits = String(number, radix: 16).uppercased()
      return String(repeating: "0", count: (number == count ? 16 : 8) - digits.count) + digits
    }
    try Self.tag(bare, " " + numbers.joined(separator: " "), to: tagged)
    let track = try #require(try MediaProbe.probe(.file(path: tagged)).audioTracks.first)
    #expect(track.timeRange == TimeRange(start: .zero, end: MediaTime(value: Int64(count), timescale: Int32(rate))))
    #expect(track.primingCount == 1024 && track.paddingCount == padding)
    let expected = Array(try Self.samples(bare, rate: rate, count: count + 4024)[1024...])
    #expect(try Self.samples(tagged, rate: rate, count: count + 3000) == expected)
    #expect(expected[(count - 500)..<count].contains { abs($0) > 0.01 } && expected[count...].allSatisfy { $0 == 0 })
    #expect(try Self.samples(tagged, rate: rate, from: 70_000, count: 2000) == Array(expected[70_000..<72_000]), "after a seek")
  }

  /// A tag that contradicts the packets is ignored.
  @Test(arguments: [" 00000000 00000400 00000100 00000000FFFFFFFF", " 00000000 00010000 00000000 0000000000000100", " x", ""])
  func tag_thatCannotBe_isIgnored(_ value: String) throws {
    let folder = try TemporaryFolder()
    let (bare, tagged) = (folder.file("bare.m4a"), folder.file("tagged.m4a"))
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=441:d=1:r=48000", "-c:a", "aac", "-use_editlist", "0", bare])
    try Self.tag(bare, value, to: tagged)
    let tracks = try [bare, tagged].map { try #require(try MediaProbe.probe(.file(path: $0)).audioTracks.first) }
    #expect(tracks[0].timeRange == tracks[1].timeRange)
  }

  /// VLC ends a stream of Vorbis with a packet without bytes: it has no samples and is not damaged.
  @Test(arguments: ["libvorbis", "flac"]) func emptyPacket_atTheEnd_hasNoSamples(_ codec: String) throws {
    let folder = try TemporaryFolder()
    let (plain, ended) = (folder.file("plain.ogg"), folder.file("ended.ogg"))
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=2:r=44100:a=0.3:seed=3", "-c:a", codec, plain])
    var data = try Data(contentsOf: URL(filePath: plain))
    let last = try #require(data.range(of: Data("OggS".utf8), options: .backwards)).lowerBound
    // The last page's granule position, serial number and number plus one; one segment without bytes.
    var page = Data(data[last..<last + 27])
    page[5] = 4
    page[18] &+= 1
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    page[26] = 1
    page.append(0)
    page.replaceSubrange(22..<26, with: withUnsafeBytes(of: OggPages.checksum(page).littleEndian) { Data($0) })
    data.append(page)
    try data.write(to: URL(filePath: ended))
    let tracks = try [plain, ended].map { try #require(try MediaProbe.probe(.file(path: $0)).audioTracks.first) }
    #expect(tracks[0].timeRange == tracks[1].timeRange)
    #expect(try Self.samples(ended, rate: 44_100, count: 92_000) == (try Self.samples(plain, rate: 44_100, count: 92_000)))
  }
}
