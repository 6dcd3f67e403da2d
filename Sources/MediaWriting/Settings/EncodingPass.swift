import CCompositorFFmpeg
package import CompositorAPI
package import CompositorMediaIO
import Foundation

/// One of the passes of an encoder over the frames.
package enum EncodingPass: Hashable, Sendable {
  /// The only pass.
  case only
  /// The first of two passes, which writes its statistics to a file.
  case first(statistics: String)
  /// The second of two passes, which reads the statistics from the file.
  case second(statistics: String)

  var number: Int32 {
    switch self {
    case .only: 0
    case .first: 1
    case .second: 2
    }
  }

  var statistics: String? {
    switch self {
    case .only: nil
    case .first(let path), .second(let path): path
    }
  }

  /// libx265 has its own parameters for passes. They are parsed twice: as options, and as parameters.
  var x265Parameters: [String] {
    statistics.map { ["pass=\(number)", "stats=\(EncodingPass.escaped(EncodingPass.escaped($0)))"] } ?? []
  }

  /// Escapes a string for `av_get_token`.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\':= \n".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}

extension VideoEncodingSettings.Codec {
  /// Whether the encoder returns its statistics instead of writing a file itself.
  var handsOutStatistics: Bool { self == .av1 || self == .vp9 }
}

/// A pass over the frames that writes no movie, only a file of measurements. One owner at a time.
package protocol MeasuringSink: MovieSink {}

extension MeasuringSink {
  /// Throws, because a pass that measures frames takes no audio.
  package func append(_ block: AudioBlock, count: Int, track: Int) throws(CompositorError) {
    throw CompositorError(.invalidValue, "A pass that measures frames takes no audio.", recoverySuggestion: "Leave it out.")
  }

  /// Always 0.
  package func missingAudioSampleCount(track: Int) -> Int64 { 0 }

  /// Does nothing: the folder of the measurements is removed as a whole.
  package func abandon() {}
}

/// The first of an encoder's two passes: keeps the statistics in a file and discards the movie.
package final class StatisticsPass: MeasuringSink {
  private var encoder: VideoEncoder?
  private let track: VideoTrackDescription
  private let path: String
  private var frameCount = 0

  /// Opens the encoder.
  ///
  /// - Parameters:
  ///   - track: The video track as in the movie.
  ///   - path: The file for the statistics; libx265 writes another one beside it.
  /// - Throws: `.encodeFailed`.
  package init(_ track: VideoTrackDescription, path: String) throws(CompositorError) {
    var track = track
    track.pass = .first(statistics: path)
    (self.track, self.path) = (track, path)
    encoder = try VideoEncoder(track, muxer: nil, path: path)
  }

  package func append(_ frame: Frame, at time: MediaTime, duration: MediaTime) throws(CompositorError) {
    guard let encoder else { return }
    try encoder.send(frame, time: track.timing.units(at: time), duration: max(1, track.timing.units(at: duration)))
    while try encoder.receive() {}
    frameCount += 1
  }

  package func finish() throws(CompositorError) -> MovieSummary {
    if let encoder {
      try encoder.sendEnd()
      while try encoder.receive() {}
      if track.encoding.codec.handsOutStatistics {
        guard let text = cff_encoder_statistics(encoder.handle) else {
          throw CompositorError(
            .encodeFailed, "The first pass measured nothing.", recoverySuggestion: "Leave the two passes out.",
            at: ErrorLocation(file: path))
        }
        try Data(bytes: text, count: strlen(text)).keep(at: path)
      }
    }
    // Some encoders complete their file only when closed.
    encoder = nil
    return MovieSummary(path: path, frameCount: frameCount, duration: .zero, audioSampleCounts: [], byteCount: 0)
  }
}

/// A palette of 256 colors, as 0xAARRGGBB.
package struct ColorPalette: Hashable, Sendable {
  package let colors: [UInt32]

  package init(colors: [UInt32]) { self.colors = colors }

  /// Reads a palette written by ``PalettePass``.
  ///
  /// - Throws: `.encodeFailed` if the file is not a palette.
  package init(contentsOf path: String) throws(CompositorError) {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    let size = MemoryLayout<UInt32>.size
    guard data.count == Int(CFF_PALETTE_SIZE) * size else {
      throw CompositorError(
        .encodeFailed, "The palette cannot be read.", recoverySuggestion: "Try again.",
        at: ErrorLocation(file: path))
    }
    colors = data.withUnsafeBytes { bytes in
      (0..<Int(CFF_PALETTE_SIZE)).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: UInt32.self) }
    }
  }
}

/// Finds the palette of a GIF from all its frames, which are `bgra`.
package final class PalettePass: MeasuringSink {
  private var maker: OpaquePointer?
  private let path: String
  private var frameCount = 0

  /// - Parameters:
  ///   - keepsAlpha: Whether one color is transparent.
  ///   - path: The file for the palette.
  /// - Throws: `.encodeFailed`.
  package init(size: PixelSize, keepsAlpha: Bool, path: String) throws(CompositorError) {
    self.path = path
    try check { cff_palette_maker_create(Int32(size.width), Int32(size.height), keepsAlpha, &maker, &$0) }
  }

  deinit { cff_palette_maker_destroy(&maker) }

  package func append(_ frame: Frame, at time: MediaTime, duration: MediaTime) throws(CompositorError) {
    let frame = try frame.downloaded(for: "a palette")
    try check { failure in
      frame.withUnsafePlanes { planes in
        cff_palette_maker_add(maker, planes[0].base.assumingMemoryBound(to: UInt8.self), planes[0].stride, &failure)
      }
    }
    frameCount += 1
  }

  package func finish() throws(CompositorError) -> MovieSummary {
    var colors = [UInt32](repeating: 0, count: Int(CFF_PALETTE_SIZE))
    try check { failure in
      colors.withUnsafeMutableBufferPointer { cff_palette_maker_finish(maker, $0.baseAddress, &failure) }
    }
    try colors.withUnsafeBytes { Data($0) }.keep(at: path)
    return MovieSummary(path: path, frameCount: frameCount, duration: .zero, audioSampleCounts: [], byteCount: 0)
  }

  private func check(_ body: (inout cff_failure) -> cff_status) throws(CompositorError) {
    if let failure = WriteFailure(body) { throw failure.encoding("palettegen", file: path) }
  }
}

extension Data {
  fileprivate func keep(at path: String) throws(CompositorError) {
    do {
      try write(to: URL(fileURLWithPath: path))
    } catch {
      throw CompositorError(
        .writeFailed, "The statistics of the first pass cannot be stored.", recoverySuggestion: "Make room on the disk.",
        cause: error.localizedDescription, at: ErrorLocation(file: path))
    }
  }
}
