import ArgumentParser
import CompositorAPI
import CompositorProjectFormat

/// What is wrong with the arguments, on one line that ends with the help to read.
struct UsageMessage {
  let text: String

  /// - Parameters:
  ///   - message: The parser's message, or that of a `ValidationError`.
  ///   - arguments: The arguments of the tool.
  init(_ message: String, arguments: [String]) {
    let command = UsageMessage.command(in: arguments)
    var text = OptionAdvice.withAdvice(UsageMessage.withNearWords(message), command: command).replacing("\n", with: " ")
    if let form = UsageMessage.forms.first(where: { text.hasSuffix(" is invalid for '\($0.option)'") })?.form {
      text += ". \(form)"
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
  static func command(in arguments: [String]) -> String {
    var names = ["compositor"]
    var command: any ParsableCommand.Type = CompositorCommand.self
    for argument in arguments {
      guard let found = command.configuration.subcommands.first(where: { $0._commandName == argument }) else { break }
      names.append(argument)
      command = found
    }
    return names.joined(separator: " ")
  }
}
