import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlayback
import CompositorPlugins
import CompositorTestSupport
import CompositorValidation
import Foundation
import Synchronization

/// A clock that a test moves by hand: nothing depends on how fast the machine is.
final class ManualClock: PlayerClock {
  private struct Sleeper {
    let instant: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, Never>
  }
  private struct State {
    var now: ContinuousClock.Instant
    var sleepers: [UUID: Sleeper] = [:]
  }
  private let state = Mutex(State(now: .now))

  var now: ContinuousClock.Instant { state.withLock { $0.now } }

  func sleep(until instant: ContinuousClock.Instant) async {
    let id = UUID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isOver = state.withLock { state in
          if Task.isCancelled || state.now >= instant { return true }
          state.sleepers[id] = Sleeper(instant: instant, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
    }
  }

  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.instant <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}

/// Clips of numbered frames, as compositions.
struct NumberedClip {
  let folder: TemporaryFolder
  let path: String

  static let x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "3", "-crf", "10", "-sc_threshold", "0", "-g", "30"]

  init(
    _ name: String = "n.mp4", count: Int = 120, rate: String = "25", options: [String] = x264, audio: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    path = folder.file(name)
    try NumberedMovie.make(path, count: count, rate: rate, options: options, audio: audio)
  }

  func composition(
    registry: CompositorRegistry = .builtIn, _ change: (inout Edit) -> Void = { _ in }
  ) throws -> ValidatedComposition {
    var registry = registry
    // The composition holds its registry, and that the folder: the file is there as long as somebody plays it.
    try registry.register("test.folder") { [folder] _ in throw CompositorError(.noFrame, folder.path) }
    let catalog = MediaCatalog()
    var edit = try Edit(showing: .file(path: path), catalog: catalog)
    change(&edit)
    return try CompositionValidator.validate(edit, catalog: catalog, registry: registry).get()
  }
}

/// Lets compositors through while it is open.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func open() {
    let waiting = state.withLock { state in
      defer { (state.isOpen, state.waiting) = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func close() { state.withLock { $0.isOpen = false } }

  /// How many wait now.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Lets the one through that has waited longest.
  func letOneThrough() {
    state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?.resume()
  }

  func pass() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isOpen = state.withLock { state in
        if state.isOpen { return true }
        state.waiting.append(continuation)
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}

extension NumberedClip {
  private struct Broken: Error {}

  /// Frames come out of their compositor only while a gate is open; some fail.
  func composition(behind gate: Gate, broken: Set<Int> = []) throws -> ValidatedComposition {
    try composition(broken: broken) { await gate.pass() }
  }

  /// Frames come out of their compositor after a time.
  func composition(delay: Duration) throws -> ValidatedComposition {
    try composition(broken: []) { try? await Task.sleep(for: delay) }
  }

  private func composition(
    broken: Set<Int>, _ wait: @escaping @Sendable () async -> Void
  ) throws -> ValidatedComposition {
    var registry = CompositorRegistry.builtIn
    try registry.register("test.slow") { request in
      await wait()
      guard let frame = request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first else {
        return try request.context.makeFrame(filledWith: .black)
      }
      if broken.contains(frame.number) { throw Broken() }
      return frame
    }
    return try composition(registry: registry) { edit in
      for index in edit.videoComposition.instructions.indices {
        let tracks = edit.videoComposition.instructions[index].requiredTrackIDs
        edit.videoComposition.instructions[index].layers = tracks.map { LayerInstruction(trackID: $0) }
        edit.videoComposition.instructions[index].compositor = "test.slow"
      }
    }
  }
}

extension Frame {
  /// The number that a frame of a ``NumberedMovie`` carries.
  var number: Int {
    let step = size.width / 10
    return withRow(size.height / 2, as: UInt8.self) { row in
      (0..<10).reduce(0) { $0 | (row[$1 * step + step / 2] > 128 ? 1 << $1 : 0) }
    }
  }
}

extension MediaTime {
  /// The middle of a frame at a rate such as `30000/1001`.
  static func middle(of frame: Int, rate: String) -> MediaTime {
    let parts = rate.split(separator: "/").compactMap { Int64($0) }
    return MediaTime(value: (2 * Int64(frame) + 1) * (parts.count > 1 ? parts[1] : 1), timescale: Int32(2 * parts[0]))
  }
}

/// Waits until a condition holds, ten seconds at most.
func soon(_ condition: () async -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(10)
  while ContinuousClock.now < deadline {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return await condition()
}
