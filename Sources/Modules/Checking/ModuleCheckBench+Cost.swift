import CModuleProcess
import CompositorAPI
import Foundation

extension ModuleCheckBench {
  func cancellation(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let (composer, request) = (try make(scene), try scene.request())
    let start = ContinuousClock.now
    var outcome = "finished its frame"
    do {
      _ = try compose(composer, request, cancelling: true)
    } catch let error as CompositorError where error.code == .cancelled {
      outcome = "stopped"
    } catch is CancellationError {
      outcome = "stopped"
    }
    let taken = ContinuousClock.now - start
    let text = "It \(outcome) \(taken.formattedMilliseconds) after it was cancelled."
    return taken < .seconds(1) ? ModuleCheckResult(.passed, text) : ModuleCheckResult(.failed, text)
  }

  /// What the process has more after many instances and frames. Something is lost where memory grows in each round, and not
  /// only while caches fill.
  func leaks(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let request = try scene.request()
    func round() throws {
      for _ in 0..<60 {
        let composer = try make(scene)
        for _ in 0..<4 { _ = try compose(composer, request) }
      }
      // What a run time lets go of a little later, such as timers and tasks that were cancelled, is not lost.
      Thread.sleep(forTimeInterval: 0.02)
    }
    try round()
    let (threads, descriptors) = (module_thread_count(), module_descriptor_count())
    var growth: [Int64] = []
    for _ in 0..<8 {
      let before = module_worker_memory()
      try round()
      growth.append(module_worker_memory() - before)
    }
    var text = "480 instances and 1920 frames took \(growth.reduce(0, +) >> 10) KiB more memory"
    var isLeak = growth.allSatisfy { $0 >= 24 << 10 }
    for (more, noun) in [(module_thread_count() - threads, "threads"), (module_descriptor_count() - descriptors, "open files")]
    where more >= 60 {
      text += ", \(more) more \(noun)"
      isLeak = true
    }
    return ModuleCheckResult(isLeak ? .failed : .passed, text + ".")
  }

  func speed(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let (composer, request) = (try make(scene), try scene.request())
    let clock = ContinuousClock()
    var times: [Duration] = []
    var copies: [Duration] = []
    for _ in 0..<12 {
      times.append(try clock.measure { _ = try compose(composer, request) })
      if let source = request.sources[1]?.frame {
        copies.append(try clock.measure { _ = try SharedFrame(source.rearranged(bottomUp: false), pool: scene.pool) })
      }
    }
    guard let time = times.min(), let copy = copies.min() else { return ModuleCheckResult(.failed, "Nothing was measured.") }
    let ratio = (time / copy * 10).rounded() / 10
    return ModuleCheckResult(
      .passed, "\(time.formattedMilliseconds) a frame of 1920x1080 \(scene.format), \(ratio) x two plain copies of a source.")
  }
}

extension Duration {
  /// `1.25 ms`.
  fileprivate var formattedMilliseconds: String { "\(((self / .milliseconds(1)) * 100).rounded() / 100) ms" }
}
