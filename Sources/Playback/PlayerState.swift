import CompositorAPI
import CompositorHost

/// What a player knows at one moment; ``PlayerCore`` guards it.
struct PlayerState {
  /// A frame that must be shown: a seek's, or the one of the current time after something changed.
  struct Target {
    let time: MediaTime
    let index: Int
    /// The frames that may stand in for it.
    let tolerance: ClosedRange<Int>
    /// Whether somebody asked for it; playback then goes on from it only.
    let isSeek: Bool
    var waiter: SeekWaiter?
    /// Whether a key frame near it is still to be looked for.
    var wantsStandIn: Bool
    /// The frame that will stand in for it; nil once it is shown.
    var standIn: Int?
    /// Whether one was made: the target is far from it.
    var hadStandInMade = false
  }
  /// A frame whose sources are being read.
  struct Gathering {
    let index: Int
    let task: Task<GatheredFrame, any Error>
  }

  var stage: PlayerStage
  /// Counts compositions: what comes from an older one is thrown away.
  var generation = 0
  var clock: MovieClock
  var cache: FrameCache
  var observers = PlayerObservers(at: .zero)
  var statistics = PlayerStatistics()
  var target: Target?
  var seekNumber = 0
  /// The last frame that was asked for by a seek, and the direction from the one before.
  var lastTarget = 0
  var scrubDirection = 0
  /// The frame that is shown; nil before the first, and after a jump.
  var shown: Int?
  var gathering: Gathering?
  /// Frames that are being composed.
  var finishing: Set<Int> = []
  /// The last frame whose sources were read: decoders stand there.
  var position: Int?
  /// The last frame whose sources were read if nothing was begun since: one that needs its frames in order goes on from there.
  var gathered: Int?
  /// A stretch that is decoded forward, so that it can be shown in any order.
  var run: ClosedRange<Int>?
  var costs = DecodeCosts()
  /// Seconds from the beginning of a frame until it can be shown, lately.
  var latency = 0.0
  /// Whether the last frame that was shown came too late, or none came.
  var isBehind = false
  var isClosed = false

  var direction: Int { clock.rate != 0 ? (clock.rate > 0 ? 1 : -1) : scrubDirection }

  func isKnown(_ index: Int) -> Bool { cache.isSettled(index) || finishing.contains(index) }

  /// The distance of the frames that are shown: above 1 where the rate is so high that no screen shows them all.
  var stride: Int { max(1, Int((abs(clock.rate) * stage.frameRate / PlayerState.mostFramesASecond).rounded(.up))) }

  /// The frame that is due at a movie time.
  func due(at time: MediaTime) -> Int {
    let index = stage.index(at: time)
    return stride == 1 ? index : index / stride * stride
  }

  private static let mostFramesASecond = 60.0

  /// Takes note of how long a frame took.
  mutating func addLatency(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    latency = latency == 0 ? seconds : 0.75 * latency + 0.25 * seconds
  }
}

/// What decoding cost lately, in seconds: a step to the next frame, and a jump elsewhere.
struct DecodeCosts {
  private(set) var step = 0.0
  private(set) var jump = 0.0

  mutating func add(_ duration: Duration, isStep: Bool) {
    let seconds = duration / .seconds(1)
    if isStep {
      step = step == 0 ? seconds : 0.8 * step + 0.2 * seconds
    } else {
      jump = jump == 0 ? seconds : 0.5 * jump + 0.5 * seconds
    }
  }

  /// Frames before another one that are worth decoding along with it: as many as cost about as much as getting there.
  func chunk(atMost limit: Int) -> Int {
    guard step > 0, jump > 0 else { return min(8, limit) }
    return max(min(4, limit), min(limit, Int(min(1e4, jump / step))))
  }
}
