import Foundation

/// A movie of 4 s at 30000/1001 frames per second whose frames carry closed captions (CEA-608) in SEI messages of H.264.
///
/// "HELLO WORLD" is seen from 0.400 to 2.002 s, and "SECOND LINE" from then on.
struct ClosedCaptionMovie {
  /// Whether the second caption is erased, at 3.170 s, rather than seen to the end.
  let isErased: Bool

  /// Pairs of bytes by frame (CTA-608-E, 8): a caption is loaded, addressed to row 15, written and shown.
  private var pairs: [Int: [UInt8]] {
    var pairs: [Int: [UInt8]] = [:]
    func put(_ sequence: [[UInt8]], at frame: Int) {
      for (index, pair) in sequence.enumerated() { pairs[frame + index] = pair }
    }
    for (frame, text) in [(2, "HELLO WORLD"), (50, "SECOND LINE")] {
      let bytes = Array(text.utf8) + [0]
      let characters = stride(from: 0, to: bytes.count - 1, by: 2).map { [bytes[$0], bytes[$0 + 1]] }
      put(
        [[0x14, 0x20], [0x14, 0x20], [0x14, 0x70], [0x14, 0x70]] + characters + [[0x14, 0x2f], [0x14, 0x2f]], at: frame)
    }
    if isErased { put([[0x14, 0x2c], [0x14, 0x2c]], at: 95) }
    return pairs
  }

  private static func withOddParity(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount.isMultiple(of: 2) ? byte | 0x80 : byte }

  /// An SEI message with a frame's pair (ATSC A/53 part 4, 6.2.3; ITU-T H.264, 7.3.1 and D.1.6).
  private static func message(_ pair: [UInt8]) -> [UInt8] {
    let contents: [UInt8] =
      [0xb5, 0, 0x31] + Array("GA94".utf8) + [3, 0xc1, 0xff, 0xfc] + pair.map(withOddParity) + [0xff]
    var (unit, zeros): ([UInt8], Int) = ([0, 0, 0, 1, 6], 0)
    for byte in [4, UInt8(contents.count)] + contents + [0x80] {
      if zeros >= 2, byte <= 3 {
        unit.append(3)
        zeros = 0
      }
      unit.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return unit
  }

  /// Writes the frames with their captions to `captioned.h264`, and the movie as `name`.
  func make(_ name: String, in scratch: Scratch) throws {
    try scratch.make(
      "plain.h264",
      ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=30000/1001:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0"]
        + ["-g", "30", "-pix_fmt", "yuv420p", "-x264-params", "aud=1:sliced-threads=0:slices=1"])
    let bytes = [UInt8](try Data(contentsOf: scratch.folder.appending(path: "plain.h264")))
    let pairs = pairs
    var (captioned, frame, index) = ([UInt8](), 0, 0)
    while index < bytes.count {
      let isUnit = index + 4 < bytes.count && bytes[index] == 0 && bytes[index + 1] == 0 && bytes[index + 2] == 1
      if isUnit, [1, 5].contains(bytes[index + 3] & 31) {
        // The zero of a longer start code belongs to it.
        if captioned.last == 0 { captioned.removeLast() }
        captioned += Self.message(pairs[frame] ?? [0, 0]) + [0]
        frame += 1
      }
      captioned.append(bytes[index])
      index += 1
    }
    try Data(captioned).write(to: scratch.folder.appending(path: "captioned.h264"))
    try scratch.make(
      name, ["-r", "30000/1001", "-i", scratch.folder.appending(path: "captioned.h264").path, "-c", "copy"])
  }
}
