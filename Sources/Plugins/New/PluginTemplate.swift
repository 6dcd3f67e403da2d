package import CompositorAPI
package import Foundation

/// The files of a new plugin.
package struct PluginTemplate {
  package enum Language: String, CaseIterable, Sendable {
    case c
    case cPlusPlus = "c++"
    case rust
    case swift
  }
  package struct File {
    package let name: String
    package let text: String
  }

  /// The package's address, used if no local folder is known.
  package static let address = "https://github.com/example/swift-compositor"

  package let files: [File]
  /// The folder or URL of the package that a Swift plugin depends on; `nil` in C.
  package let dependency: String?

  /// - Parameters:
  ///   - package: The folder or URL of this package, for Swift.
  ///   - tool: The tool that checks and renders.
  /// - Throws: `.invalidValue` if the name is not valid for files, types and IDs.
  package init(name: String, language: Language, package: String?, tool: String) throws(CompositorError) {
    let isGood =
      (1...40).contains(name.utf8.count) && name.first.map { ("a"..."z").contains($0) } == true
      && name.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    guard isGood else {
      throw CompositorError(
        .invalidValue, "“\(name)” is not a valid plugin name.",
        recoverySuggestion: "Use small letters, digits and hyphens, a letter first, at most 40.")
    }
    let type = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    func fill(_ text: String) -> String {
      text.replacing("@NAME@", with: name).replacing("@NAME_@", with: name.replacing("-", with: "_"))
        .replacing("@TYPE@", with: type).replacing("@TOOL@", with: tool)
        .replacing("@DEPENDENCY@", with: PluginTemplate.dependency(package))
        .replacing("@PACKAGE@", with: PluginTemplate.identity(package))
    }
    dependency = language == .swift ? PluginTemplate.place(package) : nil
    let own: [(String, String)] =
      switch language {
      case .c:
        [("Makefile", PluginTexts.makefileC), ("\(name).c", PluginTexts.sourceC), ("compositor_plugin.h", PluginHeader.text)]
      case .cPlusPlus:
        [
          ("Makefile", PluginTexts.makefileCPlusPlus), ("\(name).cpp", PluginTexts.sourceCPlusPlus),
          ("compositor_plugin.h", PluginHeader.text),
        ]
      case .rust:
        [
          ("Makefile", PluginTexts.makefileRust), ("\(name).rs", PluginTexts.sourceRust),
          ("compositor_plugin.rs", RustHeader.text),
        ]
      case .swift:
        [
          ("Makefile", PluginTexts.makefileSwift), ("Package.swift", PluginTexts.packageSwift),
          ("Sources/\(type)/\(type).swift", PluginTexts.sourceSwift),
        ]
      }
    let all = own + [("project.json5", PluginTexts.project), (".gitignore", PluginTexts.ignored)]
    files = all.map { File(name: $0.0, text: $0.0.hasPrefix("compositor_plugin.") ? $0.1 : fill($0.1)) }
  }

  /// Writes the files to a new folder.
  ///
  /// - Throws: `.outputExists` if the folder exists, `.writeFailed`.
  package func write(to folder: String) throws(CompositorError) {
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw CompositorError(
        // Not `outputExists`, since there is no option to overwrite it.
        .writeFailed, "The folder already exists.", recoverySuggestion: "Choose another name or folder, or remove it.",
        at: ErrorLocation(file: folder))
    }
    do {
      for file in files {
        let url = URL(filePath: folder).appending(path: file.name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: url)
      }
    } catch {
      throw CompositorError(
        .writeFailed, "The folder cannot be written.", cause: error.localizedDescription, at: ErrorLocation(file: folder))
    }
  }

  private static func place(_ package: String?) -> String {
    if let package { return package }
    // The folder four levels above this file is the package, unless it has been moved since the build.
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    if let origin = origin(ofCloneIn: folder) { return origin }
    let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "Sources/CompositorPluginKit").path)
    return isThere ? folder.path : address
  }

  /// The URL that a git clone was made from, from which others can get it; `nil` for other folders and for clones of a local
  /// folder.
  package static func origin(ofCloneIn folder: URL) -> String? {
    guard let text = try? String(contentsOf: folder.appending(path: ".git/config"), encoding: .utf8) else { return nil }
    var isOrigin = false
    for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.hasPrefix("[") { isOrigin = line == "[remote \"origin\"]" }
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard isOrigin, parts.count == 2, parts[0] == "url" else { continue }
      let isAddress = ["https://", "http://", "ssh://", "git@"].contains { parts[1].hasPrefix($0) }
      // A URL with a user name or password is private.
      let isPrivate = !parts[1].hasPrefix("git@") && !parts[1].hasPrefix("ssh://") && parts[1].contains("@")
      return isAddress && !isPrivate ? parts[1] : nil
    }
    return nil
  }

  private static func dependency(_ package: String?) -> String {
    let place = place(package)
    guard place.contains("://") || place.hasPrefix("git@") else {
      return ".package(path: \"\(URL(filePath: place).standardizedFileURL.path)\")"
    }
    return ".package(url: \"\(place)\", branch: \"main\")"
  }

  /// The package identity used by SwiftPM: its last path component.
  private static func identity(_ package: String?) -> String {
    let last = place(package).split(separator: "/").last.map(String.init) ?? "swift-compositor"
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }
}
