package import CompositorAPI
package import CompositorPlugins

/// How the plugins of an edit are found and run, beyond what a project says.
package struct PluginOverrides: Hashable, Sendable, Codable {
  /// Plugins to run without their own process: files, `sha256:` and the digest of a file, or `libavfilter`.
  package var trusted: [String] = []
  /// Whether plugins are refused if this system cannot isolate them completely.
  package var requiresIsolation = false
  /// The time limit of a call in seconds, 0.1 … 3600; `nil` for the project's, or 10.
  package var deadline: Double?
  /// The memory limit in MiB, 64 … 1048576; `nil` for the project's, or 2048.
  package var memory: UInt64?
  /// Plugins whose compositors take precedence over those of the project and of the search path.
  package var files: [String] = []

  /// Creates overrides that leave everything to the project.
  package init() {}

  /// Whether a text of ``trusted`` names a file.
  package static func isFile(_ text: String) -> Bool { text != "libavfilter" && !text.hasPrefix("sha256:") }

  /// The plugins of ``trusted``. A compositor's ID trusts nothing, since any file can claim it.
  ///
  /// - Throws: `.invalidValue`.
  package func trust() throws(CompositorError) -> Set<PluginTrust> {
    var trust: Set<PluginTrust> = []
    for text in trusted { trust.insert(try Self.trust(in: text)) }
    return trust
  }

  private static func trust(in text: String) throws(CompositorError) -> PluginTrust {
    if text == "libavfilter" { return .libavfilter }
    guard isFile(text) else {
      let digest = text.dropFirst(7).lowercased()
      guard digest.count == 64, digest.allSatisfy(\.isHexDigit) else {
        throw CompositorError(.invalidValue, "“\(text)” is not a SHA-256 of 64 hexadecimal digits.")
      }
      return .digest(digest)
    }
    do throws(CompositorError) {
      return try PluginTrust(file: text)
    } catch {
      throw CompositorError(
        .invalidValue, "There is no file “\(text)”.",
        advice: "Give a plugin's file or its SHA-256 (\(operation: .inspectPlugin) prints it), not its name.")
    }
  }

  /// The options of a plugin library.
  ///
  /// - Throws: `.invalidValue`; the error of isolation that is required and impossible here.
  package var options: PluginOptions {
    get throws(CompositorError) {
      let isolation = PluginIsolation(
        deadline: .milliseconds(Int64((deadline ?? 10) * 1000)), memoryLimit: (memory ?? 2048) << 20,
        isRequired: requiresIsolation)
      // Everybody takes the options here, before a plugin is opened.
      try isolation.decide()
      return PluginOptions(trusted: try trust(), isolation: isolation)
    }
  }
}

/// The plugins that a project or an edit names, opened.
package struct OpenedPlugins: Sendable {
  /// The built-in compositors and those of the plugins.
  package var registry = CompositorRegistry.builtIn
  /// The files of the plugins, with the compositors and audio processors that were wanted of each.
  package var files: [String: [String]] = [:]
  /// Warnings for people.
  package var notes: [String] = []

  /// Creates the result for compositors that come from elsewhere, by default the built-in ones.
  package init(registry: CompositorRegistry = .builtIn) { self.registry = registry }

  /// The files of the plugins that an edit uses, with the compositors and audio processors used from each.
  func files(usedBy edit: Edit) -> [String: [String]] {
    let used = Set(edit.pluginIDs.map(\.rawValue))
    return files.mapValues { $0.filter(used.contains) }.filter { !$0.value.isEmpty }
  }
}

extension Edit {
  /// The compositors and audio processors that it uses and that aren't built in.
  var pluginIDs: Set<CompositorID> {
    let builtIn = CompositorRegistry.builtIn
    let processors = audioMix.processorIDs.filter { builtIn.audioProcessor($0) == nil }
    return compositorIDs.filter { builtIn[$0] == nil }.union(processors.map { CompositorID(rawValue: $0.rawValue) })
  }
}

