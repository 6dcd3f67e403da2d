package import CompositorAPI

extension PluginLibrary {
  /// The plugin named by a file or the ID of a compositor or audio processor.
  ///
  /// - Throws: Errors of opening it; `.compositorNotFound` if no plugin of the search path provides the ID.
  package static func plugin(
    named name: String, _ options: PluginOptions
  ) throws(CompositorError) -> any CompositorPlugin {
    var library = PluginLibrary(options)
    if name.contains("/") || name.hasSuffix(".so") {
      try library.open(name)
    } else {
      library.find([CompositorID(rawValue: name)])
    }
    let found = library.plugins.first { plugin in
      plugin.specification.name == name || plugin.factories.contains { $0.descriptor.id.rawValue == name }
        || plugin.processors.contains { $0.descriptor.id.rawValue == name }
    }
    if let found { return found }
    throw CompositorError(
      .compositorNotFound, "No plugin in the search path provides “\(name)”.",
      advice: "Give the path of a file with a slash or .so, or see \(operation: .listPlugins).")
  }
}

extension PluginLibrary {
  /// The specification of the plugin named by a file or a compositor's ID.
  ///
  /// - Throws: As ``plugin(named:_:)`` for an ID; nothing for a file, which isn't opened.
  package static func specification(
    named name: String, _ options: PluginOptions
  ) throws(CompositorError) -> PluginSpecification {
    if name.contains("/") || name.hasSuffix(".so") { return .binary(path: name) }
    return try plugin(named: name, options).specification
  }
}

/// The plugins of a library as a table.
package struct PluginListing: Encodable {
  package struct Row: Encodable {
    package let id: String
    package let name: String
    package let version: String
    package let role: String
    package let summary: String
    package let plugin: String
  }
  package struct Failure: Encodable {
    package let plugin: String
    package let error: String
  }
  package let compositors: [Row]
  /// Their role is `audio`. Only those of trusted plugins can be used.
  package let audioProcessors: [Row]
  package let failures: [Failure]
  package let searchPath: [String]

  /// - Parameter spelling: How errors name settings.
  package init(_ library: PluginLibrary, spelling: SettingSpelling) {
    compositors = library.plugins.flatMap { plugin in
      plugin.factories.map(\.descriptor).map { descriptor in
        Row(
          id: descriptor.id.rawValue, name: descriptor.name, version: descriptor.version, role: descriptor.role.rawValue,
          summary: descriptor.summary, plugin: plugin.specification.name)
      }
    }
    audioProcessors = library.plugins.flatMap { plugin in
      plugin.processors.map(\.descriptor).map { descriptor in
        Row(
          id: descriptor.id.rawValue, name: descriptor.name, version: descriptor.version, role: "audio",
          summary: descriptor.summary, plugin: plugin.specification.name)
      }
    }
    failures = library.failures.map { Failure(plugin: $0.plugin, error: $0.error.spelled(spelling).description) }
    searchPath = library.options.searchPath.folders
  }

  package var text: String {
    let rows = compositors + audioProcessors
    let width = rows.map(\.id.count).max() ?? 0
    var lines = rows.map { row in
      row.id + String(repeating: " ", count: width - row.id.count)
        + "  \(row.role)  \(row.name) \(row.version): \(row.summary) [\(row.plugin)]"
    }
    // Most errors begin with the file.
    lines += failures.map { failure in
      let place = "\(failure.plugin): "
      let error = failure.error.hasPrefix(place) ? String(failure.error.dropFirst(place.count)) : failure.error
      return "\(place)cannot be used: \(error)"
    }
    if rows.isEmpty { lines.append("No plugins in \(searchPath.joined(separator: ", ")).") }
    return TextCleaning.lines(lines)
  }
}

