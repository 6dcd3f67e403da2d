package import CompositorAPI
import CompositorMediaIO

/// A chain of audio processors between a source of samples and their consumer.
///
/// Samples are requested in order and stay at their positions: the chain reads ahead by the latency of its processors. Each
/// processor gets blocks of one length, counted from its own beginning, so that the result does not depend on the size of
/// requests. One owner.
package final class AudioProcessorChain {
  /// Writes the next `count` samples, in order, to the beginning of `channels`.
  package typealias Source = (_ count: Int, _ channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) -> Void

  private let last: AudioProcessorStage

  /// `nil` if there is nothing to do. Processors are made when they are needed and released when their range is over.
  ///
  /// - Parameters:
  ///   - uses: The processors to apply, in this order.
  ///   - provider: The registry of the processors.
  ///   - position: The first sample to request, in samples from composition time 0.
  ///   - source: Provides the samples from `position`.
  package init?(
    _ uses: [AudioProcessorUse], provider: any AudioProcessorProvider, sampleRate: Int, channelCount: Int, position: Int64,
    source: @escaping Source
  ) {
    let context = AudioProcessingContext(sampleRate: sampleRate, channelCount: channelCount)
    var stage: AudioProcessorStage?
    for use in uses {
      var upstream = source
      if let stage { upstream = stage.read(_:into:) }
      stage = AudioProcessorStage(use, provider: provider, context: context, position: position, source: upstream)
    }
    guard let stage else { return nil }
    last = stage
  }

  /// Writes the next `count` samples to the beginning of `channels`.
  ///
  /// - Throws: The errors of the source, and those of making and running a processor, with its name and the time.
  package func read(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    try last.read(count, into: channels)
  }
}

/// One processor of a chain.
final class AudioProcessorStage {
  private let use: AudioProcessorUse
  private let provider: any AudioProcessorProvider
  private let context: AudioProcessingContext
  private let source: AudioProcessorChain.Source
  /// The range in which the processor works, in samples from composition time 0.
  private let range: Range<Int64>
  /// The next sample to be requested.
  private var position: Int64
  private var worker: AudioProcessorWorker?
  /// The end of the processor's tail, known once the processor is made.
  private var end: Int64
  private var isOver = false

  init(
    _ use: AudioProcessorUse, provider: any AudioProcessorProvider, context: AudioProcessingContext, position: Int64,
    source: @escaping AudioProcessorChain.Source
  ) {
    (self.use, self.provider, self.context, self.source) = (use, provider, context, source)
    self.position = position
    let unit = Rational(1, context.sampleRate)
    let first = use.timeRange.map { $0.start.isNumeric ? $0.start.rounded(toUnitsOf: unit) : .min } ?? .min
    let last = use.timeRange.map { $0.end.isNumeric ? $0.end.rounded(toUnitsOf: unit) : .max } ?? .max
    let start = max(first, position)
    range = start..<max(start, last)
    end = range.upperBound
    isOver = range.isEmpty
  }

  func read(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    var done = 0
    while done < count {
      let places = channels.map { $0 + done }
      done += try step(count - done, into: places)
    }
  }

  /// Writes up to `count` samples that are processed alike.
  ///
  /// - Returns: The number of samples written.
  private func step(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) -> Int {
    if isOver || position < range.lowerBound {
      let part = isOver ? count : Int(min(Int64(count), range.lowerBound - position))
      try source(part, channels)
      position += Int64(part)
      return part
    }
    let worker = try made()
    if position < range.upperBound {
      let part = Int(min(Int64(count), range.upperBound - position))
      try locating { () throws(CompositorError) in try worker.read(part, into: channels) }
      position += Int64(part)
      return part
    }
    try locating { () throws(CompositorError) in try worker.takeRest() }
    guard position < end else {
      (self.worker, isOver) = (nil, true)
      return 0
    }
    // The processor's tail is added to the samples after its range.
    let part = Int(min(Int64(count), end - position, Int64(context.maximumCount)))
    try source(part, channels)
    try locating { () throws(CompositorError) in try worker.add(part, to: channels) }
    position += Int64(part)
    return part
  }

  private func made() throws(CompositorError) -> AudioProcessorWorker {
    if let worker { return worker }
    return try locating { () throws(CompositorError) in
      guard let factory = provider.audioProcessor(use.processor) else {
        throw CompositorError(
          .compositorNotFound, "There is no audio processor “\(use.processor)”.",
          recoverySuggestion: "Register it, or load the plugin that brings it.")
      }
      let processor: any AudioBlockProcessor
      do throws(CompositorError) {
        processor = try factory.makeProcessor(parameters: use.parameters, context: context)
      } catch {
        throw error.attributed(to: factory.origin, isCanceled: false)
      }
      let made = AudioProcessorWorker(processor, from: factory.origin, context: context, range: range, source: source)
      worker = made
      let (sum, overflow) = range.upperBound.addingReportingOverflow(Int64(max(0, processor.tail)))
      end = overflow ? .max : sum
      return made
    }
  }

  private func locating<T>(_ body: () throws(CompositorError) -> T) throws(CompositorError) -> T {
    do throws(CompositorError) { return try body() } catch {
      let time = MediaTime(value: position, timescale: Int32(clamping: context.sampleRate))
      throw error.locating(
        ErrorLocation(time: time, compositor: CompositorID(rawValue: use.processor.rawValue)))
    }
  }
}
