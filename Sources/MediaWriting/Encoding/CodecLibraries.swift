import CCompositorFFmpeg
package import CompositorAPI
import CompositorMediaIO

extension VideoEncodingSettings {
  /// The encoder's library by libavcodec's name of the encoder: `libx264.so.164` for `libx264`; `nil` for libavcodec's own
  /// encoders.
  package var encoderLibrary: (encoder: String, library: String)? {
    encoderName.flatMap { name in MediaLibraries.library(ofEncoder: name).map { (name, $0) } }
  }
}

extension AudioEncodingSettings {
  /// The encoder's library by libavcodec's name of the encoder; `nil` for libavcodec's own encoders.
  package var encoderLibrary: (encoder: String, library: String)? {
    MediaLibraries.library(ofEncoder: codec.encoderName).map { (codec.encoderName, $0) }
  }

  /// How the encoder divides samples into packets.
  ///
  /// - Throws: `.encodeFailed` if the encoder rejects the settings.
  package func packetLayout() throws(CompositorError) -> AudioPacketLayout {
    let encoder = try AudioEncoder(self, muxer: nil, path: "")
    return AudioPacketLayout(
      priming: Int(max(0, cff_audio_encoder_priming(encoder.handle))),
      frameSize: Int(max(0, cff_audio_encoder_frame_size(encoder.handle))))
  }
}

/// How an audio encoder divides samples into packets.
package struct AudioPacketLayout: Hashable, Sendable, Codable {
  /// Number of samples before the first one that the encoder was given.
  package var priming: Int
  /// Number of samples in a packet; 0 if they vary.
  package var frameSize: Int

  package init(priming: Int, frameSize: Int) { (self.priming, self.frameSize) = (priming, frameSize) }
}
