import CCompositorPluginProcess
import CompositorAPI
import Foundation

extension PluginCheckBench {
  /// Cancels a small frame before it starts, and a large one that has been under way for a moment.
  func cancellation(_ small: PluginCheckScene) throws -> PluginCheckResult {
    let early = try cancellation(of: small, after: .zero)
    guard early.outcome != .failed else { return early }
    let late = try cancellation(of: scene(PluginCheckScene.fullHD), after: .milliseconds(200))
    guard late.outcome != .failed else { return late }
    var result = early
    result.fullFrameSeconds = late.fullFrameSeconds
    return result
  }

  private func cancellation(of scene: PluginCheckScene, after delay: Duration) throws -> PluginCheckResult {
    let (composer, request) = (try make(scene), try scene.request())
    let start = ContinuousClock.now
    var outcome = "finished its frame"
    var seconds: Double?
    do {
      _ = try compose(composer, request, cancellingAfter: delay)
      // A frame that was finished all the same has shown how long one takes.
      seconds = (ContinuousClock.now - start) / .seconds(1)
    } catch let error as CompositorError where error.code == .cancelled {
      outcome = "stopped"
    } catch is CancellationError {
      outcome = "stopped"
    }
    let taken = max(ContinuousClock.now - start - delay, .zero)
    var result = PluginCheckResult(
      taken < .seconds(1) ? .passed : .failed, "It \(outcome) \(taken.formattedMilliseconds) after it was cancelled.")
    result.fullFrameSeconds = seconds
    return result
  }

  /// What the process has more after many instances and frames. Something is lost where memory grows in each round, and not
  /// only while caches fill.
  func leaks(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    // Made first: it may ask for sources at other times.
    _ = try make(scene)
    let request = try scene.request()
    let rounds = known.isSlow ? 4 : LeakMeter.usualRounds
    let frames = known.isSlow ? 1 : LeakMeter.usualFrames
    func round(_ instances: Int) throws {
      for _ in 0..<instances {
        let composer = try make(scene)
        for _ in 0..<frames { _ = try compose(composer, request) }
      }
    }
    let time = try ContinuousClock().measure { try round(1) }
    // A slow compositor shows a leak in fewer frames too.
    let budget = Duration.milliseconds(known.frameSeconds > 0.001 ? 60 : 600)
    let instances = known.isSlow ? 1 : min(max(Int(budget / time), known.frameSeconds < 0.005 ? 12 : 4), 60)
    if !known.isSlow { try round(instances) }
    var meter = LeakMeter(instances: instances, rounds: rounds, framesOfAnInstance: frames)
    for _ in 0..<rounds {
      try meter.measure {
        try round(instances)
        // What a run time lets go of a little later, such as timers and tasks that were cancelled, is not lost.
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
    return meter.result
  }

  func speed(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let (composer, request) = (try make(scene), try scene.request())
    let clock = ContinuousClock()
    var times: [Duration] = []
    var copies: [Duration] = []
    let end = clock.now + .milliseconds(500)
    if let seconds = known.fullFrameSeconds, seconds > 0.5 { times.append(.seconds(seconds)) }
    repeat {
      if times.first.map({ $0 < .milliseconds(500) }) ?? true {
        times.append(try clock.measure { _ = try compose(composer, request) })
      }
      if let source = request.allSources.first?.frame {
        copies.append(try clock.measure { _ = try SharedFrame.copy(of: source.rearranged(bottomUp: false), pool: scene.pool) })
      }
    } while max(times.count, copies.count) < 12 && clock.now < end
    guard let time = times.min(), let copy = copies.min() else { return PluginCheckResult(.failed, "Nothing was measured.") }
    let ratio = (time / copy * 10).rounded() / 10
    return PluginCheckResult(
      .passed, "\(time.formattedMilliseconds) a frame of 1920x1080 \(scene.format), \(ratio) x two plain copies of a source.")
  }
}

extension Duration {
  /// `1.25 ms`.
  fileprivate var formattedMilliseconds: String { "\(((self / .milliseconds(1)) * 100).rounded() / 100) ms" }
}
