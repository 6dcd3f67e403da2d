import Foundation
import Testing

/// What ffmpeg and ffprobe say of a file.
enum RecipeOutput {
  private static func ffmpeg(_ arguments: [String]) throws -> Data {
    let out = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: out) }
    let result = try ToolRun.run(URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-y"] + arguments + [out.path])
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    return try Data(contentsOf: out)
  }

  private static func probe(_ file: URL, _ entries: String) throws -> [String] {
    let result = try ToolRun.program("ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv=p=0", file.path)
    return result.output.split(separator: "\n").map { $0.trimmingCharacters(in: ["\r", ","]) }
  }

  static func duration(_ file: URL) throws -> Double { Double(try probe(file, "format=duration").first ?? "") ?? .nan }
  static func codec(_ file: URL) throws -> String? { try probe(file, "stream=codec_name").first }
  static func streams(_ file: URL) throws -> [String] { try probe(file, "stream=codec_type") }
  static func size(_ file: URL) throws -> [Int] {
    let sides = try probe(file, "stream=width,height").first?.split(separator: ",").compactMap { Int($0) } ?? []
    try #require(sides.count == 2, "\(file.lastPathComponent) has no picture")
    return sides
  }

  /// A digest of each decoded frame.
  static func hashes(_ file: URL) throws -> [String] {
    let text = String(
      decoding: try ffmpeg(["-i", file.path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5"]), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      String($0.split(separator: ",").last ?? "").trimmingCharacters(in: .whitespaces)
    }
  }

  /// The mean luma of each frame, in codes, of a part of the picture.
  static func luma(_ file: URL, crop: String? = nil) throws -> [Double] {
    let filters =
      (crop.map { ["crop=\($0)"] } ?? []) + [
        "extractplanes=y", "setparams=range=full", "scale=1:1:flags=area", "format=gray16le",
      ]
    let data = try ffmpeg([
      "-i", file.path, "-map", "0:v", "-vf", filters.joined(separator: ","), "-fps_mode", "passthrough", "-f", "rawvideo",
    ])
    return stride(from: 0, to: data.count - 1, by: 2).map { (Double(data[$0]) + 256 * Double(data[$0 + 1])) / 257 }
  }

  /// The first frame as R′G′B′.
  private static func rgb(_ file: URL, frame: Int = 0, filter: String = "null") throws -> [UInt8] {
    [UInt8](
      try ffmpeg([
        "-i", file.path, "-map", "0:v", "-vf", "select=eq(n\\,\(frame)),scale=in_color_matrix=bt709,format=rgb24,\(filter)",
        "-frames:v",
        "1", "-f", "rawvideo", "-pix_fmt", "rgb24",
      ]))
  }

  static func pixel(_ file: URL, _ place: (Int, Int)) throws -> [Int] {
    try rgb(file, filter: "crop=1:1:\(place.0):\(place.1)").map(Int.init)
  }

  static func isNear(_ file: URL, _ place: (Int, Int), _ color: [Int], within tolerance: Int = 14) throws -> Bool {
    let found = try pixel(file, place)
    return found.count == 3 && zip(found, color).allSatisfy { abs($0 - $1) <= tolerance }
  }

  /// The mean color of a frame.
  static func mean(_ file: URL, frame: Int) throws -> [Int] {
    let bytes = try rgb(file, frame: frame)
    return (0..<3).map { channel in
      stride(from: channel, to: bytes.count, by: 3).reduce(0) { $0 + Int(bytes[$1]) } / max(1, bytes.count / 3)
    }
  }

  /// How much neighboring pixels of a part of the first frame differ, in codes on the mean.
  static func detail(_ file: URL, crop: String) throws -> Double {
    let width = Int(crop.split(separator: ":")[0]) ?? 1
    let bytes = [UInt8](
      try ffmpeg(["-i", file.path, "-vf", "crop=\(crop),format=gray", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray"]))
    var sum = 0
    for index in bytes.indices.dropLast() where index % width != width - 1 {
      sum += abs(Int(bytes[index]) - Int(bytes[index + 1]))
    }
    return Double(sum) / Double(max(1, bytes.count))
  }

  /// RMS levels of steps of time, in dB.
  static func levels(_ file: URL, filter: String, step: Double) throws -> [Double] {
    let data = try ffmpeg(["-i", file.path, "-map", "0:a", "-af", filter, "-ac", "1", "-ar", "48000", "-f", "f32le"])
    let samples = data.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 3, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
    }
    let count = Int(step * 48000)
    return stride(from: 0, to: samples.count - count + 1, by: count).map { start in
      let power = samples[start..<start + count].reduce(0) { $0 + Double($1) * Double($1) } / Double(count)
      return 10 * log10(max(power, 1e-12))
    }
  }

  /// Integrated loudness, in LUFS.
  static func loudness(_ file: URL) throws -> Double {
    let result = try ToolRun.program("ffmpeg", "-hide_banner", "-i", file.path, "-af", "ebur128", "-f", "null", "-")
    let summary = result.errors.components(separatedBy: "Summary:").last ?? ""
    let value = summary.components(separatedBy: "I:").dropFirst().first?.split(separator: " ").first
    return value.flatMap { Double($0) } ?? .nan
  }
}
