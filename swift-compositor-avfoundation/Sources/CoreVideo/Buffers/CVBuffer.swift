internal import Foundation

/// An image in memory, which programs read and write between ``CVPixelBufferLockBaseAddress(_:_:)`` and its counterpart.
///
/// A buffer equals only itself. Any thread may use it; pixels must not be written while another thread uses them.
public final class CVBuffer: Hashable, @unchecked Sendable, CoreFoundationType {
  /// Pixels per row.
  package let width: Int
  /// Rows.
  package let height: Int
  /// The pixel format.
  package let format: OSType
  package let layout: PixelFormatLayout
  private let lock = NSLock()
  private var state: State

  private struct State {
    var memory: PixelMemory
    var readerCount = 0
    var writerCount = 0
    /// What was replaced while a program held its addresses.
    var retired: [PixelMemory] = []
    var attachments: [String: Attachment] = [:]
  }

  /// A value that is attached.
  struct Attachment {
    let value: AnyObject
    let mode: CVAttachmentMode
  }

  package static let typeNumber: CFTypeID = 301

  /// A buffer of memory whose planes are those of the format.
  package init(_ memory: PixelMemory, format: OSType, layout: PixelFormatLayout, width: Int, height: Int) {
    precondition(memory.planes.count == layout.planes.count, "one plane of memory for each of the format")
    (self.width, self.height, self.format, self.layout) = (width, height, format, layout)
    state = State(memory: memory)
  }

  /// Whether both are the same buffer.
  public static func == (left: CVBuffer, right: CVBuffer) -> Bool { left === right }
  /// Different buffers have different hashes, as a rule.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The present memory. It doesn't change while the caller keeps a reference: the next lock for writing copies it.
  package var memory: PixelMemory { lock.withLock { state.memory } }

  /// Whether a program may have addresses of the memory.
  package var isLocked: Bool { lock.withLock { state.readerCount + state.writerCount > 0 } }

  /// Copies memory that others read, before it is written to.
  ///
  /// - Returns: Whether there was memory for it.
  private func prepareToWrite() -> Bool {
    guard state.memory.frame != nil || !isKnownUniquelyReferenced(&state.memory) else { return true }
    guard let copy = state.memory.copy(layout, width: width, height: height) else { return false }
    state.retired.append(state.memory)
    state.memory = copy
    return true
  }

  func lockBase(forReading: Bool) -> CVReturn {
    lock.withLock {
      if forReading {
        state.readerCount += 1
      } else {
        guard state.writerCount > 0 || prepareToWrite() else { return kCVReturnAllocationFailed }
        state.writerCount += 1
      }
      return kCVReturnSuccess
    }
  }

  /// Ends one lock: of the same kind, or the other kind's if there is none.
  func unlockBase(forReading: Bool) -> CVReturn {
    lock.withLock {
      guard state.readerCount + state.writerCount > 0 else { return kCVReturnInvalidArgument }
      if forReading ? state.readerCount > 0 : state.writerCount == 0 {
        state.readerCount -= 1
      } else {
        state.writerCount -= 1
      }
      if state.readerCount + state.writerCount == 0 { state.retired = [] }
      return kCVReturnSuccess
    }
  }

  /// The memory if a program may have its addresses: while it is locked, or if only the buffer uses it.
  var addressableMemory: PixelMemory? {
    lock.withLock {
      let isLocked = state.readerCount + state.writerCount > 0
      return isLocked || (state.memory.frame == nil && isKnownUniquelyReferenced(&state.memory)) ? state.memory : nil
    }
  }

  /// Reads or changes what is attached.
  func withAttachments<Value>(_ body: (inout [String: Attachment]) -> Value) -> Value {
    lock.withLock { body(&state.attachments) }
  }
}

/// A buffer of pixels.
public typealias CVImageBuffer = CVBuffer
/// A buffer of pixels in main memory.
public typealias CVPixelBuffer = CVImageBuffer
