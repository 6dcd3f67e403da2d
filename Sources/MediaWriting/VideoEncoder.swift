import CCompositorFFmpeg
import CompositorAPI
import CompositorMediaIO

/// A picture encoder of libavcodec. Frames go in by reference and are let go of when the encoder is done with them.
final class VideoEncoder {
  private(set) var handle: OpaquePointer?
  private let name: String
  private let path: String

  /// Opens an encoder for `video` whose packets go to `muxer`.
  init(_ video: VideoTrackDescription, muxer: OpaquePointer?, path: String) throws(CompositorError) {
    self.name = video.encoding.codec.encoderName
    self.path = path
    guard video.attributes.color.isCodePoint else {
      throw CompositorError(
        .unsupportedOutput, "No file can state \(video.attributes.color.shortName): it has no code point in ITU-T H.273.",
        recoverySuggestion: "Convert the frames to BT.709, HLG or PQ.", at: ErrorLocation(file: path))
    }
    try check { failure in
      name.withCString { encoder in
        video.format.name.withCString { format in
          EncoderOptions(video).text.withCString { options in
            var settings = cff_video_encoding(video)
            settings.encoder = encoder
            settings.pixel_format = format
            settings.options = options
            return cff_video_encoder_open(&settings, muxer, &handle, &failure)
          }
        }
      }
    }
  }

  deinit { cff_encoder_destroy(&handle) }

  /// Hands a frame over; `time` and `duration` count units of the track's timing.
  func send(_ frame: Frame, time: Int64, duration: Int64) throws(CompositorError) {
    var picture = cff_lent_picture(lending: frame, time: time, duration: duration)
    try check { cff_video_encoder_send(handle, &picture, &$0) }
  }

  /// Says that no more frames come.
  func sendEnd() throws(CompositorError) {
    try check { cff_encoder_send_end(handle, &$0) }
  }

  /// Whether a packet is ready to be written.
  func receive() throws(CompositorError) -> Bool {
    var isReady = false
    try check { cff_encoder_receive(handle, &isReady, &$0) }
    return isReady
  }

  private func check(_ body: (inout cff_failure) -> cff_status) throws(CompositorError) {
    if let failure = WriteFailure(body) { throw failure.encoding(name, file: path) }
  }
}

extension cff_video_encoding {
  /// Everything but the strings.
  init(_ video: VideoTrackDescription) {
    self.init()
    let (unit, rate) = (video.timing.unit, video.timing.nominalFrameRate)
    let (aspect, color) = (video.attributes.pixelAspectRatio.reduced, video.attributes.color)
    (width, height) = (Int32(video.size.width), Int32(video.size.height))
    (aspect_num, aspect_den) = (Int32(aspect.numerator), Int32(aspect.denominator))
    (time_base_num, time_base_den) = (Int32(unit.numerator), Int32(unit.denominator))
    (rate_num, rate_den) = (Int32(rate.numerator), Int32(rate.denominator))
    (primaries, transfer, matrix) = (
      Int32(color.primaries.rawValue), Int32(color.transfer.rawValue), Int32(color.matrix.rawValue)
    )
    full_range = color.range == .full
    chroma_location = video.format.subsampling == .s420 ? color.chromaLocation.type : -1
    if case .bitRate(let rate) = video.encoding.quality { bit_rate = Int64(rate) }
    if case .constant(let scale) = video.encoding.quality, video.encoding.codec == .proRes { quality_scale = scale }
    key_interval = video.encoding.codec == .ffv1 ? 1 : Int32(video.encoding.keyFrameInterval ?? 0)
    threads = Int32(video.encoding.threadCount ?? 0)
    mastering = cff_mastering_metadata(video.attributes.hdr)
  }
}
