internal import Foundation

/// Options of calls of block buffers.
public typealias CMBlockBufferFlags = UInt32

/// The call succeeded.
public let kCMBlockBufferNoErr: OSStatus = 0
/// There is no memory for the buffer.
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
/// There is no memory for the bytes.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// A source of memory is not usable.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// An offset is not in the buffer.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length does not fit the buffer.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A pointer is missing.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
/// The buffer has no bytes.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
/// The buffer's memory is not allocated yet.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
/// There is not enough room.
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// Memory is allocated at once, not when it is first used. Here it always is.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1
/// Bytes are copied even if they are contiguous.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2
/// The buffer does not optimize for few parts.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 4
/// A part may have no bytes.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 8

/// Memory that programs give, with a call that makes it and one that takes it back.
public struct CMBlockBufferCustomBlockSource {
  /// 0.
  public var version: UInt32
  /// Makes memory of a number of bytes; `nil` if the program gives memory.
  public var AllocateBlock: ((UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
  /// Takes memory back, with its number of bytes. Called once, on any thread.
  public var FreeBlock: ((UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
  /// What both are called with.
  public var refCon: UnsafeMutableRawPointer?

  /// A source of these calls.
  public init(
    version: UInt32 = 0, AllocateBlock: ((UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
    FreeBlock: ((UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?, refCon: UnsafeMutableRawPointer?
  ) {
    self.version = version
    self.AllocateBlock = AllocateBlock
    self.FreeBlock = FreeBlock
    self.refCon = refCon
  }
}

/// Memory that several buffers may refer to.
final class BlockMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let count: Int
  private let release: (UnsafeMutableRawPointer) -> Void

  /// Wraps memory. `release` is called once, when no buffer refers to it.
  init(_ base: UnsafeMutableRawPointer, count: Int, release: @escaping (UnsafeMutableRawPointer) -> Void) {
    (self.base, self.count, self.release) = (base, count, release)
  }

  /// New memory, of zeros; `nil` if there is too little.
  convenience init?(count: Int) {
    guard let base = calloc(max(count, 1), 1) else { return nil }
    self.init(base, count: count) { free($0) }
  }

  deinit { release(base) }
}

/// A sequence of bytes that may lie in several pieces of memory.
///
/// A buffer equals only itself. Pieces that are referred to are not copied. Use a buffer from one thread at a time while it is changed;
/// bytes may be read from any.
public final class CMBlockBuffer: Hashable, @unchecked Sendable, CoreFoundationType {
  /// A range of memory.
  struct Part {
    let memory: BlockMemory
    let offset: Int
    let count: Int

    var base: UnsafeMutableRawPointer { memory.base + offset }
  }

  /// The range of memory that holds each range of bytes.
  private(set) var parts: [Part] = []
  let attachments = AttachmentTable()
  package static let typeNumber: CFTypeID = 303

  init(_ parts: [Part] = []) { self.parts = parts.filter { $0.count > 0 } }

  /// Whether both are the same buffer.
  public static func == (left: CMBlockBuffer, right: CMBlockBuffer) -> Bool { left === right }
  /// Different buffers have different hashes, as a rule.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The number of bytes.
  public var dataLength: Int { parts.reduce(0) { $0 + $1.count } }
  /// Whether there are no bytes.
  public var isEmpty: Bool { parts.isEmpty }
  /// Whether all bytes lie in one piece of memory.
  public var isContiguous: Bool { parts.count <= 1 }

  func append(_ part: Part) { if part.count > 0 { parts.append(part) } }

  /// The parts of a range of bytes; `nil` if it is not in the buffer.
  func parts(of range: Range<Int>) -> [Part]? {
    guard range.lowerBound >= 0, range.upperBound <= dataLength else { return nil }
    var (found, start): ([Part], Int) = ([], 0)
    for part in parts {
      let cut = range.clamped(to: start..<start + part.count)
      if !cut.isEmpty {
        found.append(Part(memory: part.memory, offset: part.offset + cut.lowerBound - start, count: cut.count))
      }
      start += part.count
    }
    return found
  }
}

/// The type of block buffers.
public func CMBlockBufferGetTypeID() -> CFTypeID { CMBlockBuffer.typeNumber }
