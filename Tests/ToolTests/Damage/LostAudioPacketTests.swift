import CompositorTestSupport
import Foundation
import Testing

/// Packets of a transport stream that were lost on the way, of the audio alone; and joints of segments, where nothing was lost.
@Suite(.enabled(if: hasFFmpeg)) struct LostAudioPacketTests {
  private static func make(_ codec: [String], in scratch: Scratch) throws -> [UInt8] {
    let file = try scratch.file("t.ts")
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      [
        "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=r=25:d=4:s=320x180", "-f", "lavfi", "-i",
        "sine=440:d=4:r=48000",
      ]
        + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25", "-c:a"] + codec + ["-ac", "2", file.path])
    try #require(made.status == 0, "\(made.errors)")
    return [UInt8](try Data(contentsOf: file))
  }

  private static func codes(_ name: String, in scratch: Scratch) throws -> [String] {
    let result = try ToolRun.compositor(["validate", name, "--json"], in: scratch.folder)
    let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
    return (list ?? []).compactMap { $0["code"] as? String }
  }

  private static let codecs = [["ac3"], ["eac3"], ["mp2"], ["aac"], ["libopus"]]

  /// {codecs} × {places}: every lost packet is said. `make test` takes half of the places.
  @Test(arguments: codecs) func lostPacket_isSaidByValidate(_ codec: [String]) throws {
    let scratch = try Scratch()
    let bytes = try Self.make(codec, in: scratch)
    let packets = (0..<bytes.count / 188).map { Array(bytes[188 * $0..<188 * $0 + 188]) }
    // Most packets of the audio don't begin one of its own; two that do are lost as well.
    let audio = packets.indices.filter { index in
      let packet = packets[index]
      return index > packets.count / 5 && index < packets.count * 4 / 5 && Int(packet[1] & 31) << 8 | Int(packet[2]) == 0x101
    }
    let beginnings = audio.filter { packets[$0][1] & 0x40 != 0 }
    try #require(audio.count > 20)
    #expect(try Self.codes("t.ts", in: scratch).isEmpty)
    let middles = audio.filter { packets[$0][1] & 0x40 == 0 }
    let places = stride(from: 2, to: middles.count, by: middles.count / 8).map { middles[$0] }
    let row = Self.codecs.firstIndex(of: codec) ?? 0
    for lost in TableSelection.columns(places, ofRow: row, each: 4) + [beginnings[1], beginnings[beginnings.count / 2]] {
      let rest = packets.enumerated().filter { $0.offset != lost }.flatMap(\.element)
      try Data(rest).write(to: scratch.file("lost.ts"))
      #expect(try Self.codes("lost.ts", in: scratch).contains("missingFrames"), "\(codec), packet \(lost)")
      let said = try ToolRun.compositor(["probe", "lost.ts"], in: scratch.folder).output
      #expect(said.contains("Parts of audio track 0 were lost"), "\(said)")
    }
  }

  /// Segments of one recording, which count their packets from the beginning, one after another.
  @Test(arguments: ["ac3", "aac", "mp2"]) func joinedSegments_haveLostNothing(_ codec: String) throws {
    let scratch = try Scratch()
    _ = try Self.make([codec], in: scratch)
    let folder = scratch.folder.path
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-i", folder + "/t.ts", "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0",
      "-hls_segment_filename", folder + "/s%d.ts", folder + "/s.m3u8")
    try #require(made.status == 0, "\(made.errors)")
    let parts = try (0..<4).map { try Data(contentsOf: scratch.file("s\($0).ts")) }
    try parts.reduce(Data(), +).write(to: scratch.file("joined.ts"))
    #expect(try !Self.codes("joined.ts", in: scratch).contains("missingFrames"))
  }
}
