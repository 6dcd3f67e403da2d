import CCompositorFFmpeg
import CompositorAPI
import CompositorMediaIO

/// An audio encoder of libavcodec. Samples are collected into packets of one size, so that the bytes written do not depend on
/// the number of samples per call.
final class AudioEncoder {
  private(set) var handle: OpaquePointer?
  private let name: String
  private let path: String
  /// Number of samples in a packet.
  let packetSize: Int
  private let channels: [UnsafeMutablePointer<Float>]
  private var pendingCount = 0
  private var sentCount: Int64 = 0

  /// Opens an encoder that sends its packets to `muxer`.
  init(_ audio: AudioEncodingSettings, muxer: OpaquePointer?, path: String) throws(CompositorError) {
    let name = audio.codec.encoderName
    (self.name, self.path) = (name, path)
    var opened: OpaquePointer?
    let failure = WriteFailure { failure in
      name.withCString { encoder in
        var settings = cff_audio_encoding()
        settings.encoder = encoder
        settings.sample_rate = Int32(audio.sampleRate)
        settings.channel_count = Int32(audio.channelCount)
        settings.bit_rate = audio.encoderBitRate
        settings.bit_depth = audio.encoderBitDepth
        // Audio needs no second thread, and a single thread makes the bytes independent of the machine.
        settings.threads = 1
        return cff_audio_encoder_open(&settings, muxer, &opened, &failure)
      }
    }
    handle = opened
    let wanted = opened.map { Int(cff_audio_encoder_frame_size($0)) } ?? 0
    let size = wanted > 0 ? wanted : 1024
    packetSize = size
    channels = (0..<audio.channelCount).map { _ in .allocate(capacity: size) }
    if let failure { throw failure.encoding(name, file: path) }
  }

  deinit {
    cff_encoder_destroy(&handle)
    channels.forEach { $0.deallocate() }
  }

  /// Collects samples up to a full packet and sends it.
  ///
  /// - Returns: The number of the `count` samples from `offset` that were taken.
  func take(_ samples: [UnsafeMutablePointer<Float>], offset: Int, count: Int) throws(CompositorError) -> Int {
    let taken = min(count, packetSize - pendingCount)
    for (channel, source) in zip(channels, samples) {
      (channel + pendingCount).update(from: source + offset, count: taken)
    }
    pendingCount += taken
    if pendingCount == packetSize { try sendPending() }
    return taken
  }

  /// Sends the remaining samples and signals the end of the audio.
  func sendEnd() throws(CompositorError) {
    if pendingCount > 0 { try sendPending() }
    try check { cff_encoder_send_end(handle, &$0) }
  }

  /// Receives a packet. Returns whether one is ready to be written.
  func receive() throws(CompositorError) -> Bool {
    var isReady = false
    try check { cff_encoder_receive(handle, &isReady, &$0) }
    return isReady
  }

  private func sendPending() throws(CompositorError) {
    try check { failure in
      channels.map { UnsafePointer($0) as UnsafePointer<Float>? }.withUnsafeBufferPointer {
        cff_audio_encoder_send(handle, $0.baseAddress, Int32(pendingCount), sentCount, &failure)
      }
    }
    sentCount += Int64(pendingCount)
    pendingCount = 0
  }

  private func check(_ body: (inout cff_failure) -> cff_status) throws(CompositorError) {
    if let failure = WriteFailure(body) { throw failure.encoding(name, file: path) }
  }
}
