internal import Foundation

/// Memory of samples: of one channel, or of several that are interleaved.
public struct AudioBuffer {
  /// The number of interleaved channels.
  public var mNumberChannels: UInt32
  /// Bytes.
  public var mDataByteSize: UInt32
  /// The first byte.
  public var mData: UnsafeMutableRawPointer?

  /// No memory.
  public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

  /// Memory of a program.
  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    self.mNumberChannels = mNumberChannels
    self.mDataByteSize = mDataByteSize
    self.mData = mData
  }

  /// The memory of a typed buffer.
  public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
    self.init(
      mNumberChannels: UInt32(numberOfChannels), mDataByteSize: UInt32(typedBuffer.count * MemoryLayout<Element>.stride),
      mData: typedBuffer.baseAddress.map { UnsafeMutableRawPointer($0) })
  }
}

/// A list of buffers. It has room for one; lists of more are made by ``allocate(maximumBuffers:)``.
public struct AudioBufferList {
  /// The number of buffers.
  public var mNumberBuffers: UInt32
  /// The first buffer, which others may follow in memory.
  public var mBuffers: AudioBuffer

  /// No buffer.
  public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

  /// A list of these values.
  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }

  /// The bytes of a list of a number of buffers, ≥ 1.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "a list has at least one buffer")
    return MemoryLayout<AudioBufferList>.size + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// Makes a list of empty buffers. Free it with `free(list.unsafeMutablePointer)`.
  ///
  /// - Parameter maximumBuffers: The number of buffers, ≥ 1.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let size = sizeInBytes(maximumBuffers: maximumBuffers)
    guard let memory = calloc(size, 1) else { preconditionFailure("There is no memory for \(maximumBuffers) buffers.") }
    let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
    list.pointee.mNumberBuffers = UInt32(maximumBuffers)
    return UnsafeMutableAudioBufferListPointer(list)
  }
}

/// The buffers of a list as a collection.
public struct UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
  /// The list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// The buffers of a list.
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

  /// The buffers of a list; `nil` without one.
  public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
    guard let p else { return nil }
    self.init(p)
  }

  /// The list.
  public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of buffers.
  public var endIndex: Int { count }

  /// The number of buffers. It may be set to less than what the list was made with.
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }

  private var buffers: UnsafeMutablePointer<AudioBuffer> {
    let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
    return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
  }

  /// A buffer. The index must be in the list.
  public subscript(index: Int) -> AudioBuffer {
    get {
      precondition(index >= 0 && index < count, "buffer \(index) of \(count)")
      return buffers[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count, "buffer \(index) of \(count)")
      buffers[index] = newValue
    }
  }
}
