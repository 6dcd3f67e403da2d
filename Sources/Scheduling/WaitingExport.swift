/// An export that waits for its share of a ``RenderBudget``.
public struct WaitingExport: Hashable, Sendable {
  /// What an export waits for.
  public enum Reason: Hashable, Sendable {
    /// As many exports are running as ``RenderBudget/Limits/exportCount`` allows.
    case exports(limit: Int)
    /// It needs more threads than are left of ``RenderBudget/Limits/threadCount``.
    case threads(needed: Int, free: Int)
    /// It needs more memory, in bytes, than is left of ``RenderBudget/Limits/memoryByteCount``, or of half of the machine's if that is
    /// `nil`.
    case memory(neededByteCount: Int, freeByteCount: Int)
    /// Exports before it in the queue are waiting, and are not overtaken.
    case order
  }

  /// The position in the queue, from 1.
  public let position: Int
  /// The number of threads that it needs.
  public let threadCount: Int
  /// The memory that it needs, in bytes, as estimated.
  public let memoryByteCount: Int
  /// What it waits for.
  public let reason: Reason
}

extension WaitingExport.Reason: CustomStringConvertible {
  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .exports(let limit): "\(limit) \(limit == 1 ? "export is" : "exports are") running, as many as exportCount allows."
    case .threads(let needed, let free): "It needs \(needed) threads, and \(free) of threadCount are free."
    case .memory(let needed, let free): "It needs \(needed >> 20) MiB of memory, and \(free >> 20) MiB are free."
    case .order: "Another export before it is waiting."
    }
  }
}
