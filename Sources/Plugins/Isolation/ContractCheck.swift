import CCompositorPluginProcess

/// Checks after each call that a plugin has restored the process state.
struct ContractCheck {
  private let floatingState = module_floating_state()
  private let localeState = module_locale_state()
  private let memoryLimit: UInt64

  init(memoryLimit: UInt64 = .max) { self.memoryLimit = memoryLimit }

  /// The plugin's violation since the last call; `nil` if there is none.
  func violation() -> String? {
    if module_floating_state() != floatingState {
      return "The plugin changed the floating-point state and did not restore it, as linking with -ffast-math does."
    }
    if module_locale_state() != localeState { return "The plugin changed the locale." }
    var text = [CChar](repeating: 0, count: 200)
    let printed = module_worker_output(&text, text.count)
    if printed > 0 {
      let start = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let line = start.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      return "The plugin wrote to the standard output: “\(line)”."
    }
    let memory = module_worker_memory()
    // The rest is for what a call needs.
    if memory > Int64(clamping: memoryLimit / 4 * 3) {
      return
        "The plugin holds \(memory >> 20) MiB of memory after a call; at most three quarters of its limit of \(memoryLimit >> 20) MiB may stay."
    }
    return nil
  }
}
