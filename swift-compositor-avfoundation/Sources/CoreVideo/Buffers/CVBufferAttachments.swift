internal import Foundation

/// Whether what is attached to a buffer is passed on to buffers that are made of it.
public enum CVAttachmentMode: UInt32, Sendable {
  /// It describes this buffer only.
  case shouldNotPropagate = 0
  /// It describes buffers made of this one, too.
  case shouldPropagate = 1
}

/// Attaches a value under a key, replacing another one.
public func CVBufferSetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) {
  let key = key as String
  buffer.withAttachments { $0[key] = CVBuffer.Attachment(value: value, mode: attachmentMode) }
}

/// Attaches the values of a dictionary under its keys.
public func CVBufferSetAttachments(
  _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
  for (key, value) in theAttachments {
    guard let key = key as? String else { continue }
    CVBufferSetAttachment(buffer, NSString(string: key), value as AnyObject, attachmentMode)
  }
}

/// The value attached under a key; `nil` if there is none.
///
/// - Parameter attachmentMode: Where its mode is written, if there is one.
public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
  let key = key as String
  guard let attachment = buffer.withAttachments({ $0[key] }) else { return nil }
  attachmentMode?.pointee = attachment.mode
  return attachment.value
}

/// The value attached under a key, which the buffer keeps; `nil` if there is none.
public func CVBufferGetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Unmanaged<CFTypeRef>? {
  CVBufferCopyAttachment(buffer, key, attachmentMode).map(Unmanaged.passUnretained)
}

/// The values of a mode by their keys; `nil` if there are none.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
  let found = buffer.withAttachments { $0.filter { $0.value.mode == attachmentMode } }
  return found.isEmpty ? nil : NSDictionary(dictionary: found.mapValues(\.value))
}

/// The values of a mode by their keys; `nil` if there are none.
public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
  CVBufferCopyAttachments(buffer, attachmentMode)
}

/// Whether there is a value under a key.
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool {
  let key = key as String
  return buffer.withAttachments { $0[key] != nil }
}

/// Removes the value under a key, if there is one.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
  let key = key as String
  buffer.withAttachments { $0[key] = nil }
}

/// Removes all values.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) {
  buffer.withAttachments { $0 = [:] }
}

/// Attaches to a buffer what is attached to another one and is to be passed on. Other values of the buffer stay.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
  let passed = sourceBuffer.withAttachments { $0.filter { $0.value.mode == .shouldPropagate } }
  destinationBuffer.withAttachments { $0.merge(passed) { _, new in new } }
}

/// Attaches what attributes of a buffer say: the dictionaries under ``kCVBufferPropagatedAttachmentsKey`` and its counterpart.
func attach(_ attributes: CFDictionary?, to buffer: CVBuffer) {
  let all = attributes as? [String: Any] ?? [:]
  for (key, mode) in [
    (kCVBufferPropagatedAttachmentsKey, CVAttachmentMode.shouldPropagate),
    (kCVBufferNonPropagatedAttachmentsKey, .shouldNotPropagate),
  ] {
    guard let values = all[key as String] as? [String: Any] else { continue }
    for (name, value) in values { CVBufferSetAttachment(buffer, NSString(string: name), value as AnyObject, mode) }
  }
}