/// Opens the plugins that a project or an edit names.
package struct PluginOpening: Sendable {
  /// How plugins are found and run.
  package let overrides: PluginOverrides
  private let spelling: SettingSpelling

  /// - Parameter spelling: How warnings name settings.
  package init(_ overrides: PluginOverrides, spelling: SettingSpelling = .project) {
    (self.overrides, self.spelling) = (overrides, spelling)
  }

  /// The plugins for rendering an edit without a project.
  package func plugins(for edit: Edit) throws(CompositorError) -> OpenedPlugins {
    try plugins(providing: edit.pluginIDs, in: overrides.files.map { PluginFile($0) }) { error, _ in error }
  }

  /// The plugins that a project names. They are opened only if it names a compositor or an audio processor that isn't built in.
  package func plugins(of file: ProjectFile) throws(CompositorError) -> OpenedPlugins {
    let own = overrides.files
    return try plugins(providing: file.pluginIDs, in: own.map { PluginFile($0) } + file.pluginFiles) { error, index in
      guard index >= own.count else { return error }
      return file.locating(error.locating(ErrorLocation(path: "plugins[\(index - own.count)]")))
    }
  }

  /// - Parameter locate: Adds the location of a plugin, given its index.
  private func plugins(
    providing wanted: Set<CompositorID>, in wantedFiles: [PluginFile], locate: (CompositorError, Int) -> CompositorError
  ) throws(CompositorError) -> OpenedPlugins {
    let files = try merged(wantedFiles, locate)
    guard !wanted.isEmpty else { return OpenedPlugins() }
    var library = PluginLibrary(try overrides.options)
    for (file, index) in files {
      var file = file
      if overrides.memory != nil { file.memoryLimit = nil }
      if overrides.deadline != nil { file.deadline = nil }
      do throws(CompositorError) {
        try library.open(file)
      } catch {
        throw locate(error, index)
      }
    }
    library.find(wanted)
    // The search ends early then, without the plugins that were not opened.
    if Task.isCancelled { throw CompositorError(.cancelled, "The render was canceled.") }
    var opened = OpenedPlugins(registry: try library.registry)
    opened.files = library.files(providing: wanted)
    opened.notes = library.notes(wanting: wanted, opened.registry, spelling)
    return opened
  }
}

extension PluginOpening {
  /// Each file once, with the requirements of all of its entries: nothing of it may run before all of them hold.
  ///
  /// - Returns: The files, each with the index of the entry to which an error belongs: the first one, or the one that pins it.
  /// - Throws: `.invalidValue` if two entries contradict each other.
  private func merged(
    _ entries: [PluginFile], _ locate: (CompositorError, Int) -> CompositorError
  ) throws(CompositorError) -> [(file: PluginFile, index: Int)] {
    var files: [(file: PluginFile, index: Int)] = []
    for (index, entry) in entries.enumerated() {
      guard let known = files.firstIndex(where: { $0.file.isSameFile(as: entry) }) else {
        files.append((entry, index))
        continue
      }
      do throws(CompositorError) {
        let file = try files[known].file.merged(with: entry)
        let isPinnedHere = files[known].file.sha256 == nil && file.sha256 != nil
        files[known] = (file, isPinnedHere ? index : files[known].index)
      } catch {
        throw locate(error, index)
      }
    }
    return files
  }
}

extension PluginLibrary {
  /// A warning about limits of plugins that this system cannot enforce; `nil` if there are none.
  package static func warning(ofMissing parts: [String]) -> Wording? {
    guard !parts.isEmpty else { return nil }
    return "warning: this system cannot deny plugins: \(parts.joined(separator: ", "))"
      + .advice(" (\(setting: .requiredIsolation) refuses to go on)")
  }

  /// Warnings about limits that this system cannot enforce, and about plugins that could not be opened, which matter only if a
  /// compositor is missing.
  fileprivate func notes(
    wanting wanted: Set<CompositorID>, _ registry: CompositorRegistry, _ spelling: SettingSpelling
  ) -> [String] {
    let warnings = [PluginLibrary.warning(ofMissing: missingSandboxParts)].compactMap { $0?.text(spelling) }
    let isComplete = wanted.allSatisfy {
      registry[$0] != nil || registry.audioProcessor(AudioProcessorID(rawValue: $0.rawValue)) != nil
    }
    return isComplete ? warnings : warnings + failures.map { $0.text(spelling) }
  }

  /// The files of the opened plugins, with the compositors and audio processors used from each.
  fileprivate func files(providing wanted: Set<CompositorID>) -> [String: [String]] {
    var files: [String: [String]] = [:]
    for plugin in plugins {
      let brought = plugin.factories.map(\.descriptor.id.rawValue) + plugin.processors.map(\.descriptor.id.rawValue)
      let used = Set(brought).intersection(wanted.map(\.rawValue))
      if let path = plugin.specification.file, !used.isEmpty { files[path] = used.sorted() }
    }
    return files
  }
}
