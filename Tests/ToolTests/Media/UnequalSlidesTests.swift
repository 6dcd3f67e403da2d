import CompositorTestSupport
import Foundation
import Testing

/// {containers} × {lists of durations} × {the default rate, 25}: each image of a slideshow is shown from the time that the file states, and the
/// movie ends when the file does.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct UnequalSlidesTests {
  static let containers = ["gif", "webp", "apng", "mp4", "mkv", "webm"]
  /// Seconds for each image.
  static let lists = [
    [0.9, 1.3, 0.8, 1.1, 0.7], [1.5, 1, 2], [1.2, 0.8, 0.45], [0.7, 1.1, 0.9], [0.31, 0.71, 0.45, 0.58], [3, 2, 4, 2.5],
    [4.2, 3.7, 5.1, 2.8], [1.2, 1.7, 1.4, 2.1], [5, 1.4, 3.2], [1, 1, 1],
    // With pictures that are shown briefly.
    [0.5, 0.2, 0.9, 1.3, 0.75], [0.23, 0.51, 0.82], [0.34, 0.68, 0.63, 0.31, 0.6, 0.65, 0.22, 0.5],
    [0.18, 0.26, 0.37, 0.44, 0.28, 0.14], [0.51, 0.18, 0.31, 0.22],
    [0.12, 0.25, 0.37, 0.5, 0.08], [0.2, 1.5, 0.9, 3.33, 3], [0.4, 0.23, 0.8, 1.1],
  ]
  /// Frames of an output at 25 frames per second begin up to 40 ms late; a GIF rounds to 10 ms.
  private static let allowed = -0.011...0.045

  /// One PNG for each image, with its number.
  private static func makeImages(_ count: Int, in folder: TemporaryFolder) throws {
    try NumberedMovie.make(folder.file("images.mkv"), count: count, rate: "1", options: ["-c:v", "ffv1"])
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-i", folder.file("images.mkv"), "-pix_fmt", "rgb24", "-start_number", "0", folder.file("%d.png")])
  }

  /// An animation whose frames each have a duration.
  private static func makeAnimation(_ kind: String, _ durations: [Double], _ path: String, in folder: TemporaryFolder) throws {
    let starts = durations.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1) }.map { Int(($0 * 100).rounded()) }
    let times = durations.indices.reversed().reduce("0") { "if(eq(N,\($1)),\(starts[$1]),\($0))" }
    let last = starts[durations.count] - starts[durations.count - 1]
    let options = [
      "gif": ["-final_delay", "\(last)"], "apng": ["-f", "apng", "-final_delay", "\(last)/100"],
      "webp": ["-c:v", "libwebp_anim", "-lossless", "1"],
    ]
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-framerate", "1", "-i", folder.file("%d.png"), "-vf", "settb=1/100,setpts='\(times)'"]
        + ["-fps_mode", "passthrough", "-enc_time_base", "1/100"] + (options[kind] ?? []) + [path])
  }

  /// A movie by ffmpeg's recipe, at whose end is the last image once more.
  private static func makeMovie(_ kind: String, _ durations: [Double], _ path: String, in folder: TemporaryFolder) throws {
    let lines = durations.enumerated().map { "file \($0).png\nduration \($1)\n" }.joined()
    try "\(lines)file \(durations.count - 1).png\n".write(toFile: folder.file("list.txt"), atomically: true, encoding: .utf8)
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "concat", "-i", folder.file("list.txt"), "-fps_mode", "vfr", "-pix_fmt", "yuv420p"]
        + (kind == "webm" ? ["-c:v", "libvpx", "-auto-alt-ref", "0"] : ["-c:v", "libx264"]) + [path])
  }

  /// The times in seconds at which a file states that frames begin, and that the last one ends.
  private static func stated(_ kind: String, _ path: String) throws -> [Double] {
    if kind == "webp" {
      let durations = webPDurations([UInt8](try Data(contentsOf: URL(filePath: path))))
      return durations.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + Double($1) / 1000) }
    }
    let list = ["-v", "error", "-select_streams", "v", "-of", "csv=p=0"]
    let packets = try runTool("ffprobe", list + ["-show_entries", "packet=pts_time,duration_time", path])
      .split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }.sorted { $0[0] < $1[0] }
    let last = try #require(packets.last)
    let header = try runTool("ffprobe", list + ["-show_entries", "format=duration", path])
    let length = Double(header.trimmingCharacters(in: .whitespacesAndNewlines))
    return packets.map { $0[0] } + [kind == "apng" || kind == "gif" ? last[0] + last[1] : try #require(length)]
  }

  /// The durations of the frames of a WebP in ms (RFC 9649, `ANMF`).
  private static func webPDurations(_ bytes: [UInt8]) -> [Int] {
    var (durations, start) = ([Int](), 12)
    while start + 8 <= bytes.count {
      let size = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
      if bytes[start..<start + 4].elementsEqual("ANMF".utf8), start + 23 <= bytes.count {
        durations.append((0..<3).reduce(0) { $0 | Int(bytes[start + 20 + $1]) << (8 * $1) })
      }
      start += 8 + size + size % 2
    }
    return durations
  }

  @Test(arguments: containers, lists) func eachImage_isShownAsLongAsStated(_ kind: String, _ durations: [Double]) throws {
    let folder = try TemporaryFolder()
    let (path, output) = (folder.file("show.\(kind)"), folder.file("o.mkv"))
    try Self.makeImages(durations.count, in: folder)
    let isAnimation = ["gif", "webp", "apng"].contains(kind)
    try (isAnimation ? Self.makeAnimation : Self.makeMovie)(kind, durations, path, folder)
    let stated = try Self.stated(kind, path)
    for (index, start) in durations.indices.map({ ($0, durations[..<$0].reduce(0, +)) }) {
      // Otherwise this ffmpeg makes other files than those that are meant.
      try #require(abs(stated[index] - start) < 0.045, "\(stated)")
    }
    for options in [[], ["--fps", "25"]] {
      let result = try ToolRun.compositor(
        ["render", path, "-o", output, "--codec", "ffv1", "--progress", "none", "--overwrite"] + options)
      try #require(result.status == 0, "\(result.errors)")
      let stream = try #require(try ToolRun.streams(URL(filePath: output)).first { $0["codec_type"] == "video" })
      let parts = try #require(stream["r_frame_rate"]).split(separator: "/").compactMap { Double($0) }
      let (rate, numbers) = (parts[0] / parts[1], try NumberedMovie.numbers(output))
      let shown = try durations.indices.map { Double(try #require(numbers.firstIndex(of: $0))) / rate }
      let what: Comment = "\(kind) of \(durations), \(options): \(shown) of \(numbers.count) at \(rate), stated \(stated)"
      #expect(zip(shown, stated).allSatisfy { Self.allowed.contains($0 - $1) }, what)
      #expect(Self.allowed.contains(Double(numbers.count) / rate - stated[stated.count - 1]), what)
    }
  }
}
