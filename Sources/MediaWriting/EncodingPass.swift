import CCompositorFFmpeg
package import CompositorAPI
package import CompositorMediaIO
import Foundation

/// Which of two passes over the frames an encoder makes.
package enum EncodingPass: Hashable, Sendable {
  /// The only one.
  case only
  /// Measures; what it found out goes to a file.
  case first(statistics: String)
  /// Encodes by what the file says.
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

  /// libx265 has parameters of its own for passes. They are taken apart twice: as options, and as parameters.
  var x265Parameters: [String] {
    statistics.map { ["pass=\(number)", "stats=\(EncodingPass.escaped(EncodingPass.escaped($0)))"] } ?? []
  }

  /// As `av_get_token` reads it.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\':= \n".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}

extension VideoEncodingSettings.Codec {
  /// Whether the encoder hands out what it measured, instead of writing a file itself.
  var handsOutStatistics: Bool { self == .av1 || self == .vp9 }
}

/// A pass over the frames that writes no movie: what it finds out is one file. One owner at a time.
package protocol MeasuringSink: MovieSink {}

extension MeasuringSink {
  /// Refuses: nothing is heard in a pass that measures frames.
  package func append(_ block: AudioBlock, count: Int, track: Int) throws(CompositorError) {
    throw CompositorError(.invalidValue, "A pass that measures frames takes no audio.", recoverySuggestion: "Leave it out.")
  }

  /// 0.
  package func missingAudioSampleCount(track: Int) -> Int64 { 0 }

  /// Nothing: the folder of what is measured is removed as a whole.
  package func abandon() {}
}

/// The first of two passes of an encoder: what it measured is kept in a file, the movie is thrown away.
package final class StatisticsPass: MeasuringSink {
  private var encoder: VideoEncoder?
  private let track: VideoTrackDescription
  private let path: String
  private var frameCount = 0

  /// Opens the encoder.
  ///
  /// - Parameters:
  ///   - track: As in the movie.
  ///   - path: The file of what is measured; libx265 writes another one beside it.
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
    // Some encoders complete their file when they are closed.
    encoder = nil
    return MovieSummary(path: path, frameCount: frameCount, duration: .zero, audioSampleCounts: [], byteCount: 0)
  }
}

/// 256 colors, as 0xAARRGGBB.
package struct ColorPalette: Hashable, Sendable {
  package let colors: [UInt32]

  package init(colors: [UInt32]) { self.colors = colors }

  /// Reads what ``PalettePass`` found.
  ///
  /// - Throws: `.encodeFailed` if the file is not one of its.
  package init(contentsOf path: String) throws(CompositorError) {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    let size = MemoryLayout<UInt32>.size
    guard data.count == Int(CFF_PALETTE_SIZE) * size else {
      throw CompositorError(
        .encodeFailed, "The palette that was found cannot be read.", recoverySuggestion: "Try again.",
        at: ErrorLocation(file: path))
    }
    colors = data.withUnsafeBytes { bytes in
      (0..<Int(CFF_PALETTE_SIZE)).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: UInt32.self) }
    }
  }
}

/// Finds the palette of a GIF from all its frames, in `bgra`.
package final class PalettePass: MeasuringSink {
  private var maker: OpaquePointer?
  private let path: String
  private var frameCount = 0

  /// - Parameters:
  ///   - keepsAlpha: Whether one color is transparent.
  ///   - path: The file of the palette.
  /// - Throws: `.encodeFailed`.
  package init(size: PixelSize, keepsAlpha: Bool, path: String) throws(CompositorError) {
    self.path = path
    try check { cff_palette_maker_create(Int32(size.width), Int32(size.height), keepsAlpha, &maker, &$0) }
  }

  deinit { cff_palette_maker_destroy(&maker) }

  package func append(_ frame: Frame, at time: MediaTime, duration: MediaTime) throws(CompositorError) {
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
        .writeFailed, "What a first pass found out cannot be kept.", recoverySuggestion: "Make room on the disk.",
        cause: error.localizedDescription, at: ErrorLocation(file: path))
    }
  }
}
