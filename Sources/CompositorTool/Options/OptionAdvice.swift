import ArgumentParser
import Compositor
import Foundation

/// What to use instead of options that other programs or commands have.
enum OptionAdvice {
  /// Options of other programs, most of them of FFmpeg, with the corresponding ones here.
  private static let synonyms: [(written: Set<String>, advice: String)] = [
    (
      ["--crf", "-crf", "--cq", "-cq", "-q", "-q:v", "-qscale", "-qscale:v", "--qp", "-qp"],
      "Use --quality, such as --quality 20."
    ),
    (["-y", "--force"], "Use --overwrite to replace an existing file."),
    (["-n", "--no-overwrite", "--no-clobber"], "Existing files are kept unless --overwrite is given, so leave it out."),
    (["-f", "--format"], "The extension of --output sets the format; --overwrite replaces an existing file."),
    (["-i", "--input"], "Name the files without it."),
    (
      ["--overlay", "--watermark", "--logo", "--pip", "--picture-in-picture"],
      "Put it on a second track of a project: recipe 15 of docs/recipes.md."
    ),
    (["--fade", "--crossfade", "--dissolve", "--xfade"], "Use join with --transition dissolve:1s, or a project."),
    (["-c", "-codec", "--copy", "--stream-copy"], "Use --codec, --audio-codec, or --passthrough auto to copy."),
    (["--vcodec", "-vcodec", "-c:v", "-codec:v", "--video-codec"], "Use --codec."),
    (["--acodec", "-acodec", "-c:a", "-codec:a"], "Use --audio-codec."),
    (["-b", "-b:v", "--bitrate", "--video-bit-rate", "--video-bitrate"], "Use --bit-rate, such as --bit-rate 8M."),
    (["-b:a", "-ab", "--audio-bitrate"], "Use --audio-bit-rate, such as --audio-bit-rate 160k."),
    (["-r", "-fps", "--framerate", "--frame-rate", "--rate"], "Use --fps, such as --fps 25."),
    (
      ["-s", "-s:v", "--resolution", "--scale", "--width", "--height", "--dimensions"], "Use --size, such as --size 1280x720."
    ),
    (
      ["-ss", "-to", "-t", "--start", "--from", "--to", "--duration", "--trim"],
      "Use render with --range, such as --range 2s..5s."
    ),
    (["--range"], "Clips are joined whole: cut them in a project with in and duration, or use render with --range."),
    (["-an", "--mute", "--silent"], "Use --no-audio."), (["-vn", "--audio-only"], "Use --no-video, or write an audio file."),
    (
      ["-vf", "-af", "-filter_complex", "--filter", "--vf", "-filter:v", "-filter:a", "-lavfi"],
      "Use the effects of a project: docs/effects.md."
    ),
    (["-preset", "--speed-preset"], "Use --encoder-speed, such as --encoder-speed slow."),
    (["-h264", "--h264", "--x264"], "Use --codec h264."), (["-hevc", "--hevc", "--h265", "--x265"], "Use --codec hevc."),
    (["-g", "--gop", "--keyint"], "Use --key-interval, such as --key-interval 2s."),
    (["-pix_fmt", "--pix-fmt", "--pixel-format", "--bit-depth"], "Use --depth, such as --depth 10."),
    (["-ac", "--audio-channels"], "Use --channels, such as --channels 2."),
    (["-ar", "--audio-rate"], "Use --sample-rate, such as --sample-rate 48000."),
    (["-shortest", "--shortest"], "Use --ends shortest."),
    (["-vframes", "-frames:v", "--frames", "--still"], "Use compositor frame with --at for an image."),
    (["-loop", "--loop", "-stream_loop"], "Use --play-count for a GIF or WebP, or loop of a clip in a project."),
    (["--subtitles", "--subs", "--srt"], "Use --captions, such as --captions movie.srt."),
    (["-q:a"], "Use --audio-bit-rate, such as --audio-bit-rate 160k."), (["-pass"], "Use --two-pass."),
    (
      ["-v", "-loglevel", "-hide_banner", "-nostats", "--quiet"],
      "Use --progress none for less output, or compositor --version."
    ),
    (["-hwaccel", "--hwaccel"], "Use --encoder vaapi or --encoder nvenc to encode on a graphics processor."),
    (["-movflags", "--movflags"], "Use --fast-start to write the index first."),
  ]

