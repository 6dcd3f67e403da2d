/// What one export takes from a budget while it runs.
package struct RenderDemand: Hashable, Sendable {
  /// Threads of its own: those of its encoder, and the one that writes.
  package var threadCount: Int
  /// Memory for frames, decoders and encoder, as far as that can be told beforehand.
  package var byteCount: Int

  package init(threadCount: Int, byteCount: Int) {
    (self.threadCount, self.byteCount) = (max(1, threadCount), max(0, byteCount))
  }
}

/// An export's part of a budget. It is given back by ``end()``, at the latest when nobody holds this any more.
package final class RenderShare: Sendable {
  /// The share of the export that the current task works for: an export that another one starts on its way needs none of its own.
  @TaskLocal package static var current: RenderShare?

  private let budget: RenderBudget
  private let id: Int

  init(of budget: RenderBudget, id: Int) { (self.budget, self.id) = (budget, id) }

  deinit { end() }

  /// Whether it is a part of `budget`, and not given back.
  package func isUsable(for budget: RenderBudget) -> Bool { self.budget === budget && budget.isRunning(id) }

  /// Gives everything back, once: whoever waits longest goes on.
  package func end() { budget.end(id) }
}
