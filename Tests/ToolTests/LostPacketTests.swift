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
}
