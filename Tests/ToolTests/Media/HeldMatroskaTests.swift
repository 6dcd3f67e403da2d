import CompositorTestSupport
import Foundation
import Testing

/// {frames} × {how long the last one is held} × {how the file was made} × {audio}: a Matroska or WebM file that has all its bytes is whole, and its last frame is
/// shown until the end that the header states. Cut anywhere, it is refused.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct HeldMatroskaTests {
  /// The frames before the last one.
  enum Frames: String, CaseIterable, Sendable {
    /// A second at 30 frames per second.
    case regular
    /// Steps of 0.1 and 0.3 s in turn.
    case uneven
    /// None: the last one is the only one.
    case single

    /// Frames at 0.1 or 1/30 s, and which of them are kept.
    var source: (rate: Int, kept: String, count: Int) {
      switch self {
      case .regular: (30, "1", 30)
      case .uneven: (10, "lt(mod(n,4),2)", 6)
      case .single: (10, "eq(n,0)", 1)
      }
    }
    /// Seconds at which the last frame begins.
    var last: Double {
      switch self {
      case .regular: 29.0 / 30
      case .uneven: 0.9
      case .single: 0
      }
    }
  }

  enum Maker: String, CaseIterable, Sendable { case ffmpeg, compositor, webm }

  struct Row: Sendable, CustomTestStringConvertible {
    let frames: Frames
    let hold: Double
    let maker: Maker
    /// Whether there is audio, which ends 0.6 s before the video or earlier.
    let hasAudio: Bool

    var length: Double { frames.last + hold }
    var testDescription: String { "\(frames), \(hold) s, \(maker)\(hasAudio ? ", audio" : "")" }
  }

  static let rows: [Row] = Frames.allCases.flatMap { frames in
    [0.3, 0.6, 2, 12].flatMap { hold in
      Maker.allCases.flatMap { maker in
        [false, true].filter { !$0 || hold > 1 && maker == .ffmpeg }.map {
          Row(frames: frames, hold: hold, maker: maker, hasAudio: $0)
        }
      }
    }
  }

  /// - Returns: The file's name.
  private static func make(_ row: Row, in scratch: Scratch) throws -> String {
    let (rate, kept, count) = row.frames.source
    let source = [
      "-f", "lavfi", "-i", "testsrc2=s=160x90:r=\(rate):d=1", "-vf", "select='\(kept)'", "-fps_mode", "passthrough",
    ]
    func path(_ name: String) -> String { scratch.folder.appending(path: name).path }
    /// - Parameter hold: In ticks of the copied file.
    func copied(_ hold: String) -> [String] {
      ["-c:v", "copy", "-bsf:v", "setts=pts=PTS:dts=DTS:duration='if(eq(N,\(count - 1)),\(hold),DURATION)'"]
    }
    let name = row.maker == .webm ? "held.webm" : "held.mkv"
    if row.maker == .webm {
      let codec = ["-c:v", "libvpx", "-auto-alt-ref", "0", "-lag-in-frames", "0", "-pix_fmt", "yuv420p"]
      try scratch.make("frames.webm", source + codec)
      try scratch.make(name, ["-i", path("frames.webm")] + copied("\(row.hold)*1000"))
    } else {
      try scratch.make("frames.mp4", source + ["-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p"])
      let audio = ["-f", "lavfi", "-i", "sine=r=48000:d=\(row.length - 0.7)", "-c:a", "aac"]
      try scratch.make("held.mp4", ["-i", path("frames.mp4")] + (row.hasAudio ? audio : []) + copied("\(row.hold)/TB"))
      if row.maker == .compositor {
        let result = try scratch.render(["held.mp4", "--passthrough", "auto", "-o", name])
        try #require(result.status == 0, "\(result.errors)")
      } else {
        try scratch.make(name, ["-i", path("held.mp4"), "-c", "copy"])
      }
    }
    let stated = try ToolRun.program("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path(name))
    // Otherwise this ffmpeg makes other files than those that are meant.
    try #require(abs((Double(stated.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) - row.length) < 0.05)
    return name
  }

  @Test(arguments: rows) func lastFrame_isShownUntilTheStatedEnd(_ row: Row) throws {
    let scratch = try Scratch()
    let name = try Self.make(row, in: scratch)
    let validated = try ToolRun.compositor(["validate", name], in: scratch.folder)
    #expect(validated.status == 0 && !validated.output.contains("cut short"), "\(validated.output)")
    let rendered = try scratch.render([name, "-o", "out.mkv", "--fps", "30"])
    try #require(rendered.status == 0, "\(rendered.errors)")
    let video = try ToolRun.streams(scratch.folder.appending(path: "out.mkv")).first { $0["codec_type"] == "video" }
    let count = try #require(video?["nb_read_frames"].flatMap { Int($0) })
    #expect(abs(Double(count) - 30 * row.length) < 2, "\(count) frames of \(30 * row.length)")
  }

  /// A cut leaves a part of each element; damage within the last cluster leaves all sizes right.
  @Test(arguments: [Frames.regular, .uneven], [false, true]) func cutOrDamagedFiles_areRefused(
    _ frames: Frames, _ hasAudio: Bool
  ) throws {
    let scratch = try Scratch()
    let name = try Self.make(Row(frames: frames, hold: 2, maker: .ffmpeg, hasAudio: hasAudio), in: scratch)
    let bytes = try Data(contentsOf: scratch.folder.appending(path: name))
    var damaged = bytes
    for index in bytes.count * 6 / 10..<bytes.count * 9 / 10 {
      damaged[index] = UInt8(truncatingIfNeeded: index &* 0x9e37_79b1 >> 13)
    }
    let files = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95].map { bytes.prefix(bytes.count * $0 / 100) } + [damaged]
    for (index, data) in files.enumerated() {
      try data.write(to: scratch.folder.appending(path: "part.mkv"))
      let validated = try ToolRun.compositor(["validate", "part.mkv"], in: scratch.folder)
      #expect(validated.status == 66, "\(index): \(validated.output)\(validated.errors)")
    }
  }
}
