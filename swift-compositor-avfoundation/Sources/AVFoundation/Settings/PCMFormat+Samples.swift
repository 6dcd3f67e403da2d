internal import Foundation

/// Samples as bytes, and back.
extension PCMFormat {
  /// Where the number of a sample begins.
  private func place(_ channel: Int, _ sample: Int, of count: Int) -> Int {
    (isInterleaved ? sample * channelCount + channel : channel * count + sample) * byteCount
  }

  /// Writes samples of −1 … 1. Integers are rounded to the nearest and clipped.
  ///
  /// - Parameter bytes: Memory for as many numbers as there are samples of all channels.
  func write(_ channels: [[Float]], count: Int, to bytes: UnsafeMutableRawPointer) {
    for (channel, samples) in channels.enumerated() {
      for sample in 0..<count {
        let target = bytes + place(channel, sample, of: count)
        switch number {
        case .int16: store(integer(samples[sample], bits: 16), 2, at: target)
        case .int24: store(integer(samples[sample], bits: 24), 3, at: target)
        case .int32: store(integer(samples[sample], bits: 32), 4, at: target)
        case .float32: store(Int64(samples[sample].bitPattern), 4, at: target)
        case .float64: store(Int64(bitPattern: Double(samples[sample]).bitPattern), 8, at: target)
        }
      }
    }
  }

  /// Reads samples, as −1 … 1.
  func read(_ bytes: UnsafeRawPointer, count: Int) -> [[Float]] {
    (0..<channelCount).map { channel in
      (0..<count).map { sample in
        let source = bytes + place(channel, sample, of: count)
        return switch number {
        case .int16: Float(Double(signed(load(2, at: source), bits: 16)) / 32_768)
        case .int24: Float(Double(signed(load(3, at: source), bits: 24)) / 8_388_608)
        case .int32: Float(Double(signed(load(4, at: source), bits: 32)) / 2_147_483_648)
        case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: load(4, at: source)))
        case .float64: Float(Double(bitPattern: load(8, at: source)))
        }
      }
    }
  }

  private func integer(_ sample: Float, bits: Int) -> Int64 {
    let scale = Double(Int64(1) << (bits - 1))
    let value = (Double(sample) * scale).rounded()
    return value.isNaN ? 0 : Int64(min(max(value, -scale), scale - 1))
  }

  private func signed(_ value: UInt64, bits: Int) -> Int64 { Int64(bitPattern: value << (64 - bits)) >> (64 - bits) }

  private func store(_ value: Int64, _ count: Int, at target: UnsafeMutableRawPointer) {
    for index in 0..<count {
      let byte = UInt8(truncatingIfNeeded: value >> (8 * index))
      target.storeBytes(of: byte, toByteOffset: isBigEndian ? count - 1 - index : index, as: UInt8.self)
    }
  }

  private func load(_ count: Int, at source: UnsafeRawPointer) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count {
      let byte = source.load(fromByteOffset: isBigEndian ? count - 1 - index : index, as: UInt8.self)
      value |= UInt64(byte) << (8 * UInt64(index))
    }
    return value
  }

  /// A buffer of samples at a time.
  ///
  /// - Throws: `.outOfMemory`.
  func sampleBuffer(
    _ channels: [[Float]], at time: CMTime, _ format: CMAudioFormatDescription
  ) throws(AVError) -> CMSampleBuffer {
    let count = channels.first?.count ?? 0
    var made: CMSampleBuffer?
    if let block = try? CMBlockBuffer(length: count * channelCount * byteCount) {
      var bytes: UnsafeMutablePointer<CChar>?
      CMBlockBufferGetDataPointer(
        block, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: &bytes)
      if let bytes { write(channels, count: count, to: UnsafeMutableRawPointer(bytes)) }
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: block, formatDescription: format, sampleCount: count, presentationTimeStamp: time,
        packetDescriptions: nil, sampleBufferOut: &made)
    }
    guard let made else { throw AVError(.outOfMemory, "There is no memory for \(count) samples.") }
    return made
  }

  /// The samples of a buffer of this format; `nil` if it has fewer bytes than it says.
  func samples(of buffer: CMSampleBuffer) -> [[Float]]? {
    let count = buffer.numSamples
    guard let data = buffer.dataBuffer, data.dataLength >= count * channelCount * byteCount else { return nil }
    return try? data.withContiguousStorage { bytes in
      bytes.baseAddress.map { read($0, count: count) } ?? []
    }
  }
}
