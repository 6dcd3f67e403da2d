import CCompositorFFmpeg
import CompositorAPI
import CompositorMediaIO
import Foundation

/// A video encoder of libavcodec. Frames are passed by reference and released when the encoder is done with them.
final class VideoEncoder {
  private(set) var handle: OpaquePointer?
  private let name: String
  private let path: String

  /// Opens an encoder for `video` that sends its packets to `muxer`.
  init(_ video: VideoTrackDescription, muxer: OpaquePointer?, path: String) throws(CompositorError) {
    self.name = video.encoding.encoderName ?? video.encoding.codec.rawValue
    self.path = path
    guard video.attributes.color.isCodePoint else {
      throw CompositorError(
        .unsupportedOutput, "No file can state \(video.attributes.color.shortName): it has no code point in ITU-T H.273.",
        recoverySuggestion: "Convert the frames to BT.709, HLG or PQ.", at: ErrorLocation(file: path))
    }
    let device = try HardwareDevice(for: video.encoding)
    let measured = try Self.statistics(of: video)
    var palette = cff_palette_use()
    palette.is_transparent = video.attributes.alphaMode != .opaque
    try check { failure in
      withStrings([
        name, video.format.name, EncoderOptions(video).text, measured.path, measured.text,
        video.encoding.animation.dithering.filterName,
      ]) { strings in
        withPalette(video.palette) { colors in
          (palette.colors, palette.dithering) = (colors, strings[5])
          return withUnsafePointer(to: &palette) { palette in
            var settings = cff_video_encoding(video)
            settings.encoder = strings[0]
            settings.pixel_format = strings[1]
            settings.options = strings[2]
            settings.statistics_path = strings[3]
            settings.statistics = strings[4]
            settings.palette = video.encoding.codec == .gif ? palette : nil
            settings.device = device?.handle
            return cff_video_encoder_open(&settings, muxer, &handle, &failure)
          }
        }
      }
    }
  }

  /// Passes the statistics of a first pass to an encoder: as a file that it reads itself, or as a string.
  private static func statistics(
    of video: VideoTrackDescription
  ) throws(CompositorError) -> (path: String?, text: String?) {
    switch (video.encoding.codec, video.pass) {
    case (.h264, _): return (video.pass.statistics, nil)
    case (.av1, .second(let path)), (.vp9, .second(let path)):
      do {
        return (nil, try String(contentsOfFile: path, encoding: .utf8))
      } catch {
        throw CompositorError(
          .encodeFailed, "The statistics of the first pass cannot be read.", recoverySuggestion: "Try again.",
          cause: error.localizedDescription, at: ErrorLocation(file: path))
      }
    default: return (nil, nil)
    }
  }

  deinit { cff_encoder_destroy(&handle) }

  /// Sends a frame; `time` and `duration` are in units of the track's timing.
  func send(_ frame: Frame, time: Int64, duration: Int64) throws(CompositorError) {
    var picture = try cff_lent_picture(lending: frame, time: time, duration: duration, for: "the encoder")
    try check { cff_video_encoder_send(handle, &picture, &$0) }
  }

  /// Signals the end of the frames.
  func sendEnd() throws(CompositorError) {
    try check { cff_encoder_send_end(handle, &$0) }
  }

  /// Receives a packet. Returns whether one is ready to be written.
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
    if case .constant(let scale) = video.encoding.quality, video.encoding.codec == .proRes || video.encoding.encoder == .vaapi {
      quality_scale = scale
    }
    key_interval = video.encoding.codec == .ffv1 ? 1 : Int32(video.encoding.keyFrameInterval(at: rate) ?? 0)
    has_alpha = video.attributes.alphaMode != .opaque
    pass = video.encoding.codec == .hevc ? 0 : video.pass.number
    threads = Int32(EncoderThreads(video.encoding, size: video.size).count)
    mastering = cff_mastering_metadata(video.attributes.hdr)
  }
}

extension VideoEncodingSettings {
  /// The maximum distance of key frames, in frames, at a rate; `nil` leaves it to the codec.
  func keyFrameInterval(at rate: Rational) -> Int? {
    if let keyFrameInterval { return keyFrameInterval }
    guard let keyFrameDuration else { return nil }
    return Int(min(max((keyFrameDuration.seconds * rate.value).rounded(.down), 1), 100_000))
  }
}

/// C strings that live as long as the call; NULL for `nil`.
private func withStrings<R>(_ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> R) -> R {
  let copies = texts.map { $0.flatMap { strdup($0) } }
  defer { for copy in copies { free(copy) } }
  return body(copies.map { $0.map { UnsafePointer($0) } })
}

private func withPalette<R>(_ palette: ColorPalette?, _ body: (UnsafePointer<UInt32>?) -> R) -> R {
  guard let palette else { return body(nil) }
  return palette.colors.withUnsafeBufferPointer { body($0.baseAddress) }
}
