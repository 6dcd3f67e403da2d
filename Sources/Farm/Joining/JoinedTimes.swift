import CompositorAPI
import CompositorMediaWriting

/// Presentation and decoding times of a movie's frames, in units of its timing. They follow from the plan, whatever the
/// containers of the parts state.
struct JoinedTimes {
  private let frameCount: Int
  /// Reordering delay in frames: how far decoding runs ahead of presentation.
  private let reordering: Int
  /// The start of each frame and the end of the last one; `nil` at a constant rate, at which frame n starts at n.
  private let times: [Int64]?
  /// Duration of a frame before the first one.
  private let step: Int64
  /// Whether the container takes the sum of the packets' durations as the length of the track.
  private let closesTrack: Bool

  /// - Parameter receipts: The receipts of all segments, in order.
  init(_ movie: SegmentPlan.Movie, receipts: [PartReceipt]) {
    frameCount = movie.frameCount
    reordering = receipts.map(\.reordering).max() ?? 0
    closesTrack = movie.container.holdsEditLists
    guard !movie.timing.isConstant else {
      (times, step) = (nil, 1)
      return
    }
    var all: [Int64] = []
    for receipt in receipts { all += receipt.times?.dropLast() ?? [] }
    if let end = receipts.last?.times?.last { all.append(end) }
    times = all
    let (rate, unit) = (movie.timing.nominalFrameRate, movie.timing.unit)
    step = max(1, Int64((1 / (rate.value * unit.value)).rounded()))
  }

  /// The start of a frame; the index after the last one gives the end of the movie.
  func start(ofFrame index: Int) -> Int64 { times?[index] ?? Int64(index) }

  /// The decoding time of a packet, by its index in decoding order. A frame is decoded when the frame is shown that precedes it
  /// by the reordering delay.
  private func decodeTime(ofPacket index: Int) -> Int64 {
    index < reordering ? start(ofFrame: 0) - Int64(reordering - index) * step : start(ofFrame: index - reordering)
  }

  /// The times of a packet.
  ///
  /// - Parameters:
  ///   - index: The packet's index in decoding order.
  ///   - frame: The number of its frame.
  func stamp(packet index: Int, frame: Int) -> (time: Int64, decodeTime: Int64, duration: Int64) {
    let time = start(ofFrame: frame)
    var stamp = (time: time, decodeTime: decodeTime(ofPacket: index), duration: start(ofFrame: frame + 1) - time)
    guard closesTrack, index == frameCount - 1 else { return stamp }
    // The last packet of all ends where the last frame does.
    let end = start(ofFrame: frameCount) - (start(ofFrame: 0) - decodeTime(ofPacket: 0))
    stamp.decodeTime = max(stamp.decodeTime, min(time, end - stamp.duration))
    stamp.duration = max(1, end - stamp.decodeTime)
    return stamp
  }
}

/// Times of the audio packets in samples.
struct JoinedAudioTimes {
  private let layout: AudioPacketLayout
  private let sampleCount: Int64
  private let packetCount: Int
  private var index = 0
  private(set) var position: Int64

  init(_ layout: AudioPacketLayout, sampleCount: Int64, packetCount: Int) {
    (self.layout, self.sampleCount, self.packetCount) = (layout, sampleCount, packetCount)
    position = -Int64(layout.priming)
  }

  /// The times of the next packet.
  ///
  /// - Parameter count: Number of samples that the packet itself states.
  mutating func next(count: Int64) -> (time: Int64, duration: Int64, discarded: Int64) {
    let size = layout.frameSize > 0 ? Int64(layout.frameSize) : count
    let left = max(1, sampleCount - position)
    let duration = index == packetCount - 1 ? min(size, left) : size
    defer { (index, position) = (index + 1, position + duration) }
    return (position, duration, layout.priming > 0 ? size - duration : 0)
  }
}
