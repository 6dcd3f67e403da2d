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
      samples.withUnsafeBufferPointer { samples in
        let first = bytes + place(channel, 0, of: count)
        switch number {
        case .float32 where !isBigEndian: put(samples, count, at: first) { $0 }
        case .float64 where !isBigEndian: put(samples, count, at: first) { Double($0) }
        case .int16 where !isBigEndian: put(samples, count, at: first) { Int16(truncatingIfNeeded: integer($0, 32_768)) }
        case .int32 where !isBigEndian: put(samples, count, at: first) { Int32(truncatingIfNeeded: integer($0, 2_147_483_648)) }
        case .float32, .float64, .int16, .int24, .int32:
          for sample in 0..<count { store(bits(of: samples[sample]), at: first + sample * step) }
        }
      }
    }
  }

  /// Reads samples, as −1 … 1.
  func read(_ bytes: UnsafeRawPointer, count: Int) -> [[Float]] {
    (0..<channelCount).map { channel in
      let first = bytes + place(channel, 0, of: count)
      return [Float](unsafeUninitializedCapacity: count) { samples, made in
        switch number {
        case .float32 where !isBigEndian: take(samples, count, at: first) { (value: Float) in value }
        case .float64 where !isBigEndian: take(samples, count, at: first) { (value: Double) in Float(value) }
        case .int16 where !isBigEndian: take(samples, count, at: first) { (value: Int16) in Float(value) / 32_768 }
        case .int32 where !isBigEndian:
          take(samples, count, at: first) { (value: Int32) in Float(Double(value) / 2_147_483_648) }
        case .float32, .float64, .int16, .int24, .int32:
          for sample in 0..<count { samples[sample] = value(of: load(at: first + sample * step)) }
        }
        made = count
      }
    }
  }

  /// Bytes from a sample of a channel to the next one.
  private var step: Int { byteCount * (isInterleaved ? channelCount : 1) }

  /// Writes numbers of the machine.
  private func put<Number>(
    _ samples: UnsafeBufferPointer<Float>, _ count: Int, at first: UnsafeMutableRawPointer, _ convert: (Float) -> Number
  ) {
    let target = first.assumingMemoryBound(to: Number.self)
    let stride = isInterleaved ? channelCount : 1
    var (sample, place) = (0, 0)
    while sample < count {
      target[place] = convert(samples[sample])
      sample += 1
      place += stride
    }
  }

  /// Reads numbers of the machine.
  private func take<Number>(
    _ samples: UnsafeMutableBufferPointer<Float>, _ count: Int, at first: UnsafeRawPointer, _ convert: (Number) -> Float
  ) {
    let size = step
    var (sample, place) = (0, 0)
    while sample < count {
      samples[sample] = convert(first.loadUnaligned(fromByteOffset: place, as: Number.self))
      sample += 1
      place += size
    }
  }

  /// The bits of a number in another byte order, or of three bytes.
  private func bits(of sample: Float) -> UInt64 {
    switch number {
    case .int16: UInt64(bitPattern: integer(sample, 32_768))
    case .int24: UInt64(bitPattern: integer(sample, 8_388_608))
    case .int32: UInt64(bitPattern: integer(sample, 2_147_483_648))
    case .float32: UInt64(sample.bitPattern)
    case .float64: Double(sample).bitPattern
    }
  }

  private func value(of bits: UInt64) -> Float {
    switch number {
    case .int16: Float(Double(signed(bits, bits: 16)) / 32_768)
    case .int24: Float(Double(signed(bits, bits: 24)) / 8_388_608)
    case .int32: Float(Double(signed(bits, bits: 32)) / 2_147_483_648)
    case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    case .float64: Float(Double(bitPattern: bits))
    }
  }

  private func integer(_ sample: Float, _ scale: Double) -> Int64 {
    let value = (Double(sample) * scale).rounded()
    return value.isNaN ? 0 : Int64(min(max(value, -scale), scale - 1))
  }

  private func signed(_ value: UInt64, bits: Int) -> Int64 { Int64(bitPattern: value << (64 - bits)) >> (64 - bits) }

  private func store(_ bits: UInt64, at target: UnsafeMutableRawPointer) {
    for index in 0..<byteCount {
      let byte = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))
      target.storeBytes(of: byte, toByteOffset: isBigEndian ? byteCount - 1 - index : index, as: UInt8.self)
    }
  }

  private func load(at source: UnsafeRawPointer) -> UInt64 {
    var bits: UInt64 = 0
    for index in 0..<byteCount {
      let byte = source.load(fromByteOffset: isBigEndian ? byteCount - 1 - index : index, as: UInt8.self)
      bits |= UInt64(byte) << UInt64(8 * index)
    }
    return bits
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
