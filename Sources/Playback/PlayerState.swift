import CompositorAPI
import CompositorHost

/// Receives the result of one seek: whether its frame was shown.
typealias SeekWaiter = SingleResumption<Result<Bool, CompositorError>, Never>

/// The state of a player, guarded by ``PlayerCore``.
struct PlayerState {
  /// A frame that must be shown: a seek's, or the one of the current time after a change.
  struct Target {
    let time: MediaTime
    let index: Int
    /// The frames that may be shown in its place.
    let tolerance: ClosedRange<Int>
    /// Whether it is a seek's; playback then continues only from it.
    let isSeek: Bool
    var waiter: SeekWaiter?
    /// Whether a nearby key frame is still to be found.
    var wantsStandIn: Bool
    /// The frame to show in its place; `nil` once it is shown.
    var standIn: Int?
    /// Whether a stand-in was rendered, because the target is far from key frames.
    var hadStandInMade = false
  }
  /// A frame whose sources are being read.
  struct Gathering {
    let index: Int
    let task: Task<GatheredFrame, any Error>
  }

  var stage: PlayerStage
  /// The number of the composition: results of an older one are discarded.
  var generation = 0
  var clock: MovieClock
  var cache: FrameCache
  var observers = PlayerObservers(at: .zero)
  var statistics = PlayerStatistics()
  var target: Target?
  var seekNumber = 0
  /// The last frame requested by a seek, and the direction from the one before.
  var lastTarget = 0
  var scrubDirection = 0
  /// The frame shown; `nil` before the first, and after a jump.
  var shown: Int?
  var gathering: Gathering?
  /// Frames that are being composed.
  var finishing: Set<Int> = []
  /// The last frame whose sources were read, which is the decoders' position.
  var position: Int?
  /// The last frame whose sources were read, if nothing was started since: a frame that needs its predecessors can follow it.
  var gathered: Int?
  /// A run of frames that is decoded forward, to be shown in any order.
  var run: ClosedRange<Int>?
  var costs = DecodeCosts()
  /// Recent seconds from the start of a frame until it can be shown.
  var latency = 0.0
  /// Whether the last frame shown was late, or none came.
  var isBehind = false
  var isClosed = false

  var direction: Int { clock.rate != 0 ? (clock.rate > 0 ? 1 : -1) : scrubDirection }

  func isKnown(_ index: Int) -> Bool { cache.isSettled(index) || finishing.contains(index) }

  /// The distance of shown frames: above 1 if the rate is so high that no screen shows them all.
  var stride: Int { max(1, Int((abs(clock.rate) * stage.frameRate / PlayerState.mostFramesASecond).rounded(.up))) }

  /// The frame that is due at a movie time.
  func due(at time: MediaTime) -> Int {
    let index = stage.index(at: time)
    return stride == 1 ? index : index / stride * stride
  }

  private static let mostFramesASecond = 60.0

  /// Records how long a frame took.
  mutating func addLatency(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    latency = latency == 0 ? seconds : 0.75 * latency + 0.25 * seconds
  }
}

/// Recent costs of decoding in seconds: of a step to the next frame, and of a jump elsewhere.
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

  /// Number of preceding frames that are worth decoding along with a frame: as many as cost about as much as getting there.
  func chunk(atMost limit: Int) -> Int {
    guard step > 0, jump > 0 else { return min(8, limit) }
    return max(min(4, limit), min(limit, Int(min(1e4, jump / step))))
  }
}
