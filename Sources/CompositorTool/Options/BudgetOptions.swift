import ArgumentParser
import Compositor
import Synchronization

/// Limits on the resources that renders use.
struct BudgetOptions: ParsableArguments {
  @Option(
    help: """
      The most memory to use, such as 512M or 2G. Fewer frames are in flight then, and decoders have fewer threads. If not even one \
      frame at a time fits, the render is refused before anything is opened. By default there is no limit.
      """)
  var memoryLimit: MemorySize?

  /// The budgets in use, by their limit. Rows of a batch share one.
  private static let made = Mutex<[Int: RenderBudget]>([:])

  /// The budget of all renders with these options.
  var budget: RenderBudget {
    guard let limit = memoryLimit?.byteCount else { return .shared }
    return Self.made.withLock { made in
      let budget = made[limit] ?? RenderBudget(RenderBudget.Limits(memoryByteCount: limit))
      made[limit] = budget
      return budget
    }
  }
}

/// An amount of memory: `512M`, `1.5G`, `800 MiB`, or a number of bytes.
struct MemorySize: ExpressibleByArgument {
  let byteCount: Int

  init?(argument: String) {
    guard
      let match = argument.wholeMatch(of: /([0-9]{1,15}(?:\.[0-9]{1,6})?) ?(?:([KMGT])(?:i?B)?|B)?/.ignoresCase()),
      let number = Double(match.1)
    else { return nil }
    let exponent = match.2.flatMap { "KMGT".firstIndex(of: Character($0.uppercased())) }
      .map { "KMGT".distance(from: "KMGT".startIndex, to: $0) + 1 }
    let bytes = number * Double(1 << (10 * (exponent ?? 0)))
    guard bytes >= 1, bytes < 0x1p62 else { return nil }
    byteCount = Int(bytes)
  }
}
