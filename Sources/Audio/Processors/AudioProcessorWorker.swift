import CCompositorAudioKernels
import CompositorAPI
import CompositorMediaIO

/// Runs one processor: fills blocks of one length, compensates its latency, and keeps output that was not requested yet.
final class AudioProcessorWorker {
  private let processor: any AudioBlockProcessor
  private let origin: CompositorFactory.Origin
  private let context: AudioProcessingContext
  /// The range of its input from the source; silence after it.
  private let range: Range<Int64>
  private let source: AudioProcessorChain.Source
  /// The next sample of the processor's input.
  private var position: Int64
  /// Number of output samples still to be dropped to compensate the latency.
  private var late: Int
  private let input: AudioBlock
  private let scratch: AudioBlock
  private var output: AudioBlock
  /// The samples in `output` that were not requested yet.
  private var held = 0..<0

  init(
    _ processor: any AudioBlockProcessor, from origin: CompositorFactory.Origin, context: AudioProcessingContext,
    range: Range<Int64>, source: @escaping AudioProcessorChain.Source
  ) {
    (self.processor, self.origin, self.context, self.range, self.source) = (processor, origin, context, range, source)
    position = range.lowerBound
    late = max(0, processor.latency)
    input = AudioBlock(channelCount: context.channelCount, capacity: context.maximumCount)
    scratch = AudioBlock(channelCount: context.channelCount, capacity: context.maximumCount)
    output = AudioBlock(channelCount: context.channelCount, capacity: context.maximumCount * 4)
  }

  /// Writes the next `count` samples.
  func read(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    try take(count) { part, offset in
      for (channel, kept) in zip(channels, output.channels) {
        (channel + offset).update(from: kept + held.lowerBound, count: part)
      }
    }
  }

  /// Adds the next `count` samples.
  func add(_ count: Int, to channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    try take(count) { part, offset in
      for (channel, kept) in zip(channels, output.channels) {
        for index in 0..<part { channel[offset + index] += kept[held.lowerBound + index] }
      }
    }
  }

  /// Takes the rest of its range from the source, which then continues after the range. The output is kept.
  ///
  /// A filter that inserts samples, such as a delay, has output for the whole range before it has taken its input.
  func takeRest() throws(CompositorError) {
    while position < range.upperBound { try fill() }
  }

  private func take(_ count: Int, _ use: (_ part: Int, _ offset: Int) -> Void) throws(CompositorError) {
    var done = 0
    let patience = position + Int64(count) + Int64(context.sampleRate) * 60
    while done < count {
      if held.isEmpty {
        guard position < patience else {
          throw CompositorError(
            .compositorFailed, "The audio processor gave nothing for a minute of samples.",
            recoverySuggestion: "Use a processor that gives a sample for each that it takes."
          ).attributed(to: origin, isCanceled: false)
        }
        try fill()
        continue
      }
      let part = min(count - done, held.count)
      use(part, done)
      done += part
      held = held.lowerBound + part..<held.upperBound
    }
  }

  /// Processes one more block, and appends its output to `output` without the samples dropped for latency.
  private func fill() throws(CompositorError) {
    let count = context.maximumCount
    let real = Int(max(0, min(Int64(count), range.upperBound - position)))
    if real > 0 { try source(real, input.channels) }
    for channel in input.channels where real < count { (channel + real).update(repeating: 0, count: count - real) }
    if held.isEmpty { held = 0..<0 }
    if let buffering = processor as? any BufferingAudioProcessor {
      try call { try buffering.send(input.channels, count: count) }
      while true {
        var received = 0
        try call { received = try buffering.receive(count, into: scratch.channels) }
        guard received > 0 else { break }
        try keep(scratch, received)
      }
    } else {
      try call { try processor.process(input.channels, count: count, position: position) }
      try keep(input, count)
    }
    position += Int64(count)
  }

  /// Calls the processor, whose errors are its own: it is not told of a cancellation.
  private func call(_ body: () throws -> Void) throws(CompositorError) {
    do {
      try body()
    } catch {
      let failure = error as? CompositorError
      throw (failure ?? CompositorError(.compositorFailed, "The audio processor failed.", cause: "\(error)"))
        .attributed(to: origin, isCanceled: false)
    }
  }

  private func keep(_ block: AudioBlock, _ count: Int) throws(CompositorError) {
    guard block.channels.allSatisfy({ cak_magnitude($0, Int32(count)).isFinite }) else {
      throw CompositorError(
        .compositorFailed, "The audio processor gave samples that are no finite numbers.",
        recoverySuggestion: "Its author must keep them finite: look for divisions by zero, and for feedback that grows."
      ).attributed(to: origin, isCanceled: false)
    }
    let dropped = min(late, count)
    late -= dropped
    let kept = count - dropped
    guard kept > 0 else { return }
    if held.upperBound + kept > output.capacity { grow(to: (held.upperBound + kept) * 2) }
    for (channel, samples) in zip(output.channels, block.channels) {
      (channel + held.upperBound).update(from: samples + dropped, count: kept)
    }
    held = held.lowerBound..<held.upperBound + kept
  }

  private func grow(to capacity: Int) {
    let larger = AudioBlock(channelCount: context.channelCount, capacity: capacity)
    for (new, old) in zip(larger.channels, output.channels) { new.update(from: old, count: held.upperBound) }
    output = larger
  }
}
