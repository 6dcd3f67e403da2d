package import Compositor
package import CoreVideo
internal import Foundation

/// Frames as buffers.
extension PixelBufferFormat {
  /// A buffer of a frame. Memory is not copied if the format stores the same samples.
  ///
  /// - Throws: Why the frame cannot be converted.
  package func buffer(of frame: Frame, by converter: FrameConverter, pool: FramePool) throws -> CVPixelBuffer {
    guard let layout = PixelFormatLayout.of(type) else {
      throw AVError(.formatUnsupported, "The pixel format \(type) is not known here.")
    }
    var attributes = frame.attributes
    attributes.color = tags(attributes.color)
    if !hasAlpha { attributes.alphaMode = .opaque }
    let converted = try converter.convert(frame, to: format, attributes: attributes, pool: pool)
    let buffer = try lent(converted, layout) ?? rearranged(converted)
    CVBufferSetAttachments(
      buffer, Self.attachments(of: attributes, alpha: hasAlpha) as CFDictionary, .shouldPropagate)
    return buffer
  }

  /// A buffer of the frame's own memory; `nil` if bytes are arranged otherwise or rows are stored upward.
  private func lent(_ frame: Frame, _ layout: PixelFormatLayout) -> CVPixelBuffer? {
    let lent = frame.lendPlanes()
    guard case .same = arrangement, (0..<lent.count).allSatisfy({ lent[$0].stride > 0 }) else { return nil }
    let planes = (0..<lent.count).map { index in
      PixelMemory.Plane(
        base: UnsafeMutableRawPointer(mutating: lent[index].base), bytesPerRow: lent[index].stride, width: lent[index].width,
        height: lent[index].height)
    }
    let total = planes.reduce(0) { $0 + $1.bytesPerRow * $1.height }
    let memory = PixelMemory(planes, base: planes[0].base, byteCount: total, owner: .frame(lent)) { _ in }
    return CVPixelBuffer(
      memory, format: type, layout: layout, width: frame.size.width, height: frame.size.height)
  }

  /// A buffer of its own memory, with the bytes in the format's order.
  private func rearranged(_ frame: Frame) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    _ = CVPixelBufferCreate(kCFAllocatorDefault, frame.size.width, frame.size.height, type, nil, &made)
    guard let buffer = made else { throw AVError(.outOfMemory, "There is no memory for a frame of \(frame.size).") }
    let memory = buffer.memory
    frame.withUnsafePlanes { planes in arrangement.write(planes, of: frame.size, to: memory) }
    return buffer
  }
}
