/// libavfilter's notation, read as far as it takes to know which filters are named, and with what.
///
/// Quoting and escaping follow libavutil's `av_get_token`, so that nothing hides from ``FilterAccess``.
package enum FilterNotation {
  /// One filter of a graph.
  package struct Filter: Hashable, Sendable {
    /// The filter's name, without the instance's (`name@instance`).
    package var name: String
    /// Its arguments in order: a key, nil where only the position says which is meant, and a value.
    package var arguments: [(key: String?, value: String)] { FilterNotation.arguments(text) }
    /// Everything behind the `=`, unquoted once.
    package var text: String
  }

  /// The filters that a text names, in order. What is no graph at all gives what can be made of it: building it fails later.
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

  /// `key=value:key=value` or values by position, as libavutil's options are written.
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

  /// A name and the `=` behind it, where the text begins with that.
  private static func key(_ rest: inout Substring.UnicodeScalarView) -> String? {
    let start = rest.drop(while: isSpace)
    let name = start.prefix { $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_/".unicodeScalars.contains($0) }
    let after = start[name.endIndex...].drop(while: isSpace)
    guard !name.isEmpty, after.first == "=" else { return nil }
    rest = after.dropFirst()
    return String(name)
  }

  /// Text up to one of `ends`, unquoted; spaces around it are left out unless they were quoted.
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
