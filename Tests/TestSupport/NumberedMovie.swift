import Foundation

/// Movies whose frames carry their number as black and white bars, so that any program's decoding tells which ones are there.
package enum NumberedMovie {
  /// Columns and rows: ten bars, one for each bit.
  package static let (width, height) = (160, 32)

  /// Encodes frames `first` ..< `first + count` with ffmpeg.
  ///
  /// - Parameters:
  ///   - rate: Frames a second, as ffmpeg takes it.
  ///   - options: What follows the input: filters, codec, audio inputs are not possible here.
  ///   - audio: An `aevalsrc` expression of `t` for audio; `nil` for none.
  package static func make(
    _ path: String, count: Int, first: Int = 0, rate: String, options: [String], audio: String? = nil
  ) throws {
    let raw = path + ".yuv"
    var bytes = Data()
    for number in first..<first + count { bytes.append(frame(number)) }
    try bytes.write(to: URL(filePath: raw))
    defer { try? FileManager.default.removeItem(atPath: raw) }
    var arguments = [
      "-v", "error", "-nostdin", "-y", "-f", "rawvideo", "-pixel_format", "yuv420p", "-video_size", "\(width)x\(height)",
      "-framerate", rate, "-i", raw,
    ]
    if let audio { arguments += ["-f", "lavfi", "-i", "aevalsrc='\(audio)':s=48000:d=30", "-shortest"] }
    try runProgram("ffmpeg", arguments + options + ["-pix_fmt", "yuv420p", path])
  }

  /// The numbers of a movie's frames in order, as ffmpeg decodes them.
  package static func numbers(_ path: String) throws -> [Int] {
    let data = try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
        "gray",
        "-",
      ])
    return stride(from: 0, to: data.count - width * height + 1, by: width * height).map { start in
      let row = start + width * (height / 2)
      return (0..<10).reduce(0) { $0 | (data[data.startIndex + row + $1 * 16 + 8] > 128 ? 1 << $1 : 0) }
    }
  }

  private static func frame(_ number: Int) -> Data {
    let row = (0..<10).flatMap { bit in [UInt8](repeating: number >> bit & 1 == 1 ? 235 : 16, count: width / 10) }
    var frame = Data()
    for _ in 0..<height { frame.append(contentsOf: row) }
    frame.append(contentsOf: [UInt8](repeating: 128, count: width * height / 2))
    return frame
  }
}
