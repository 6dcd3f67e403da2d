/// Memory for the C structs of one call, which point to each other and are freed together.
package final class StructArena {
  private var blocks: [UnsafeMutableRawPointer] = []

  package init() {}

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// A copy of a struct, at an address that is valid for the lifetime of the arena.
  package func make<T: BitwiseCopyable>(_ value: T) -> UnsafeMutablePointer<T> {
    let pointer = block(byteCount: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment).bindMemory(
      to: T.self, capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }

  /// A copy of a list; `nil` if it is empty.
  package func list<T: BitwiseCopyable>(_ values: [T]) -> UnsafeMutablePointer<T>? {
    guard !values.isEmpty else { return nil }
    let byteCount = MemoryLayout<T>.stride * values.count
    let pointer = block(byteCount: byteCount, alignment: MemoryLayout<T>.alignment).bindMemory(
      to: T.self, capacity: values.count)
    pointer.initialize(from: values, count: values.count)
    return pointer
  }

  /// A string with a terminating zero.
  package func text(_ text: String) -> UnsafePointer<CChar> {
    let bytes = Array(text.utf8CString)
    let pointer = block(byteCount: bytes.count, alignment: 1).bindMemory(to: CChar.self, capacity: bytes.count)
    pointer.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(pointer)
  }

  /// Strings, followed by `nil`.
  package func texts(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    var pointers = texts.map { Optional(text($0)) }
    pointers.append(nil)
    let byteCount = MemoryLayout<UnsafePointer<CChar>?>.stride * pointers.count
    let base = block(byteCount: byteCount, alignment: MemoryLayout<UnsafePointer<CChar>?>.alignment)
      .bindMemory(to: UnsafePointer<CChar>?.self, capacity: pointers.count)
    base.initialize(from: pointers, count: pointers.count)
    return UnsafePointer(base)
  }

  private func block(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
    blocks.append(block)
    return block
  }
}

/// Reads a struct that the other side of the plugin interface has filled in. The struct starts with its size; fields beyond
/// that size have their values in `zero`.
package func readStruct<T: BitwiseCopyable>(_ pointer: UnsafePointer<T>, zero: T) -> T {
  var value = zero
  let size = UnsafeRawPointer(pointer).load(as: Int.self)
  let count = max(0, min(size, MemoryLayout<T>.size))
  withUnsafeMutableBytes(of: &value) { bytes in
    bytes.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: count))
  }
  return value
}

/// The pointers of a list from the other side, at most `limit`, without those that are `nil`.
package func readList<T>(_ list: UnsafePointer<UnsafePointer<T>?>?, count: Int32, limit: Int = 4096) -> [UnsafePointer<T>] {
  guard let list, count > 0 else { return [] }
  return (0..<min(Int(count), limit)).compactMap { list[$0] }
}

/// Reads strings up to the first `nil`, at most `limit`.
package func readTexts(_ list: UnsafePointer<UnsafePointer<CChar>?>?, limit: Int = 4096) -> [String] {
  var texts: [String] = []
  guard let list else { return texts }
  while texts.count < limit, let text = list[texts.count] { texts.append(String(cString: text)) }
  return texts
}
