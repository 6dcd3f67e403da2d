public import CoreVideo
internal import Foundation
internal import Synchronization

/// Something that values can be attached to: sample buffers, block buffers and pixel buffers.
public typealias CMAttachmentBearer = CFTypeRef
/// Whether an attachment is passed on to what is made of its bearer.
public typealias CMAttachmentMode = UInt32

/// It describes this object only.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// It describes objects made of this one, too.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// Values by their keys, each with its mode. May be used from any thread.
final class AttachmentTable: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [String: (value: AnyObject, mode: CMAttachmentMode)] = [:]

  subscript(key: String) -> (value: AnyObject, mode: CMAttachmentMode)? {
    get { lock.withLock { values[key] } }
    set { lock.withLock { values[key] = newValue } }
  }

  /// The values of a mode.
  func all(_ mode: CMAttachmentMode) -> [String: AnyObject] {
    lock.withLock { values.filter { $0.value.mode == mode }.mapValues(\.value) }
  }

  func removeAll() { lock.withLock { values = [:] } }

  /// Takes over the values of another table that are passed on.
  func propagate(from other: AttachmentTable) {
    let passed = other.lock.withLock { other.values.filter { $0.value.mode == kCMAttachmentMode_ShouldPropagate } }
    lock.withLock { values.merge(passed) { _, new in new } }
  }

  /// The values of a bearer that is not a pixel buffer.
  static func of(_ bearer: CMAttachmentBearer) -> AttachmentTable {
    switch bearer {
    case let buffer as CMSampleBuffer: buffer.attachmentTable
    case let buffer as CMBlockBuffer: buffer.attachments
    default: preconditionFailure("Nothing can be attached to an object of \(type(of: bearer)).")
    }
  }
}

/// Attaches a value to a buffer under a key, replacing another one; `nil` removes it.
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
  if let buffer = target as? CVBuffer {
    guard let value else { return CVBufferRemoveAttachment(buffer, key) }
    CVBufferSetAttachment(buffer, key, value, attachmentMode == 1 ? .shouldPropagate : .shouldNotPropagate)
  } else {
    AttachmentTable.of(target)[key as String] = value.map { ($0, attachmentMode) }
  }
}

/// The value attached under a key; `nil` if there is none.
///
/// - Parameter attachmentModeOut: Where its mode is written, if there is one.
public func CMGetAttachment(
  _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
  if let buffer = target as? CVBuffer {
    var mode = CVAttachmentMode.shouldNotPropagate
    let value = CVBufferCopyAttachment(buffer, key, &mode)
    if value != nil { attachmentModeOut?.pointee = mode.rawValue }
    return value
  }
  guard let found = AttachmentTable.of(target)[key as String] else { return nil }
  attachmentModeOut?.pointee = found.mode
  return found.value
}

/// Removes the value under a key, if there is one.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
  CMSetAttachment(target, key: key, value: nil, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
}

/// Removes all values.
public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) {
  if let buffer = target as? CVBuffer { CVBufferRemoveAllAttachments(buffer) } else { AttachmentTable.of(target).removeAll() }
}

/// Attaches the values of a dictionary under its keys.
public func CMSetAttachments(
  _ target: CMAttachmentBearer, attachments theAttachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
  for (key, value) in theAttachments {
    guard let key = key as? String else { continue }
    CMSetAttachment(target, key: NSString(string: key), value: value as AnyObject, attachmentMode: attachmentMode)
  }
}

/// The values of a mode by their keys; `nil` if there are none.
public func CMCopyDictionaryOfAttachments(
  allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
  if let buffer = target as? CVBuffer {
    return CVBufferCopyAttachments(buffer, attachmentMode == 1 ? .shouldPropagate : .shouldNotPropagate)
  }
  let values = AttachmentTable.of(target).all(attachmentMode)
  return values.isEmpty ? nil : NSDictionary(dictionary: values)
}

/// Attaches to a buffer what is attached to another one and is to be passed on. Other values of the buffer stay.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
  guard
    let passed = CMCopyDictionaryOfAttachments(
      allocator: nil, target: source, attachmentMode: kCMAttachmentMode_ShouldPropagate)
  else { return }
  CMSetAttachments(destination, attachments: passed, attachmentMode: kCMAttachmentMode_ShouldPropagate)
}
