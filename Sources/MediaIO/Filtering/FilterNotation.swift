/// Parses libavfilter's notation as far as needed to find the filters of a graph and their arguments.
///
/// Quoting and escaping follow libavutil's `av_get_token`, so that nothing escapes ``FilterAccess``.
package enum FilterNotation {
  /// One filter of a graph.
  package struct Filter: Hashable, Sendable {
    /// The filter's name, without the instance's name (`name@instance`).
    package var name: String
    /// The arguments in order: a value, and a key, which is `nil` for a positional argument.
    package var arguments: [(key: String?, value: String)] { FilterNotation.arguments(text) }
    /// Everything after the `=`, unquoted once.
    package var text: String
  }

  /// The filters of a graph, in order. A malformed graph is parsed as far as possible: building it fails later.
  package static func filters(in text: String) -> [Filter] {
    var rest = text.unicodeScalars[...]
    var filters: [Filter] = []
    while let next = rest.first {
      if isSpace(next) || next == "," || next == ";" {
        rest.removeFirst()
      } else if next == "[" {
        rest.removeFirst()
        _ = token(&rest, until: "]")
        if rest.first == "]" { rest.removeFirst() }
      } else {
        filters.append(filter(&rest))
      }
    }
    return filters
  }

  private static func filter(_ rest: inout Substring.UnicodeScalarView) -> Filter {
    var name = token(&rest, until: "=,;[")
    var text = ""
    if rest.first == "=" {
      rest.removeFirst()
      text = token(&rest, until: "[],;")
    }
    // A bracket that closes nothing: libavfilter refuses it.
    if rest.first == "]" { rest.removeFirst() }
    if let at = name.firstIndex(of: "@") { name = String(name[..<at]) }
    return Filter(name: name, text: text)
  }

  /// Arguments as `key=value:key=value` or by position, in libavutil's notation for options.
  private static func arguments(_ text: String) -> [(key: String?, value: String)] {
    var rest = text.unicodeScalars[...]
    var arguments: [(key: String?, value: String)] = []
    while !rest.isEmpty {
      let key = key(&rest)
      arguments.append((key, token(&rest, until: ":")))
      if rest.first == ":" { rest.removeFirst() }
    }
    return arguments
  }

  /// The key and its `=` at the beginning of the rest; `nil` if there is no key.
  private static func key(_ rest: inout Substring.UnicodeScalarView) -> String? {
    let start = rest.drop(while: isSpace)
    let name = start.prefix { $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_/".unicodeScalars.contains($0) }
    let after = start[name.endIndex...].drop(while: isSpace)
    guard !name.isEmpty, after.first == "=" else { return nil }
    rest = after.dropFirst()
    return String(name)
  }

  /// The characters up to one of `ends`, unquoted; unquoted spaces around them are dropped.
  private static func token(_ rest: inout Substring.UnicodeScalarView, until ends: String) -> String {
    var result = String.UnicodeScalarView()
    var kept = 0
    rest = rest.drop(while: isSpace)
    while let next = rest.first, !ends.unicodeScalars.contains(next) {
      rest.removeFirst()
      if next == "\\", let escaped = rest.first {
        rest.removeFirst()
        result.append(escaped)
        kept = result.count
      } else if next == "'" {
        while let quoted = rest.first, quoted != "'" {
          result.append(quoted)
          rest.removeFirst()
        }
        if !rest.isEmpty { rest.removeFirst() }
        kept = result.count
      } else {
        result.append(next)
      }
    }
    while result.count > kept, let last = result.last, isSpace(last) { result.removeLast() }
    return String(result)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { " \n\t\r".unicodeScalars.contains(scalar) }
}
