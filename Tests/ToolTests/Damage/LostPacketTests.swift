import CompositorTestSupport
import Foundation
import Testing

/// Recordings that lost parts on their way: packets of a transport stream, or the end of a copy, which is empty.
@Suite(.enabled(if: hasFFmpeg)) struct LostPacketTests {
  private static let packetSize = 188

  /// The indices of the transport packets of a stream that do not begin one of its frames.
  private func continuations(in bytes: [UInt8], of identifier: Int) -> [Int] {
    (0..<bytes.count / Self.packetSize).filter { index in
      let head = index * Self.packetSize
      let isStart = bytes[head + 1] & 0x40 != 0
      return Int(bytes[head + 1] & 0x1f) << 8 | Int(bytes[head + 2]) == identifier && !isStart
    }
  }

  private func all(_ name: String, in scratch: Scratch) throws -> [(command: String, text: String, status: Int32)] {
    try [["probe"], ["validate"], ["render", "-o", "out.mkv", "--overwrite"]].map { command in
      let result = try ToolRun.compositor(command + [name], in: scratch.folder)
      return (command[0], result.output + result.errors, result.status)
    }
  }

  /// Far from key frames: a loss just before one cannot be told from the place at which streams were joined.
  @Test(arguments: ["libx264", "mpeg2video"], [1, 4]) func packets_thatAreLost_areNamed(_ codec: String, _ count: Int) throws {
    let scratch = try Scratch()
    try scratch.make(
      "whole.ts",
      [
        "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4", "-f", "lavfi", "-i", "sine=duration=4", "-c:v", codec,
        "-b:v", "1M", "-g", "250",
      ])
    let bytes = [UInt8](try Data(contentsOf: scratch.folder.appending(path: "whole.ts")))
    let places = continuations(in: bytes, of: 0x100)
    // Apart from one another, in the middle.
    let lost = Set((1...count).map { places[places.count / 2 + 7 * $0] })
    let kept = (0..<bytes.count / Self.packetSize).filter { !lost.contains($0) }.flatMap { index in
      bytes[index * Self.packetSize..<(index + 1) * Self.packetSize]
    }
    try Data(kept).write(to: scratch.folder.appending(path: "lost.ts"))
    for (command, text, status) in try all("lost.ts", in: scratch) {
      #expect(status == 0 && text.contains("Parts of video track 0 were lost: "), "\(command): \(text)")
    }
    for (command, text, status) in try all("whole.ts", in: scratch) {
      #expect(status == 0 && !text.contains("were lost"), "\(command): \(text)")
    }
  }

  /// A copy that failed has the size of the file, and zeros for what did not arrive.
  @Test(arguments: ["mkv", "webm", "flv", "ts", "ogg", "gif", "webp"]) func end_thatIsEmpty_isRefusedAsCut(_ kind: String)
    throws
  {
    let scratch = try Scratch()
    let coding: [String: [String]] = [
      "mkv": ["-c:v", "libx264"], "webm": ["-c:v", "libvpx"], "flv": ["-c:v", "libx264"], "ts": ["-c:v", "libx264"],
      "ogg": ["-c:a", "libvorbis"], "webp": ["-c:v", "libwebp_anim", "-pix_fmt", "bgra", "-lossless", "1"],
    ]
    let input = kind == "ogg" ? "sine=duration=20" : "testsrc2=size=160x96:rate=25:duration=2"
    try scratch.make("whole.\(kind)", ["-f", "lavfi", "-i", input] + (coding[kind] ?? []))
    var bytes = [UInt8](try Data(contentsOf: scratch.folder.appending(path: "whole.\(kind)")))
    let arrived = bytes.count * 6 / 10
    try #require(bytes.count - arrived > 4096)
    bytes.replaceSubrange(arrived..., with: repeatElement(0, count: bytes.count - arrived))
    try Data(bytes).write(to: scratch.folder.appending(path: "zeros.\(kind)"))
    let output = kind == "ogg" ? "out.wav" : "out.mkv"
    let result = try scratch.render(["zeros.\(kind)", "-o", output])
    // These don't state how much there should be.
    let isOpen = ["ts", "ogg"].contains(kind)
    #expect(result.status == (isOpen ? 0 : 66), "\(kind): \(result.status) \(result.errors)")
    #expect(result.errors.contains(isOpen ? "The end of the file is empty" : "error:"), "\(kind): \(result.errors)")
    #expect(try scratch.render(["whole.\(kind)", "-o", output]).status == 0)
  }

  /// Media whose last bytes are zeros by right: silence, black, padding.
  @Test(arguments: [
    ("pcm.mkv", ["-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo", "-t", "1", "-c:a", "pcm_s16le", "-live", "1"]),
    (
      "black.nut",
      ["-f", "lavfi", "-i", "color=black:size=64x48:rate=25:duration=0.2", "-pix_fmt", "rgb24", "-c:v", "rawvideo"]
    ),
    (
      "dnxhr.mkv",
      [
        "-f", "lavfi", "-i", "color=black:size=256x128:rate=25:duration=0.2", "-pix_fmt", "yuv422p", "-c:v", "dnxhd",
        "-profile:v", "dnxhr_hq", "-live", "1",
      ]
    ),
    (
      "mpeg2.mkv",
      [
        "-f", "lavfi", "-i", "color=black:size=64x48:rate=25:duration=1", "-c:v", "mpeg2video", "-b:v", "4M", "-minrate", "4M",
        "-maxrate", "4M", "-bufsize", "1M", "-live", "1",
      ]
    ),
    ("padded.wma", ["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "wmav2", "-b:a", "32k"]),
    ("padded.wmv", ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1", "-c:v", "wmv2"]),
  ]) func zeros_thatBelongThere_areNoDamage(_ name: String, _ arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.make(name, arguments)
    let result = try scratch.render([name, "-o", name.hasSuffix("wma") || name.hasPrefix("pcm") ? "out.wav" : "out.mkv"])
    #expect(
      result.status == 0 && !result.errors.contains("end of the file is empty") && !result.errors.contains("cut"),
      "\(result.errors)")
  }

  /// Segments of a stream that were joined with cat: each numbers its packets from 0.
  @Test func segments_thatAreJoined_loseNothing() throws {
    let scratch = try Scratch()
    try scratch.make(
      "part.m3u8",
      [
        "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=6", "-f", "lavfi", "-i", "sine=duration=6", "-c:v",
        "libx264", "-g", "25", "-c:a", "aac", "-hls_time", "1", "-hls_list_size", "0",
      ])
    let parts = try (0..<6).map { try Data(contentsOf: scratch.folder.appending(path: "part\($0).ts")) }
    try parts.reduce(Data(), +).write(to: scratch.folder.appending(path: "joined.ts"))
    for (command, text, status) in try all("joined.ts", in: scratch) {
      #expect(status == 0 && !text.contains("were lost") && !text.contains("may be wrong"), "\(command): \(text)")
    }
    let stream = try #require(try ToolRun.streams(scratch.folder.appending(path: "out.mkv")).first)
    #expect(stream["nb_read_frames"] == "150", "\(stream)")
  }

  /// Encoders that leave a zero or two in place of the trailer.
  @Test func gif_thatEndsWithAStrayZero_isWhole() throws {
    let scratch = try Scratch()
    try scratch.make("in.gif", ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=0.5"])
    let bytes = try Data(contentsOf: scratch.folder.appending(path: "in.gif"))
    try #require(bytes.last == 0x3b)
    try (bytes.dropLast() + [0, 0]).write(to: scratch.folder.appending(path: "stray.gif"))
    let result = try scratch.render(["stray.gif", "-o", "out.mkv"])
    #expect(result.status == 0, "\(result.errors)")
    let stream = try #require(try ToolRun.streams(scratch.folder.appending(path: "out.mkv")).first)
    #expect(stream["nb_read_frames"] == "5", "\(stream)")
  }
}
