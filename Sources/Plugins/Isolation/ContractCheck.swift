import CCompositorPluginProcess

/// Checks after each call that a plugin has restored the process state.
struct ContractCheck {
  private let floatingState = module_floating_state()
  private let localeState = module_locale_state()
  private let memoryLimit: UInt64

  init(memoryLimit: UInt64 = .max) { self.memoryLimit = memoryLimit }

  /// The plugin's violation since the last call; `nil` if there is none.
  func violation() -> ContractViolation? {
    if module_floating_state() != floatingState { return .floatingPointState }
    if module_locale_state() != localeState { return .locale }
    var text = [CChar](repeating: 0, count: 200)
    let printed = module_worker_output(&text, text.count)
    if printed > 0 {
      let start = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return .output(start.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
    }
    let memory = module_worker_memory()
    // The rest is for what a call needs.
    guard memory > Int64(clamping: memoryLimit / 4 * 3) else { return nil }
    return .memory(mebibytes: memory >> 20, limit: memoryLimit >> 20)
  }
}

/// What a plugin left changed after a call.
enum ContractViolation: Codable, Hashable, Sendable {
  case floatingPointState, locale
  /// A line on the standard output.
  case output(String)
  /// The memory that it holds, and its limit, in MiB.
  case memory(mebibytes: Int64, limit: UInt64)

  /// A sentence about it.
  var text: String {
    switch self {
    case .floatingPointState:
      "The plugin changed the floating-point state and did not restore it, as linking with -ffast-math does."
    case .locale: "The plugin changed the locale."
    case .output(let line): "The plugin wrote to the standard output: “\(line)”."
    case .memory(let held, let limit):
      """
      The plugin holds \(held) MiB of memory after a call; at most three quarters of its limit of \(limit) MiB may stay.
      """
    }
  }
}
