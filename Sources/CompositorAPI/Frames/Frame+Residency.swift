extension Frame {
  /// Creates a frame of an image in the memory of a device. No pixels are copied.
  ///
  /// - Parameters:
  ///   - image: The image. It is released with the last copy of the frame.
  ///   - format: The pixel format.
  ///   - size: The size in pixels.
  ///   - attributes: The metadata of the frame's pixels.
  public init(_ image: any DeviceImage, format: PixelFormat, size: PixelSize, attributes: FrameAttributes) {
    self.init(
      lease: FrameLease(memory: FrameMemory(image), pool: nil), format: format, size: size, attributes: attributes)
  }

  /// The device in whose memory the pixels are; `nil` for the host's memory.
  public var device: DeviceID? { lease.memory.image?.device }

  /// The image in the memory of a device; `nil` for a frame in the host's memory.
  public var deviceImage: (any DeviceImage)? { lease.memory.image }

  /// Whether the pixels are in the host's memory.
  package var isInHostMemory: Bool { lease.memory.image == nil }

  /// The frame in the host's memory: itself, or a copy that is made once and kept as long as the frame. Waits for the device
  /// and the copy; others who ask for the same frame wait for the same copy.
  ///
  /// - Parameters:
  ///   - purpose: The reader, for the error's message, such as `the encoder`.
  ///   - pool: The pool for the copy; `nil` for memory outside any pool.
  /// - Throws: `.deviceFailed` if the device can't be read, or gave samples above the format's depth; `.framePoolExhausted`.
  public func downloaded(for purpose: String = "reading", pool: FramePool? = nil) throws(CompositorError) -> Frame {
    guard let image = lease.memory.image else { return self }
    let copy = try lease.copy(in: nil) { () throws(CompositorError) in
      var copy = try pool?.makeFrame(format: format, size: size) ?? MutableFrame(format: format, size: size)
      try copy.fill(from: image, for: purpose)
      return copy.freeze().lease
    }
    return Frame(lease: copy, format: format, size: size, attributes: attributes)
  }

  /// The frame in a device's memory: itself, or a copy that is made once and kept as long as the frame. A frame of another
  /// device goes through the host's memory.
  ///
  /// - Throws: `.deviceFailed` if either device fails.
  public func uploaded(to device: any FrameDevice) throws(CompositorError) -> Frame {
    let id = device.id
    guard self.device != id else { return self }
    let host = try downloaded(for: "the device “\(id)”")
    let copy = try lease.copy(in: id) { () throws(CompositorError) in
      let image = Result { try host.withUnsafePlanes { try device.upload($0, format: format, size: size) } }
      switch image {
      case .success(let image): return FrameLease(memory: FrameMemory(image), pool: nil)
      case .failure(let error):
        throw CompositorError(
          device: id, failure: error, "A frame of \(size) \(format) couldn't be copied to the device “\(id)”.")
      }
    }
    return Frame(lease: copy, format: format, size: size, attributes: attributes)
  }

  /// The host's memory with the pixels, which the lease keeps. A frame of a device is downloaded first.
  var hostMemory: FrameMemory {
    guard lease.memory.image != nil else { return lease.memory }
    do throws(CompositorError) {
      return try downloaded().lease.memory
    } catch {
      preconditionFailure("\(error.message) Call downloaded() to receive the error.")
    }
  }
}

extension MutableFrame {
  /// Copies an image of a device, of this frame's format and size.
  fileprivate mutating func fill(from image: any DeviceImage, for purpose: String) throws(CompositorError) {
    let (format, size) = (format, size)
    let outcome = Result {
      try image.wait()
      try withUnsafeMutablePlanes { try image.download(into: $0) }
    }
    if case .failure(let error) = outcome {
      throw CompositorError(
        device: image.device, failure: error,
        "A frame of \(size) \(format) couldn't be copied from the device “\(image.device)” for \(purpose).")
    }
    guard withUnsafeMutablePlanes({ $0.exceedDepth(of: format) }) else { return }
    throw CompositorError(
      .deviceFailed,
      "The device “\(image.device)” gave samples above \((1 << format.bitDepth) - 1), the greatest of \(format), for \(purpose).",
      recoverySuggestion: "Clamp each sample to the depth of the format.")
  }
}

extension MutablePlanes {
  /// Whether samples are above the greatest that the format's depth allows, which kernels couldn't look up.
  fileprivate func exceedDepth(of format: PixelFormat) -> Bool {
    guard format.layout == .planar, (9..<16).contains(format.bitDepth) else { return false }
    return (0..<count).contains { index in
      let plane = self[index]
      var bits: UInt16 = 0
      for y in 0..<plane.height {
        let row = (plane.base + y * plane.stride).assumingMemoryBound(to: UInt16.self)
        for x in 0..<plane.width { bits |= row[x] }
      }
      return bits >> format.bitDepth != 0
    }
  }
}

extension CompositorError {
  /// Wraps any error of a device.
  fileprivate init(device: DeviceID, failure error: any Error, _ message: String) {
    self.init(
      .deviceFailed, message, recoverySuggestion: "Use compositors that don't need the device, or render again.",
      cause: (error as? CompositorError)?.message ?? String(describing: error))
  }
}
