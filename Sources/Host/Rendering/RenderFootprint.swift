package import CompositorAPI
import CompositorMediaIO
import CompositorPlugins
import CompositorScheduling
package import CompositorValidation

/// The memory use of a render, estimated from the sizes of its frames before anything is opened.
package struct RenderFootprint: Sendable {
  /// Bytes of a frame in flight, including its sources.
  private let frameByteCount: Int
  /// Bytes of frames that are kept regardless of the number in flight.
  private let keptByteCount: Int
  /// Bytes of the frames of all sources that are read concurrently, and the number of their decoders.
  private let sourceByteCount: Int
  private let sourceCount: Int
  /// Bytes of the largest source's frame.
  private let largestSourceByteCount: Int
  private let pieceCount: Int
  private let text: String

  /// The number of frames that a decoder keeps in addition to one for each thread: reference frames, the current and the next
  /// one.
  private static let decoderPictures = 8

  /// - Parameter delivery: The format of finished frames.
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
    var (sources, count, effects, blurs) = (0, 0, 0, 0)
    for instruction in edit.videoComposition.instructions {
      let shown = instruction.readTrackIDs.compactMap { trackByteCounts[$0] }
      (sources, count) = (max(sources, shown.reduce(0, +)), max(count, shown.count))
      // A mask is as deep as two frames.
      let masks = 2 * instruction.maskTrackIDs.count
      blurs = max(blurs, instruction.layers.count { $0.motionBlur != nil })
      effects = max(effects, instruction.effects.count + masks + instruction.layers.reduce(0) { $0 + $1.effects.count })
    }
    let movies = composition.titles?.movies.values.map { $0.info.format.byteCount(of: $0.info.size) } ?? []
    let composed = format.pixelFormat.byteCount(of: format.size)
    let delivered =
      delivery == format.pixelFormat && format.frameSize == format.size ? 0 : delivery.byteCount(of: format.frameSize)
    // Each view has frames and decoders of its own.
    let views = (edit.videoComposition.views ?? .mono).all.count
    sourceByteCount = views * sources + movies.reduce(0, +)
    sourceCount = views * count + movies.count
    largestSourceByteCount = (Array(trackByteCounts.values) + movies).max() ?? 0
    pieceCount = pieces
    // A frame, and one that it is drawn or converted from.
    // A blurred layer is drawn as a mean in floats, from a source in floats.
    let blurred = blurs * 2 * PixelFormat.rgbaFloat.byteCount(of: format.size)
    frameByteCount = views * ((2 + effects) * composed + delivered + blurred) + sourceByteCount
    keptByteCount = views * effects * 8 * composed
    text =
      "\(format.frameSize) \(delivery)"
      + (sourceCount > 0 ? ", \(sourceCount == 1 ? "a source" : "\(sourceCount) sources")" : "")
  }

  /// Bytes of all frames and decoders at once.
  ///
  /// - Parameters:
  ///   - framesInFlight: The number of frames between decoding and delivery.
  ///   - decoderThreadCount: The number of threads of each decoder.
  ///   - spareDecoderCount: The number of decoders in addition to those for the current frame.
  func byteCount(framesInFlight: Int, decoderThreadCount: Int, spareDecoderCount: Int) -> Int {
    let spares = min(spareDecoderCount, max(0, pieceCount - sourceCount))
    return framesInFlight * frameByteCount + keptByteCount
      + (Self.decoderPictures + decoderThreadCount) * sourceByteCount
      + spares * (Self.decoderPictures + decoderThreadCount) * largestSourceByteCount
      + (sourceCount + spares) * (2 << 20)
  }

  /// Bytes with the given settings.
  package func byteCount(_ settings: RenderSettings) -> Int {
    let budget = settings.budget
    return byteCount(
      framesInFlight: settings.framesInFlight ?? (settings.threadCount ?? budget.processorsForEach) + 2,
      decoderThreadCount: settings.decoderThreadCount ?? budget.decoderThreadCount(besides: sourceCount),
      // If there are many short segments, few decoders are open ahead of time.
      spareDecoderCount: min(settings.maximumSpareDecoders, max(1, sourceCount)))
  }

  /// Settings with fewer spare decoders, fewer threads per decoder, and fewer frames in flight, as necessary to fit into the
  /// memory of their budget; unchanged if the budget has no limit.
  ///
  /// - Parameter others: Bytes that the rest of the render uses, such as its encoder.
  /// - Throws: `.resourceExhausted` if even one frame at a time doesn't fit.
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
