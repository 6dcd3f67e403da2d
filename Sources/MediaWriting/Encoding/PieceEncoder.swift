import CCompositorFFmpeg
package import CompositorAPI
package import CompositorMediaIO

/// Encodes a few frames with packets that fit between those of a file's track: H.264 by libx264.
package final class PieceEncoder {
  private var handle: OpaquePointer?
  private let path: String
  private let lengthSize: Int32
  /// Initialization data for decoders of the packets.
  package let header: [UInt8]
  private var frameCount: Int64 = 0

  /// Opens an encoder.
  ///
  /// - Parameters:
  ///   - format: Format of the frames.
  ///   - options: The encoder's options as `key=value` lines.
  ///   - path: The file to write, for error messages.
  package init(
    like track: PacketReader.Track, of reader: PacketReader, format: PixelFormat, options: String, path: String
  ) throws(CompositorError) {
    var handle: OpaquePointer?
    let failure = WriteFailure {
      cff_copy_encoder_open(reader.handle, reader.stream(track), "libx264", format.name, options, &handle, &$0)
    }
    if let failure { throw failure.encoding("libx264", file: path) }
    self.handle = handle
    self.path = path
    lengthSize = reader.parameters(track).length_size
    var size: Int32 = 0
    let bytes = cff_copy_encoder_extradata(handle, &size)
    header = Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(size)))
  }

  deinit { cff_encoder_destroy(&handle) }

  /// Whether libavcodec has the encoder.
  package static var isAvailable: Bool { cff_encoder_exists("libx264") }

  /// Sends the next frame in presentation order.
  package func send(_ frame: Frame) throws(CompositorError) {
    var picture = try cff_lent_picture(lending: frame, time: frameCount, duration: 1, for: "the encoder")
    frameCount += 1
    try check { cff_video_encoder_send(handle, &picture, &$0) }
  }

  /// Signals the end of the frames.
  package func sendEnd() throws(CompositorError) { try check { cff_encoder_send_end(handle, &$0) } }

  /// The next packet in decoding order, whose time is the number of its frame; `nil` if there is none yet.
  package func receive() throws(CompositorError) -> CodedPacket? {
    var isReady = false
    try check { cff_encoder_receive(handle, &isReady, &$0) }
    guard isReady else { return nil }
    var packet = cff_packet()
    try check { cff_copy_encoder_take(handle, lengthSize, &packet, &$0) }
    return CodedPacket(packet)
  }

  private func check(_ body: (inout cff_failure) -> cff_status) throws(CompositorError) {
    if let failure = WriteFailure(body) { throw failure.encoding("libx264", file: path) }
  }
}
