internal import Compositor
internal import Foundation

/// An export as values, which any thread may run.
struct SessionJob: Sendable {
  let edit: TranslatedEdit
  let settings: ExportSettings
  let target: URL
  let suffix: String
  let folder: URL
  let lengthLimit: Int64

  /// Writes the file, and notes progress and end.
  func run(noting state: SessionState) async {
    do {
      try await write(noting: state)
      state.end(nil)
    } catch {
      state.end(error)
    }
  }

  /// The compositor knows formats by suffixes, which need not be that of the target: it writes beside it, then the file gets its name.
  private func write(noting state: SessionState) async throws {
    let files = FileManager.default
    try checkTarget()
    let temporary = folder.appendingPathComponent(".\(UUID().uuidString).\(suffix)")
    defer { try? files.removeItem(at: temporary) }
    try await write(to: temporary) { state.note(lengthLimit > 0 ? $0 / 2 : $0) }
    if lengthLimit > 0, try byteCount(temporary) > lengthLimit {
      let limited = try settings.limited(to: lengthLimit, lasting: edit.timeRange.duration.seconds)
      try files.removeItem(at: temporary)
      try await write(limited, to: temporary) { state.note(0.5 + $0 / 2) }
      guard try byteCount(temporary) <= lengthLimit + lengthLimit / 10 else {
        throw AVError(.maximumFileSizeReached, "The file has more than \(lengthLimit) bytes at the lowest quality.")
      }
    }
    try checkTarget()
    do { try files.moveItem(at: temporary, to: target) } catch {
      throw AVError(.unknown, "\(target.path) cannot be written: \(error.localizedDescription)")
    }
  }

  /// Writes with the settings; what the file cannot hold is encoded instead of copied.
  private func write(to file: URL, noting note: @escaping @Sendable (Double) -> Void) async throws {
    for settings in [settings] + settings.encodingMore {
      do {
        return try await write(settings, to: file, noting: note)
      } catch let error as AVError where error.code == .formatUnsupported && settings.passthrough != nil {
        try? FileManager.default.removeItem(at: file)
      }
    }
  }

  private func write(
    _ settings: ExportSettings, to file: URL, noting note: @escaping @Sendable (Double) -> Void
  ) async throws {
    do {
      _ = try await Exporter.export(edit.composition, to: file.path, settings: settings) { note($0.fraction) }
    } catch {
      throw edit.compositor.explain(error)
    }
  }

  private func byteCount(_ file: URL) throws -> Int64 {
    try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64 ?? 0
  }

  private func checkTarget() throws(AVError) {
    guard FileManager.default.fileExists(atPath: target.path) else { return }
    throw AVError(.fileAlreadyExists, "\(target.path) exists.", suggestion: "Remove it, or choose another name.")
  }
}
