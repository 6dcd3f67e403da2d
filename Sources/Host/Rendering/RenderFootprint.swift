package import CompositorAPI
import CompositorMediaIO
import CompositorPlugins
import CompositorScheduling

/// The memory that a render takes, by the sizes of its frames: what is known before anything is opened.
package struct RenderFootprint: Sendable {
  /// Bytes of a frame on its way, with what it is made of.
  private let frameByteCount: Int
  /// Bytes of frames that are kept whatever the number on their way.
  private let keptByteCount: Int
  /// Bytes of the pictures of all sources that are read side by side, and the number of their decoders.
  private let sourceByteCount: Int
  private let sourceCount: Int
  /// Bytes of the largest source's picture.
  private let largestSourceByteCount: Int
  private let pieceCount: Int
  private let text: String

  /// Pictures that a decoder holds beside one for each thread: those that others refer to, the one at hand and the next.
  private static let decoderPictures = 8

  /// - Parameter delivery: The format that frames leave in.
  package init(_ composition: ValidatedComposition, format: RenderFormat, delivery: PixelFormat) {
    let edit = composition.edit
    var trackByteCounts: [TrackID: Int] = [:]
    var pieces = 0
    for track in edit.composition.tracks(.video) {
      for segment in track.segments {
        guard let source = segment.source, let info = composition.videoTrack(segment.sourceTrackIndex, of: source) else {
          continue
        }
        let count = info.format.byteCount(of: info.size)
        trackByteCounts[track.trackID] = max(trackByteCounts[track.trackID] ?? 0, count)
        pieces += 1
      }
    }
    var (sources, count, effects) = (0, 0, 0)
    for instruction in edit.videoComposition.instructions {
      let shown = instruction.requiredTrackIDs.compactMap { trackByteCounts[$0] }
      (sources, count) = (max(sources, shown.reduce(0, +)), max(count, shown.count))
      effects = max(effects, instruction.effects.count + instruction.layers.reduce(0) { $0 + $1.effects.count })
    }
    let movies = composition.titles?.movies.values.map { $0.info.format.byteCount(of: $0.info.size) } ?? []
    let composed = format.pixelFormat.byteCount(of: format.size)
    let delivered =
      delivery == format.pixelFormat && format.frameSize == format.size ? 0 : delivery.byteCount(of: format.frameSize)
    sourceByteCount = sources + movies.reduce(0, +)
    sourceCount = count + movies.count
    largestSourceByteCount = (Array(trackByteCounts.values) + movies).max() ?? 0
    pieceCount = pieces
    // A frame, and one that it is drawn or converted from.
    frameByteCount = (2 + effects) * composed + delivered + sourceByteCount
    keptByteCount = effects * 8 * composed
    text =
      "\(format.frameSize) \(delivery)"
      + (sourceCount > 0 ? ", \(sourceCount == 1 ? "a source" : "\(sourceCount) sources")" : "")
  }

  /// Bytes of all frames and decoders at a time.
  ///
  /// - Parameters:
  ///   - framesInFlight: Frames between decoding and delivery.
  ///   - decoderThreadCount: Threads of each decoder.
  ///   - spareDecoderCount: Decoders beside those that the current frame needs.
  func byteCount(framesInFlight: Int, decoderThreadCount: Int, spareDecoderCount: Int) -> Int {
    let spares = min(spareDecoderCount, max(0, pieceCount - sourceCount))
    return framesInFlight * frameByteCount + keptByteCount
      + (Self.decoderPictures + decoderThreadCount) * sourceByteCount
      + spares * (Self.decoderPictures + decoderThreadCount) * largestSourceByteCount
      + (sourceCount + spares) * (2 << 20)
  }

  /// Bytes with the settings as they are.
  package func byteCount(_ settings: RenderSettings) -> Int {
    let budget = settings.budget
    return byteCount(
      framesInFlight: settings.framesInFlight ?? (settings.threadCount ?? budget.processorsForEach) + 2,
      decoderThreadCount: settings.decoderThreadCount ?? budget.decoderThreadCount(besides: sourceCount),
      // Of many short pieces, few are open in advance.
      spareDecoderCount: min(settings.maximumSpareDecoders, max(1, sourceCount)))
  }

  /// The settings with fewer decoders in advance, fewer threads for each, and fewer frames in flight, as far as it takes to fit into the
  /// memory of their budget; the same ones where it has no bound.
  ///
  /// - Parameter others: Bytes that the rest of the render takes, such as its encoder.
  /// - Throws: `.resourceExhausted` if a frame at a time does not fit.
  package func fitting(_ settings: RenderSettings, beside others: Int = 0) throws(CompositorError) -> RenderSettings {
    guard let limit = settings.budget.limits.memoryByteCount else { return settings }
    let available = limit - RenderBudget.programByteCount - others
    var frames = max(1, settings.framesInFlight ?? (settings.threadCount ?? settings.budget.processorsForEach) + 2)
    var threads = max(1, settings.decoderThreadCount ?? settings.budget.decoderThreadCount(besides: sourceCount))
    var spares = max(0, settings.maximumSpareDecoders)
    func needed() -> Int { byteCount(framesInFlight: frames, decoderThreadCount: threads, spareDecoderCount: spares) }
    while needed() > available {
      if spares > 1 {
        spares -= 1
      } else if frames > 3 {
        frames -= 1
      } else if threads > 1 {
        threads -= 1
      } else if frames > 1 {
        frames -= 1
      } else if spares > 0 {
        spares = 0
      } else {
        throw refusal(limit: limit, needed: needed() + others + RenderBudget.programByteCount, others: others)
      }
    }
    var fitted = settings
    (fitted.framesInFlight, fitted.decoderThreadCount, fitted.maximumSpareDecoders) = (frames, threads, spares)
    return fitted
  }

  private func refusal(limit: Int, needed: Int, others: Int) -> CompositorError {
    func mebibytes(_ count: Int) -> Int { (count + (1 << 20) - 1) >> 20 }
    let encoder = others > 0 ? " and \(mebibytes(others)) MiB for the encoder" : ""
    return CompositorError(
      .resourceExhausted,
      "A single frame at a time does not fit into the memory limit of \(limit >> 20) MiB: \(text)\(encoder) take about \(mebibytes(needed)) MiB.",
      recoverySuggestion: "Allow at least \(mebibytes(needed)) MiB, or render smaller frames"
        + (others > 0 ? ", or choose a faster encoder speed, which keeps fewer of them." : "."))
  }
}
