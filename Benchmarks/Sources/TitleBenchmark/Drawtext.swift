import Clocks
import Compositor
import Foundation

/// FFmpeg's drawtext with the appearance of W4.
enum Drawtext {
  private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"

  /// The best of three runs with the filter, minus the best of three without; `nil` if FFmpeg or the font is missing.
  static func millisecondsPerFrame(size: PixelSize, frameCount: Int) throws -> Double? {
    guard FileManager.default.fileExists(atPath: font) else { return nil }
    let folder = FileManager.default.temporaryDirectory.appending(path: "titles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let raw = folder.appending(path: "a.yuv")
    try Data(count: size.width * size.height * 3 / 2 * 8).write(to: raw)
    let words = folder.appending(path: "words.txt")
    try Data("The Quick Brown Fox\nJumps Over the Lazy Dog".utf8).write(to: words)
    let filter = """
      drawtext=fontfile=\(font):textfile=\(words.path):fontsize=96:fontcolor=white:borderw=4:bordercolor=black:shadowx=4:\
      shadowy=4:shadowcolor=black@0.5:x=100+60*t:y=700-6*t:alpha='if(lt(t,2),t/2,if(gt(t,8),(10-t)/2,1))'
      """
    guard let plain = run("null", raw, size, frameCount), let drawn = run(filter, raw, size, frameCount) else { return nil }
    return (drawn - plain) / Double(frameCount)
  }

  private static func run(_ filter: String, _ raw: URL, _ size: PixelSize, _ frameCount: Int) -> Double? {
    var best = Double.infinity
    for _ in 0..<3 {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [
        "ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-filter_threads", "1", "-stream_loop", "-1", "-f", "rawvideo",
        "-pix_fmt", "yuv420p", "-s", "\(size)", "-r", "30", "-i", raw.path, "-frames:v", "\(frameCount)", "-vf", filter, "-f",
        "null", "-",
      ]
      let start = ProcessorTime.children
      guard (try? process.run()) != nil else { return nil }
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { return nil }
      best = min(best, ProcessorTime.children - start)
    }
    return best
  }
}