/// A description of a plugin, or of one of its compositors or audio processors.
package struct PluginInspection: Encodable {
  package let plugin: String
  package let notes: [String]
  package let compositors: [CompositorDescriptor]
  /// Only those of trusted plugins can be used.
  package let audioProcessors: [AudioProcessorDescriptor]
  /// The SHA-256 of the plugin's file, by which it can be trusted; `nil` for a collection.
  package let sha256: String?
  /// The restrictions in effect; `nil` for a plugin that runs in this process.
  package let sandbox: SandboxPolicy?
  /// The system calls that it may make; empty if they are not restricted.
  package let allowedCalls: [CallRule]
  /// All other system calls, and denied uses of allowed ones.
  package let deniedCalls: [CallRule]

  /// - Parameter name: The name requested. If it is the ID of one of the plugin's compositors or audio processors, only that one is
  ///   described.
  package init(_ plugin: any CompositorPlugin, asked name: String = "") {
    self.plugin = plugin.specification.name
    notes = plugin.notes
    let all = plugin.factories.map(\.descriptor)
    let heard = plugin.processors.map(\.descriptor)
    let named = all.filter { $0.id.rawValue == name }
    let namedHeard = heard.filter { $0.id.rawValue == name }
    let isNamed = !named.isEmpty || !namedHeard.isEmpty
    (compositors, audioProcessors) = isNamed ? (named, namedHeard) : (all, heard)
    sha256 = plugin.digest
    sandbox = (plugin as? IsolatedPlugin)?.sandbox
    (allowedCalls, deniedCalls) = sandbox?.systemCalls == true ? (CallRule.allowed, CallRule.denied) : ([], [])
  }

  /// Of a line of ``text``, in Unicode scalars.
  private static let longestLine = 10_000

  /// The description for people. Lists may be cut short.
  package var text: String {
    var lines = ["\(plugin): \(notes.joined(separator: ", "))"]
    if let sha256 { lines.append("sha256:\(sha256)") }
    lines.append("runs \(sandbox.map { "in a process of its own with \($0.text)" } ?? "in this process: trusted")")
    if !allowedCalls.isEmpty {
      let groups = allowedCalls.reduce(into: [(reason: String, names: [String])]()) { groups, call in
        let index = groups.firstIndex { $0.reason == call.reason } ?? groups.endIndex
        if index == groups.endIndex { groups.append((call.reason, [])) }
        groups[index].names.append(call.name)
      }
      lines.append("allowed system calls:")
      lines += groups.map { "  \($0.names.joined(separator: ", ")): \($0.reason)" }
      let uses = deniedCalls.filter { !$0.when.isEmpty }.map(\.text).joined(separator: ", ")
      lines.append("denied system calls: all others; and \(uses)")
    }
    for descriptor in compositors {
      lines.append("")
      lines.append("\(descriptor.id)  \(descriptor.name) \(descriptor.version): \(descriptor.summary)")
      lines.append(
        "  \(descriptor.role.rawValue), \(descriptor.concurrency.rawValue), color: \(descriptor.colorHandling.rawValue)")
      let placed = descriptor.placesSources ? ", placed on the canvas" : ""
      let mask = descriptor.takesMask ? ", and its mask" : ""
      lines.append("  takes \(descriptor.sourceFormats.text)\(placed)\(mask); makes \(descriptor.outputFormats.text)")
      lines += descriptor.parameters.flatMap(\.lines)
      lines += descriptor.presets.map(\.text)
    }
    for descriptor in audioProcessors {
      lines.append("")
      lines.append("\(descriptor.id)  \(descriptor.name) \(descriptor.version): \(descriptor.summary)")
      lines.append("  audio processor\(sandbox == nil ? "" : ", which only a trusted plugin may run")")
      lines += descriptor.parameters.flatMap(\.lines)
    }
    return TextCleaning.lines(lines.map { TextCleaning.abbreviated($0, to: Self.longestLine) })
  }
}

extension CompositorDescriptor.SourceFormats {
  fileprivate var text: String {
    switch self {
    case .any: "any format"
    case .output: "the output's format"
    case .oneOf(let formats): formats.map(\.name).joined(separator: ", ")
    }
  }
}

extension [PixelFormat] {
  fileprivate var text: String { isEmpty ? "any format" : map(\.name).joined(separator: ", ") }
}

extension ParameterDescription {
  /// The description for people.
  fileprivate var lines: [String] {
    let value = defaultValue.map { ", by default \($0.text)" } ?? ", required"
    let names = ([key] + aliases).joined(separator: ", ")
    let unit = isRelative ? " in fractions of the canvas" : ""
    let change = canChange ? ", may change over time" : ""
    let line = "  \(names): \(kind.text)\(unit)\(value)\(change)\(presentation)"
    return summary.isEmpty ? [line] : [line, "      \(summary)"]
  }

  /// How user interfaces show it, for people; empty if nothing is said.
  fileprivate var presentation: String {
    let hint =
      switch hint {
      case .none: ""
      case .logarithmic: ", on a logarithmic scale"
      case .angle: ", as an angle"
      case .percent: ", as a percentage"
      }
    let shown = label.isEmpty ? "" : "shown as “\(label)”"
    let heading = group.isEmpty ? "" : "under “\(group)”"
    let place = [shown, heading].filter { !$0.isEmpty }.joined(separator: " ")
    return hint + (place.isEmpty ? "" : ", \(place)")
  }
}

extension ParameterPreset {
  fileprivate var text: String {
    let values = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }.joined(separator: ", ")
    return "  preset “\(name)”: \(values)\(summary.isEmpty ? "" : "; \(summary)")"
  }
}

extension ParameterDescription.Kind {
  fileprivate var text: String {
    switch self {
    case .bool: "true or false"
    case .integer(let minimum, let maximum): "an integer \(minimum) … \(maximum)"
    case .number(let minimum, let maximum, let unit): "a number \(minimum) … \(maximum)\(unit.isEmpty ? "" : " \(unit)")"
    case .string: "a text"
    case .expression: "a number or an expression"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .easing: "an easing: \(Easing.examples)"
    case .color: "a color"
    case .point: "a point"
    case .textFile: "a file of text"
    case .file(let limit): "a file of at most \(limit) bytes"
    }
  }
}
