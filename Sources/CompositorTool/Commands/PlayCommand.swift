import ArgumentParser
import Compositor
import Foundation

/// `compositor play`.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a project in a window of ffplay, mpv or VLC.",
    discussion: """
      Frames are rendered as the player reads them, at most 1280x720, so that most projects play in real time. The first player that is \
      installed is used. Closing its window or pressing Ctrl-C ends both. On a machine without a screen, use `compositor preview`.

      EXAMPLES
        compositor play holiday.json5
        compositor play holiday.json5 --from 30s --rate 2
        compositor play clip.mp4 --size 1920x1080 --player mpv
      """)

  @OptionGroup var project: ProjectArgument

  @Option(help: "The time to start at: 48f, 2.5s, 1:02.5, 00:00:02:12.")
  var from = "0"

  @Option(help: "The playback speed, 0.25 to 4.")
  var rate = 1.0

  @Option(help: "The largest frame size. Larger frames are scaled down.")
  var size = PixelSize(width: 1280, height: 720)

  @Flag(name: .customLong("no-audio"), help: "Play the video only.")
  var isSilent = false

  @Option(help: "The player: ffplay, mpv or vlc. By default the first of mpv, ffplay and vlc that is installed.")
  var player: MoviePlayer?

  func validate() throws {
    guard (0.25...4).contains(rate) else {
      throw ValidationError("--rate takes 0.25 to 4. compositor preview plays at any rate, backward too.")
    }
    _ = try usage("--from") { () throws(CompositorError) in try ProjectTime(from) }
  }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      var overrides = command.project.overrides
      if command.isSilent { overrides.mediaTypes = [.video] }
      let loaded = try command.project.load(overrides)
      let start = try usage("--from") { () throws(CompositorError) in
        try ProjectTime(command.from).time(atFrameRate: loaded.frameRate)
      }
      let end = loaded.composition.edit.composition.duration
      try loaded.check(start, of: "--from", written: command.from)
      let (player, program) = try MoviePlayer.installed(command.player)
      var settings = ExportSettings(
        video: VideoEncodingSettings(codec: .raw), timeRange: TimeRange(start: start, end: end))
      if command.isSilent { settings.audio = nil }
      let run = PlayerProcess(program, player.arguments(rate: command.rate, title: command.project.name))
      try await run.play(try loaded.composition.limited(to: command.size), settings)
    }
  }
}

/// A program that plays a movie from its standard input.
enum MoviePlayer: String, CaseIterable, ExpressibleByArgument {
  case mpv, ffplay, vlc

  /// The arguments to play the standard input once.
  func arguments(rate: Double, title: String) -> [String] {
    switch self {
    case .mpv: ["--really-quiet", "--title=\(title)", "--speed=\(rate)", "-"]
    case .vlc: ["--quiet", "--play-and-exit", "--no-video-title-show", "--rate", "\(rate)", "-"]
    case .ffplay:
      ["-loglevel", "error", "-autoexit", "-window_title", title]
        + (rate == 1 ? [] : ["-vf", "setpts=PTS/\(rate)", "-af", Self.tempo(rate)]) + ["-f", "nut", "-i", "-"]
    }
  }

  /// Filters that change the speed of audio. Each can at most halve it.
  private static func tempo(_ rate: Double) -> String { rate < 0.5 ? "atempo=0.5,atempo=\(rate * 2)" : "atempo=\(rate)" }

  /// Finds a player and its path.
  ///
  /// - Throws: Exit status 69 if there is no screen or no player, after printing a message.
  static func installed(_ wanted: MoviePlayer?) throws -> (MoviePlayer, URL) {
    let environment = ProcessInfo.processInfo.environment
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
      throw unavailable(
        "There is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set).", "Use compositor preview, which plays in a browser.")
    }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: String($0)) }
    for player in wanted.map({ [$0] }) ?? allCases {
      let paths = folders.map { $0.appending(path: player.rawValue) }
      if let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) { return (player, path) }
    }
    let names = wanted.map(\.rawValue) ?? allCases.map(\.rawValue).joined(separator: ", ")
    throw unavailable(
      "No player is installed: \(names).",
      "Install one (apt install ffmpeg), or use compositor preview, which plays in a browser.")
  }

  static func unavailable(_ what: String, _ advice: String) -> ExitCode {
    Terminal.complain("error: \(what) \(advice)")
    return ExitCode(ProcessStatus.unavailable.rawValue)
  }
}
