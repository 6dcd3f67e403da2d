import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO

/// The folder of real media, where it is there.
enum ReadMedia {
  static var isPresent: Bool { mediaFolder != nil }

  static func path(_ name: String) throws -> String {
    guard let mediaFolder else { throw ReadSupportError(message: "no media folder") }
    return mediaFolder.appending(path: name).path
  }

  static func names() throws -> [String] {
    guard let mediaFolder else { throw ReadSupportError(message: "no media folder") }
    return try FileManager.default.contentsOfDirectory(atPath: mediaFolder.path).sorted()
  }
}

struct ReadSupportError: Error { var message: String }

extension TemporaryFolder {
  /// Makes a file with the ffmpeg tool.
  func make(_ name: String, _ arguments: [String]) throws -> String {
    try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [file(name)])
    return file(name)
  }
}

/// The sum that ffmpeg's framecrc writes (Adler-32 from 0) over the planes of a frame, rows without padding.
func checksum(_ frame: Frame) -> UInt32 {
  var (low, high): (UInt32, UInt32) = (0, 0)
  frame.withUnsafePlanes { planes in
    for index in 0..<planes.count {
      let plane = planes[index]
      let rowBytes = frame.format.rowBytes(plane: index, of: frame.size)
      for y in 0..<plane.height {
        let row = UnsafeRawBufferPointer(start: plane.base + y * plane.stride, count: rowBytes)
        var start = 0
        while start < row.count {
          // As many bytes as 32 bits hold without a remainder in between.
          let end = min(start + 5552, row.count)
          for byte in row[start..<end] {
            low &+= UInt32(byte)
            high &+= low
          }
          (low, high) = (low % 65521, high % 65521)
          start = end
        }
      }
    }
  }
  return high << 16 | low
}

/// A seeded generator, so that a failure can be repeated.
struct ReadRandom: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
