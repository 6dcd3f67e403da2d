package import Compositor
package import CoreVideo
internal import Foundation

/// The pixels of a buffer at the time at which a program finished a request with it. Later writes to the buffer go to a copy.
package struct FrozenPixelBuffer: Sendable {
  let memory: PixelMemory
  let type: OSType
  let size: PixelSize
  let layout: PixelFormatLayout

  package init(_ buffer: CVPixelBuffer, _ memory: PixelMemory) {
    self.memory = memory
    type = buffer.format
    size = PixelSize(width: buffer.width, height: buffer.height)
    layout = buffer.layout
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
    guard let format = PixelBufferFormat.of(type) else {
      throw AVError(.compositorFailed, "The compositor gave a frame in the pixel format \(type), which cannot be read here.")
    }
    var attributes = context.outputAttributes
    attributes.color = format.tags(attributes.color)
    if !format.hasAlpha { attributes.alphaMode = .opaque }
    return try converter.convert(
      try frame(format, attributes, context.pool), to: context.outputFormat, attributes: context.outputAttributes,
      pool: context.pool)
  }

  /// A frame of the pixels, with attributes that fit the format. Memory is not copied if its format stores the same samples.
  ///
  /// - Throws: If there is no memory.
  func frame(_ format: PixelBufferFormat, _ attributes: FrameAttributes, _ pool: FramePool) throws -> Frame {
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