  /// Options of `join` for which a project has keys.
  private static let ofJoin = [
    "--title": "titles", "--music": "another track", "--music-volume": "volume", "--duck": "duck", "--transition": "transition",
    "--audio-crossfade": "transition: { audio: … }",
  ]

  /// Advice on an option; `nil` if nothing is known about it.
  static func advice(on option: String, command: String) -> String? {
    if let key = ofJoin[option], !command.hasSuffix(" join") {
      return "\(option) is an option of join; in a project, use \(key) (docs/project-file.md)."
    }
    return synonyms.first { $0.written.contains(option) }?.advice
  }

  /// The parser's message with what to do next, where the parser doesn't know that.
  static func withAdvice(_ message: String, command: String) -> String {
    if let unknown = message.prefixMatch(of: /Unknown option '([^']+)'/) {
      let start = "Unknown option '\(unknown.1)'."
      if let advice = advice(on: String(unknown.1), command: command) { return "\(start) \(advice)" }
      // The parser's own suggestions may share hardly a letter.
      guard let near = message.firstMatch(of: /Did you mean '([^']+)'/)?.1 else { return start }
      let name = unknown.1.drop { $0 == "-" }
      let isNear = suggestion(for: String(name), among: [String(near.drop { $0 == "-" })]) != nil
      return isNear ? "\(start) Did you mean '\(near)'?" : start
    }
    if message.hasPrefix("Missing expected argument '--output") || message.hasPrefix("Missing expected argument '-o") {
      let example = ["compositor frame": "still.png", "compositor render": "movie.mp4", "compositor join": "movie.mp4"][command]
      return example.map { "\(ended(message)) Add one, such as -o \($0)." } ?? message
    }
    if message.hasPrefix("Missing expected argument '--at") { return "\(ended(message)) Add one, such as --at 2s." }
    if message.contains("nexpected argument") {
      if command.hasSuffix(" concat") {
        return "\(ended(message)) concat joins the parts of a plan; for clips use compositor join."
      }
      if command.hasSuffix(" render") {
        return "\(ended(message)) render takes one project or media file; for several clips use compositor join."
      }
    }
    return message
  }

  private static func ended(_ message: String) -> String {
    message.last.map { ".?!".contains($0) } == true ? message : message + "."
  }
}

extension UsageMessage {
  /// Rejects file names that begin with a dash, before the parser reads each of their letters as an option: in `-dash.mp4`, `h` would
  /// be that for help.
  static func checkDashes(_ arguments: [String]) throws {
    let command = command(in: arguments)
    var last = ""
    for argument in arguments {
      if argument == "--" { return }
      defer { last = argument }
      let letters = argument.dropFirst()
      guard argument.hasPrefix("-"), letters.count > 1, let first = letters.first, first.isLetter, !last.hasPrefix("--") else {
        continue
      }
      if let advice = OptionAdvice.advice(on: argument, command: command) {
        throw ValidationError("Unknown option '\(argument)'. \(advice)")
      }
      guard !argument.hasPrefix("-o=") else { continue }
      if argument.contains(".") || FileManager.default.fileExists(atPath: argument) {
        throw ValidationError("\(argument) begins with a dash, as options do. If it is a file, write ./\(argument).")
      }
      let name = argument.prefix { $0 != "=" }
      let words = help(for: arguments).split { !($0.isLetter || $0.isNumber || $0 == "-") }
      guard !words.contains("-" + name) else {
        throw ValidationError("Options with a name have two dashes: write -\(name), not \(name).")
      }
      throw ValidationError("Unknown option '\(name)'.")
    }
  }

  /// The path without a slash at its end, if it names an existing folder.
  static func folder(named path: String) -> String? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return nil }
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Whether a path names a project file that exists.
  static func isProject(_ path: String) -> Bool {
    ProjectFile.isProject(path) && FileManager.default.fileExists(atPath: path)
  }
}
