import CompositorPlayback

/// The cost of each instruction's frames, as far as they were rendered.
package struct CostHistory: Sendable {
  /// Milliseconds by stage.
  package struct Sums: Sendable, Equatable {
    var count = 0
    var stages: [Double] = [0, 0, 0, 0, 0]
    var worst = 0.0
  }

  /// One instruction's costs: means in milliseconds.
  package struct Row: Encodable, Sendable, Equatable {
    var instruction: Int
    var count: Int
    var decode: Double
    var conform: Double
    var compose: Double
    var deliver: Double
    var encode: Double
    /// The maximum of a single frame.
    var worst: Double
  }

  /// The message to pages.
  package struct Message: Encodable, Sendable {
    var type = "costs"
    var generation: Int
    var rows: [Row]
  }

  private var sums: [Int: Sums] = [:]

  /// Adds a frame.
  mutating func add(_ cost: FrameHeader.Cost, instruction: Int) {
    let stages = [cost.decode, cost.conform, cost.compose, cost.deliver, cost.encode]
    var sum = sums[instruction] ?? Sums()
    sum.count += 1
    for index in stages.indices { sum.stages[index] += stages[index] }
    sum.worst = max(sum.worst, stages.reduce(0, +))
    sums[instruction] = sum
  }

  /// The means so far, ordered by instruction.
  package var rows: [Row] {
    sums.sorted { $0.key < $1.key }.map { index, sum in
      let means = sum.stages.map { $0 / Double(sum.count) }
      return Row(
        instruction: index, count: sum.count, decode: means[0], conform: means[1], compose: means[2], deliver: means[3],
        encode: means[4], worst: sum.worst)
    }
  }
}

extension FrameHeader.Cost {
  init(_ cost: FrameTimings, encode: Duration) {
    self.init(
      decode: cost.decode.milliseconds, conform: cost.conform.milliseconds, compose: cost.compose.milliseconds,
      deliver: cost.deliver.milliseconds, encode: encode.milliseconds)
  }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double { self / .milliseconds(1) }
}
