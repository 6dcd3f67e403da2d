/// The resources that one export needs while it runs.
package struct RenderDemand: Hashable, Sendable {
  /// The number of separate threads: those of the encoder, and one for writing.
  package var threadCount: Int
  /// The estimated memory for frames, decoders and encoder, in bytes.
  package var byteCount: Int

  package init(threadCount: Int, byteCount: Int) {
    (self.threadCount, self.byteCount) = (max(1, threadCount), max(0, byteCount))
  }
}

/// An export's share of a budget. The share is returned by ``end()``, or when this object is released.
package final class RenderShare: Sendable {
  /// The share of the export that the current task belongs to. Nested exports need no share of their own.
  @TaskLocal package static var current: RenderShare?

  private let budget: RenderBudget
  private let id: Int

  init(of budget: RenderBudget, id: Int) { (self.budget, self.id) = (budget, id) }

  deinit { end() }

  /// Whether this is a share of `budget` that hasn't been returned.
  package func isUsable(for budget: RenderBudget) -> Bool { self.budget === budget && budget.isRunning(id) }

  /// Returns the share, if it hasn't been returned. Waiting exports that fit continue, in order.
  package func end() { budget.end(id) }
}
