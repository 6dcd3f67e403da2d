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
    do {
      _ = try await Exporter.export(edit.composition, to: temporary.path, settings: settings) { state.note($0.fraction) }
    } catch {
      throw edit.compositor.explain(error)
    }
    try checkTarget()
    do { try files.moveItem(at: temporary, to: target) } catch {
      throw AVError(.unknown, "\(target.path) cannot be written: \(error.localizedDescription)")
    }
  }

  private func checkTarget() throws(AVError) {
    guard FileManager.default.fileExists(atPath: target.path) else { return }
    throw AVError(.fileAlreadyExists, "\(target.path) exists.", suggestion: "Remove it, or choose another name.")
  }
}
