package import CompositorAPI
import Foundation

/// A file for an engine: a template or a batch script.
public struct FarmFile: Hashable, Sendable {
  /// The file's name in its folder.
  public let name: String
  /// The contents, in UTF-8.
  public let text: String
  /// Whether the file is a script for people to run.
  public let isExecutable: Bool

  init(_ name: String, isExecutable: Bool = false, _ text: String) {
    self.name = name
    self.text = text
    self.isExecutable = isExecutable
  }
}

/// Writes folders of files for an engine.
package enum FarmFolder {
  /// Writes files into a folder and creates it if necessary. A new folder appears complete or not at all.
  ///
  /// - Parameter overwrites: Whether to replace files of the same names in a non-empty folder; other files are kept.
  /// - Throws: `.outputExists` if the folder is not empty and `overwrites` is false, `.writeFailed`.
  package static func write(_ files: [FarmFile], to path: String, overwrites: Bool) throws(CompositorError) {
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    let partial = folder.deletingLastPathComponent().appending(
      path: ".compositor-partial-\(getpid())-\(folder.lastPathComponent)")
    do {
      var isDirectory: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory)
      let isUsed =
        try isThere && (!isDirectory.boolValue || !FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      guard !isUsed || (overwrites && isDirectory.boolValue) else {
        throw CompositorError(
          .outputExists, isDirectory.boolValue ? "The folder is not empty." : "A file of that name already exists.",
          advice: "Choose another name, or give \(setting: .overwrites).", at: ErrorLocation(file: path))
      }
      if isThere {
        for file in files { try write(file, to: folder, options: .atomic) }
        return
      }
      defer { try? FileManager.default.removeItem(at: partial) }
      try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
      for file in files { try write(file, to: partial, options: []) }
      try FileManager.default.moveItem(at: partial, to: folder)
    } catch let error as CompositorError {
      throw error
    } catch {
      throw CompositorError(
        .writeFailed, "The folder cannot be written.", cause: error.localizedDescription, at: ErrorLocation(file: path))
    }
  }

  /// Writes a string to a file that appears complete or not at all.
  ///
  /// - Throws: `.outputExists` unless `overwrites`, `.writeFailed`.
  package static func write(_ text: String, toFile path: String, overwrites: Bool) throws(CompositorError) {
    let url = URL(filePath: path)
    guard overwrites || !FileManager.default.fileExists(atPath: url.path) else {
      throw CompositorError(
        .outputExists, "A file of that name already exists.", advice: "Choose another name, or give \(setting: .overwrites).",
        at: ErrorLocation(file: path))
    }
    do {
      try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
      throw CompositorError(
        .writeFailed, "The file cannot be written.", cause: error.localizedDescription, at: ErrorLocation(file: path))
    }
  }

  /// The relative path from one folder to another, such as `../..`; `.` if they are the same. Links are resolved, so that `..`
  /// has the system's meaning. The first folder need not exist yet.
  package static func path(from folder: String, to other: String) -> String {
    let (start, end) = (components(folder), components(other))
    let common = zip(start, end).prefix { $0 == $1 }.count
    let path = Array(repeating: "..", count: start.count - common) + end[common...]
    return path.isEmpty ? "." : path.joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    let url = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
    // A nonexistent path has no links.
    var (existing, rest) = (url, [String]())
    while !FileManager.default.fileExists(atPath: existing.path), existing.pathComponents.count > 1 {
      rest.insert(existing.lastPathComponent, at: 0)
      existing.deleteLastPathComponent()
    }
    return existing.resolvingSymlinksInPath().pathComponents + rest
  }

  private static func write(_ file: FarmFile, to folder: URL, options: Data.WritingOptions) throws {
    let url = folder.appending(path: file.name)
    try Data(file.text.utf8).write(to: url, options: options)
    try FileManager.default.setAttributes([.posixPermissions: file.isExecutable ? 0o755 : 0o644], ofItemAtPath: url.path)
  }
}
