import CompositorAPI
import Synchronization

/// Memory of surfaces that is used again: within a drawing, and by the next drawings as long as they need it.
///
/// Code that makes a surface gives its memory back once no one else has the surface; memory that is not given back is freed with it. Free
/// memory is bounded by a number of bytes, and released after some drawings without use. Thread-safe.
package final class SurfaceMemory: Sendable {
  fileprivate struct Block {
    var values: [Float]
    /// The drawing in which it was used last.
    var lastUse: Int
  }

  fileprivate struct State {
    var free: [Block] = []
    var byteCount = 0
    var drawings = 0
    var allocations = 0
  }

  /// Keeps nothing.
  package static let unkept = SurfaceMemory(byteLimit: 0)

  /// Drawings after which free memory that none of them used is released: one or two seconds of a movie.
  private static let patience = 60
  /// The maximum number of free blocks, which are searched one by one.
  private static let maximumBlocks = 256

  private let byteLimit: Int
  private let state = Mutex(State())

  /// - Parameter byteLimit: The maximum size of free memory, in bytes; 0 keeps nothing.
  package init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// The bytes of free memory, and the number of allocations so far, which is constant in the steady state.
  package var statistics: (freeByteCount: Int, allocations: Int) { state.withLock { ($0.byteCount, $0.allocations) } }

  /// Values of 0.
  func zeros(_ count: Int) -> [Float] {
    guard var values = freeValues(atLeast: count) else { return [Float](zeros: count) }
    values.resize(count)
    values.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    return values
  }

  /// Values that are undefined until written.
  func values(_ count: Int) -> [Float] {
    guard var values = freeValues(atLeast: count) else { return [Float](zeros: count) }
    values.resize(count)
    return values
  }

  /// Takes values back, which no one else may have; `values` is empty then.
  func giveBack(_ values: inout [Float]) {
    var given: [Float] = []
    swap(&given, &values)
    guard byteLimit > 0, given.capacity > 0 else { return }
    let released = state.withLock { state in
      state.byteCount += given.byteCapacity
      state.free.append(Block(values: given, lastUse: state.drawings))
      given = []
      return state.release(from: 0, byteLimit: byteLimit, blockLimit: Self.maximumBlocks)
    }
    // Freed after the lock is released.
    withExtendedLifetime(released) {}
  }

  /// Counts a drawing, and releases what the last ones did not use.
  func endDrawing() {
    guard byteLimit > 0 else { return }
    let released = state.withLock { state in
      state.drawings += 1
      return state.release(
        from: state.drawings - Self.patience, byteLimit: byteLimit, blockLimit: Self.maximumBlocks)
    }
    withExtendedLifetime(released) {}
  }

  /// The smallest free block that is large enough, unless it is far too large.
  private func freeValues(atLeast count: Int) -> [Float]? {
    guard byteLimit > 0 else { return nil }
    return state.withLock { state in
      let largest = 2 * [Float].roundedCapacity(count)
      var best: Int?
      for (index, block) in state.free.enumerated() where (count...largest).contains(block.values.capacity) {
        if best.map({ block.values.capacity < state.free[$0].values.capacity }) ?? true { best = index }
      }
      guard let best else {
        state.allocations += 1
        return nil
      }
      return state.remove(at: best)
    }
  }
}

extension SurfaceMemory.State {
  fileprivate mutating func remove(at index: Int) -> [Float] {
    free.swapAt(index, free.count - 1)
    let values = free.removeLast().values
    byteCount -= values.byteCapacity
    return values
  }

  /// Removes blocks that were last used before a drawing, and then the least recently used ones until limits are kept.
  fileprivate mutating func release(from drawing: Int, byteLimit: Int, blockLimit: Int) -> [[Float]] {
    var released: [[Float]] = []
    for index in free.indices.reversed() where free[index].lastUse < drawing { released.append(remove(at: index)) }
    while byteCount > byteLimit || free.count > blockLimit {
      guard let oldest = free.indices.min(by: { free[$0].lastUse < free[$1].lastUse }) else { break }
      released.append(remove(at: oldest))
    }
    return released
  }
}

extension [Float] {
  /// A capacity in eight steps for each power of two, so that blocks are used again while a layer moves and its box changes.
  fileprivate static func roundedCapacity(_ count: Int) -> Int {
    let bits = Int.bitWidth - Swift.max(count - 1, 1).leadingZeroBitCount
    let step = Swift.max(1 << (bits - 3), 64)
    return (count + step - 1) / step * step
  }

  /// The bytes for as many values as it has room for.
  var byteCapacity: Int { capacity * MemoryLayout<Float>.stride }

  fileprivate init(zeros count: Int) {
    self = []
    reserveCapacity(Self.roundedCapacity(count))
    append(contentsOf: repeatElement(0, count: count))
  }

  /// Removes values from the end, or appends zeros.
  fileprivate mutating func resize(_ count: Int) {
    if self.count > count { removeLast(self.count - count) }
    if self.count < count { append(contentsOf: repeatElement(0, count: count - self.count)) }
  }
}
