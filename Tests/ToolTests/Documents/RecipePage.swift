import Foundation
import Testing

/// A recipe of docs/recipes.md: its projects, tables and commands, as they stand on the page.
struct Recipe {
  /// Blocks of code: what they are marked as, and their lines.
  let blocks: [(kind: String, lines: [String])]
  let title: String

  /// All of the page, in its order.
  static func page() throws -> [Recipe] {
    let text = try String(contentsOf: ToolRun.root.appending(path: "docs/recipes.md"), encoding: .utf8)
    return text.components(separatedBy: "\n## ").dropFirst().map(Recipe.init)
  }

  private init(_ section: String) {
    title = section.components(separatedBy: "\n")[0]
    var blocks: [(kind: String, lines: [String])] = []
    var open = false
    for line in section.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        if !open { blocks.append((String(line.dropFirst(3)), [])) }
        open.toggle()
      } else if open {
        blocks[blocks.count - 1].lines.append(line)
      }
    }
    self.blocks = blocks
  }

  /// The projects with the file name that their first line says.
  var projects: [(name: String, lines: [String])] {
    blocks.filter { $0.kind == "json5" }.map { block in
      (String(block.lines[0].dropFirst("// ".count)), block.lines)
    }
  }

  var commands: [String] { blocks.filter { $0.kind == "sh" }.flatMap(\.lines) }

  /// Writes the projects, makes the media that the recipe names, and runs its commands as a shell does.
  func run(in scratch: Scratch) throws {
    for project in projects { _ = try scratch.file(project.name, project.lines.joined(separator: "\n")) }
    let everything = blocks.flatMap(\.lines).joined(separator: "\n")
    for (name, make) in RecipeMedia.all where everything.contains(name) { try make(scratch, name) }
    for command in commands { try run(command, in: scratch) }
  }

  private func run(_ command: String, in scratch: Scratch) throws {
    let path = ToolRun.tool.deletingLastPathComponent().path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let result = try ToolRun.run(
      URL(filePath: "/bin/sh"), ["-c", command], in: scratch.folder, environment: ["PATH": path])
    try #require(result.status == 0, "\(title): \(command)\n\(result.errors)")
  }
}

/// The media that recipes name, small and made by ffmpeg.
enum RecipeMedia {
  typealias Maker = @Sendable (Scratch, String) throws -> Void

  static let all: [(name: String, make: Maker)] = [
    ("beach.mp4", movie("testsrc2=s=320x180:r=25:d=3", audio: "sine=f=440:d=3,volume=8")),
    ("interview.mp4", movie("testsrc2=s=320x180:r=25:d=3", audio: "sine=f=880:d=3,volume=2")),
    ("sunset.mp4", movie("testsrc2=s=320x180:r=25:d=6", audio: "anullsrc=r=48000:cl=mono:d=6")),
    ("holiday.mp4", movie("testsrc2=s=320x180:r=25:d=5", audio: "sine=f=440:d=5")),
    ("walk.mp4", movie("testsrc2=s=320x180:r=25:d=0.4", audio: "sine=f=440:d=0.4")),
    ("slides.mp4", movie("color=c=0x4040c0:s=640x360:r=25:d=1", audio: "sine=f=440:d=1")),
    ("speaker.mp4", movie("color=c=0xc04040:s=640x360:r=25:d=1", audio: "sine=f=880:d=1")),
    (
      "greenscreen.mp4",
      movie("color=c=0x00b140:s=640x360:r=25:d=1,drawbox=x=220:y=80:w=200:h=280:color=0xc08060:t=fill", audio: nil)
    ),
    // Its brightness counts the frames: 2 codes each.
    ("jump.mp4", movie("color=c=black:s=64x36:r=25:d=3,geq=lum='40+2*N':cb=128:cr=128", audio: nil)),
    ("before.mp4", movie("color=c=0x8080ff:s=640x360:r=25:d=1", audio: "sine=f=440:d=1")),
    ("after.mp4", movie("color=c=0xff8080:s=640x360:r=25:d=1", audio: "sine=f=880:d=1")),
    ("song.mp3", sound("sine=f=220:d=4,volume=4")), ("voice.wav", sound("sine=f=330:d=3,volume=4")),
    ("photo1.jpg", picture("testsrc2=s=1280x960:d=1")), ("photo2.jpg", picture("smptebars=s=1280x960:d=1")),
    ("photo3.jpg", picture("testsrc=s=960x1280:d=1")), ("map.jpg", picture("color=c=0x2060c0:s=640x360:d=1")),
    ("logo.png", picture("color=c=white:s=100x50:d=1")),
    ("interview.srt", text("1\n00:00:01,000 --> 00:00:02,000\nHello there\n")), ("sunset.cube", text(orange)),
    ("people.csv", { scratch, name in _ = try scratch.file(name, people) }),
  ]

  /// A look that leaves red alone and takes all blue away.
  private static let orange: String = {
    var lines = ["LUT_3D_SIZE 2"]
    for index in 0..<8 { lines.append("\(index & 1) \(index >> 1 & 1) 0") }
    return lines.joined(separator: "\n") + "\n"
  }()

  /// Fifty rows that begin with those of the page.
  private static let people: String = {
    let page = (try? Recipe.page())?.flatMap(\.blocks).first { $0.kind == "csv" }?.lines ?? []
    let more = (0..<max(0, 51 - page.count)).map { "Person \($0),Number \($0),,0.2" }
    return (page + more).joined(separator: "\n") + "\n"
  }()

  private static func movie(_ video: String, audio: String?) -> Maker {
    { scratch, name in
      let sound = audio.map { ["-f", "lavfi", "-i", $0, "-c:a", "aac", "-ar", "48000", "-ac", "2"] } ?? []
      try ffmpeg(
        ["-f", "lavfi", "-i", video] + sound + [
          "-c:v", "libx264", "-preset", "ultrafast", "-qp", "4", "-pix_fmt", "yuv420p", "-colorspace", "bt709",
          "-color_primaries",
          "bt709", "-color_trc", "bt709", "-vf", "scale=out_color_matrix=bt709",
        ], scratch, name)
    }
  }

  private static func sound(_ audio: String) -> Maker {
    { scratch, name in try ffmpeg(["-f", "lavfi", "-i", audio, "-ar", "48000"], scratch, name) }
  }

  private static func picture(_ video: String) -> Maker {
    { scratch, name in try ffmpeg(["-f", "lavfi", "-i", video, "-frames:v", "1", "-q:v", "2"], scratch, name) }
  }

  private static func text(_ text: String) -> Maker { { scratch, name in _ = try scratch.file(name, text) } }

  private static func ffmpeg(_ arguments: [String], _ scratch: Scratch, _ name: String) throws {
    try scratch.make(name, arguments)
  }
}
