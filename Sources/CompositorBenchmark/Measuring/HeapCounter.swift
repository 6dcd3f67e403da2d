import CompositorPlatform

/// Counts allocations of the whole process if `Benchmarks/count-allocations.c` was preloaded (`LD_PRELOAD`).
enum HeapCounter {
  private typealias Counter = @convention(c) () -> UInt64

  /// Allocations of at least 8 KiB so far: frames, rows, scratch; `nil` if they are not counted.
  static var bufferCount: UInt64? { count("compositor_counted_buffers") }
  /// All allocations so far; `nil` if they are not counted.
  static var totalCount: UInt64? { count("compositor_counted_allocations") }

  private static func count(_ name: String) -> UInt64? {
    guard let symbol = dlsym(nil, name) else { return nil }
    return unsafeBitCast(symbol, to: Counter.self)()
  }
}

/// Returns free memory of the heap to the system, so that the peak of what follows does not contain it. Does nothing if the C
/// library cannot.
enum FreeMemory {
  private typealias Trim = @convention(c) (Int) -> CInt

  static func release() {
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
  }
}
