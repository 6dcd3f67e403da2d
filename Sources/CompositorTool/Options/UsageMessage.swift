import ArgumentParser
import Compositor

/// How values of `--quality` are written.
enum QualityForm {
  static let ofImages = "Write an integer from 1 to 100, such as 90; larger is better."
  static let ofMovies = """
    Write a number, such as 20. Smaller is better: 0 to 51 for h264 and hevc, 0 to 63 for av1 and vp9, 1 to 31 for prores. Larger is \
    better for webp (0 to 100) and for .jpg and .webp images (1 to 100).
    """
}

/// What is wrong with the arguments, on one line that ends with the help to read.
struct UsageMessage {
  let text: String

  /// - Parameters:
  ///   - message: The parser's message, or that of a `ValidationError`.
  ///   - arguments: The arguments of the tool.
  init(_ message: String, arguments: [String]) {
    let command = UsageMessage.command(in: arguments)
    var text = OptionAdvice.withAdvice(UsageMessage.withNearWords(message), command: command).replacing("\n", with: " ")
    if command == "compositor", arguments.contains("-i"), message.hasPrefix("Unknown option") {
      // A command line of ffmpeg.
      text =
        "\(message.prefix { $0 != "." }): no command is named before it. Write one, "
        + "such as `compositor join a.mp4 b.mp4 -o movie.mp4`"
    } else if let form = UsageMessage.forms.first(where: { text.hasSuffix(" is invalid for '\($0.option)'") })?.form {
      text += ". \(form)"
    } else if text.hasSuffix(" is invalid for '--quality <quality>'") {
      let writesImages = command.hasSuffix(" frame") || command.hasSuffix(" thumbnails")
      text += ". \(writesImages ? QualityForm.ofImages : QualityForm.ofMovies)"
    }
    if let last = text.last, !".?!".contains(last) { text += "." }
    self.text = "\(text) See \(command) --help."
  }

  /// How values are written of which the parser knows no list.
  private static let forms = [
    (option: "--size <WxH>", form: "Write it as 1920x1080."),
    (option: "--fps <rate>", form: "Write it as 25, 29.97 or 30000/1001."),
    (option: "--bit-rate <rate>", form: "Write it as 8M, 800k or 8000000."),
  ]

  /// The message with what was probably meant in place of a list of all words.
  private static func withNearWords(_ message: String) -> String {
    let start = "The value '"
    guard message.hasPrefix(start), let list = message.firstRange(of: "Please provide one of the following:\n") else {
      return message
    }
    let value = String(message.dropFirst(start.count).prefix { $0 != "'" })
    let words = message[list.upperBound...].split(separator: "\n").map { line in
      String(line.drop { $0 == " " || $0 == "-" })
    }
    let longer = words.filter { $0.hasPrefix(value + "-") }
    let advice =
      if let known = FalseFriend.value(value, among: words) {
        "Did you mean \(quoted(known))?"
      } else {
        longer.isEmpty ? recoverySuggestion(for: value, among: words) : "Possible: \(longer.joined(separator: ", "))."
      }
    return "\(message[..<list.lowerBound])\(advice)"
  }

  /// The command that the arguments name.
  static func command(in arguments: [String]) -> String { named(by: arguments).name }

  /// The help of the command that the arguments name.
  static func help(for arguments: [String]) -> String { CompositorCommand.helpMessage(for: named(by: arguments).type) }

  private static func named(by arguments: [String]) -> (name: String, type: any ParsableCommand.Type) {
    var names = ["compositor"]
    var command: any ParsableCommand.Type = CompositorCommand.self
    for argument in arguments {
      guard let found = command.configuration.subcommands.first(where: { $0._commandName == argument }) else { break }
      names.append(argument)
      command = found
    }
    return (names.joined(separator: " "), command)
  }
}
