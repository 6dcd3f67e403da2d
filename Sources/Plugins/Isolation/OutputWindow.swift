import CCompositorPluginProcess
import CompositorAPI
import CompositorPlatform

/// A worker's access to an output: its bytes are accessible only while the window is open.
final class OutputWindow {
  let byteCount: Int
  private var window = module_window()

  /// Maps a segment; returns `nil` if that is not possible.
  init?(_ descriptor: Descriptor, byteCount: Int) {
    guard module_window_make(descriptor.number, module_output_length(byteCount), &window) == 0 else { return nil }
    self.byteCount = byteCount
  }

  deinit { module_window_free(&window) }

  /// The address of the bytes while the window is open; always the same.
  var base: UnsafeMutableRawPointer { window.place + module_output_offset(byteCount) }

  func open() throws(CompositorError) { try check(module_window_open(&window), "opened") }

  func close() throws(CompositorError) { try check(module_window_close(&window), "closed") }

  private func check(_ result: Int32, _ what: String) throws(CompositorError) {
    guard result != 0 else { return }
    throw CompositorError(
      .resourceExhausted, "A frame's memory could not be \(what) for a plugin.",
      recoverySuggestion: "Render fewer frames at a time.",
      cause: String(cString: strerror(-result)))
  }
}
