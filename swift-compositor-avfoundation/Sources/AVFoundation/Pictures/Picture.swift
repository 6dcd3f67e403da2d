package import Compositor
package import CoreVideo
internal import Foundation

/// The pixels of a buffer as they were when the program gave it. They do not change: who writes to the buffer writes to a copy.
package struct Picture: Sendable {
  let memory: PixelMemory
  let type: OSType
  let size: PixelSize
  private let layout: PixelFormatLayout

  package init(_ buffer: CVPixelBuffer, _ memory: PixelMemory) {
    self.memory = memory
    type = buffer.format
    size = PixelSize(width: buffer.width, height: buffer.height)
    layout = buffer.layout
  }

  /// A buffer of a frame. Memory is not copied if the format stores the same samples.
  ///
  /// - Throws: Why the frame cannot be converted.
  package static func buffer(
    of frame: Frame, as format: PictureFormat, by converter: FrameConverter, pool: FramePool
  ) throws -> CVPixelBuffer {
    guard let layout = PixelFormatLayout.of(format.type) else {
      throw AVError(.formatUnsupported, "The pixel format \(format.type) is not known here.")
    }
    var attributes = frame.attributes
    attributes.color = format.tags(attributes.color)
    if !format.hasAlpha { attributes.alphaMode = .opaque }
    let converted = try converter.convert(frame, to: format.format, attributes: attributes, pool: pool)
    let buffer = try lent(converted, format, layout) ?? rearranged(converted, format)
    CVBufferSetAttachments(
      buffer, PictureFormat.attachments(of: attributes, alpha: format.hasAlpha) as CFDictionary, .shouldPropagate)
    return buffer
  }

  /// A buffer of the frame's own memory; `nil` if bytes are arranged otherwise or rows are stored upward.
  private static func lent(_ frame: Frame, _ format: PictureFormat, _ layout: PixelFormatLayout) -> CVPixelBuffer? {
    let lent = frame.lendPlanes()
    guard case .same = format.arrangement, (0..<lent.count).allSatisfy({ lent[$0].stride > 0 }) else { return nil }
    let planes = (0..<lent.count).map { index in
      PixelMemory.Plane(
        base: UnsafeMutableRawPointer(mutating: lent[index].base), bytesPerRow: lent[index].stride, width: lent[index].width,
        height: lent[index].height)
    }
    let total = planes.reduce(0) { $0 + $1.bytesPerRow * $1.height }
    let memory = PixelMemory(planes, base: planes[0].base, byteCount: total, owner: .frame(lent)) { _ in }
    return CVPixelBuffer(
      memory, format: format.type, layout: layout, width: frame.size.width, height: frame.size.height)
  }

  private static func rearranged(_ frame: Frame, _ format: PictureFormat) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    _ = CVPixelBufferCreate(kCFAllocatorDefault, frame.size.width, frame.size.height, format.type, nil, &made)
    guard let buffer = made else { throw AVError(.outOfMemory, "There is no memory for a frame of \(frame.size).") }
    let memory = buffer.memory
    frame.withUnsafePlanes { planes in format.arrangement.write(planes, of: frame.size, to: memory) }
    return buffer
  }

  /// A frame of the pixels, as a render context asks for it. Memory is not copied if its format stores the same samples.
  ///
  /// - Throws: `.compositorFailed` if the size is another; why it cannot be converted.
  package func frame(for context: RenderContext, by converter: FrameConverter) throws -> Frame {
    guard size == context.size else {
      throw AVError(
        .compositorFailed, "The compositor gave a frame of \(size) where \(context.size) was asked for.",
        suggestion: "Make frames with newPixelBuffer() of the request's render context.")
    }
    guard let format = PictureFormat.of(type) else {
      throw AVError(.compositorFailed, "The compositor gave a frame in the pixel format \(type), which cannot be read here.")
    }
    var attributes = context.outputAttributes
    attributes.color = format.tags(attributes.color)
    if !format.hasAlpha { attributes.alphaMode = .opaque }
    return try converter.convert(
      try frame(format, attributes, context.pool), to: context.outputFormat, attributes: context.outputAttributes,
      pool: context.pool)
  }

  private func frame(_ format: PictureFormat, _ attributes: FrameAttributes, _ pool: FramePool) throws -> Frame {
    if let lent = memory.frame as? LentPlanes {
      var frame = lent.frame
      frame.attributes = attributes
      return frame
    }
    guard case .same = format.arrangement else {
      var frame = try pool.makeFrame(format: format.format, size: size, attributes: attributes)
      let size = size
      frame.withUnsafeMutablePlanes { planes in format.arrangement.read(memory, of: size, to: planes) }
      return frame.freeze()
    }
    // Kernels read past the end of rows, which a program's memory need not have.
    let own = if case .own = memory.owner { memory } else { memory.copy(layout, width: size.width, height: size.height) }
    guard let own else { throw AVError(.outOfMemory, "There is no memory for a frame of \(size).") }
    return Frame(
      wrapping: own.planes.map(\.base), strides: own.planes.map(\.bytesPerRow), format: format.format, size: size,
      attributes: attributes, release: { withExtendedLifetime(own) {} })
  }
}
