internal import Compositor
internal import Dispatch
internal import Foundation

/// Samples of a writer's inputs on their way to the file.
///
/// Each input has a queue of its own, so that none waits for another one. A job on the threads of this module encodes what is queued,
/// in the order of time.
final class WriterEngine: @unchecked Sendable {
  /// What was appended.
  enum Item: Sendable {
    case picture(AppendedPicture, CMTime, CMTime)
    case audio(AppendedAudio, CMTime)
    case coded(CodedPayload)

    var time: CMTime {
      switch self {
      case .picture(_, let time, _), .audio(_, let time): time
      case .coded(let payload): CMTime(payload.sample.decodeTime ?? payload.sample.presentationTime ?? .zero)
      }
    }
  }

  /// A call that asks for samples.
  struct Request {
    let queue: DispatchQueue
    nonisolated(unsafe) let block: () -> Void
  }

  /// One input.
  struct Input {
    /// The place among the inputs of its type, or among those that are copied.
    let track: Int
    /// How many items may wait.
    let capacity: Int
    var items: [Item] = []
    var isFinished = false
    var request: Request?
    /// Whether the block is queued or runs.
    var isCalling = false
    /// Items appended while the block ran.
    var appendedCount = 0
  }

  /// Guards everything below but the file, and wakes those that wait for room or for the end.
  let lock = NSCondition()
  var status = AVAssetWriter.Status.unknown
  var error: (any Error)?
  var inputs: [Input] = []
  var plan: WriterPlan?
  var file: MovieFile?
  var temporary: URL?
  var sessionStart: CMTime?
  var sessionEnd: CMTime?
  var isDraining = false
  var handlers: [@Sendable () -> Void] = []
  var isFinishing = false
  /// What inputs asked for before the writer started.
  var earlyRequests: [Int: Request] = [:]

  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// Whether the file is about to be completed.
  var isEnding: Bool { locked { isFinishing } }

  // MARK: Starting

  /// Makes the file that the movie is written to.
  ///
  /// - Throws: Why it cannot be written.
  func start(_ plan: WriterPlan, inputs: [Input]) throws(AVError) {
    guard !FileManager.default.fileExists(atPath: plan.target.path) else { throw AVError.exists(plan.target) }
    try plan.validate()
    let temporary = plan.folder.appendingPathComponent(".\(UUID().uuidString).\(plan.container.rawValue)")
    guard FileManager.default.createFile(atPath: temporary.path, contents: nil) else {
      throw AVError(
        .unknown, "\(plan.folder.path) cannot be written to.", suggestion: "Make the folder, or choose another one.")
    }
    locked {
      self.plan = plan
      self.temporary = temporary
      self.inputs = inputs
      for (index, request) in earlyRequests { self.inputs[index].request = request }
      earlyRequests = [:]
      status = .writing
    }
  }

  /// Says at which time of samples the movie begins.
  func startSession(at time: CMTime) {
    locked {
      precondition(status != .unknown, "Start writing before the session.")
      precondition(sessionStart == nil, "A writer has one session.")
      precondition(time.isNumeric, "A session starts at a time that is a number.")
      guard status == .writing, let plan, let temporary else { return }
      sessionStart = time
      file = MovieFile(plan, temporary: temporary, start: time)
    }
    for index in locked({ inputs.indices }) { call(index) }
  }

  /// Says at which time of samples the movie ends.
  func endSession(at time: CMTime) {
    locked {
      precondition(sessionStart.map { time >= $0 } ?? (status != .writing), "A session ends after its start.")
      precondition(sessionEnd == nil || status != .writing, "A session ends once.")
      sessionEnd = time
    }
  }

  // MARK: Appending

  /// Whether an input takes samples without waiting. After a failure all do, so that a program learns of it by appending.
  func isReady(_ index: Int) -> Bool { locked { isReadyNow(index) } }

  func isReadyNow(_ index: Int) -> Bool {
    guard inputs.indices.contains(index), !inputs[index].isFinished else { return false }
    return status == .failed || status == .writing && inputs[index].items.count < inputs[index].capacity
  }

  /// Queues samples of an input. If there is no room, the calling thread waits for it.
  ///
  /// - Returns: False if the writer has failed or was canceled.
  func append(_ index: Int, _ make: () throws(AVError) -> Item) -> Bool {
    let isWriting = locked { () -> Bool in
      precondition(status != .unknown, "Start writing before samples are appended.")
      guard status == .writing else { return false }
      precondition(sessionStart != nil, "Start a session before samples are appended.")
      precondition(!inputs[index].isFinished, "No samples can be appended after markAsFinished().")
      return true
    }
    guard isWriting else { return false }
    let item: Item
    do throws(AVError) { item = try make() } catch {
      fail(error)
      return false
    }
    return locked {
      while status == .writing, inputs[index].items.count >= inputs[index].capacity { lock.wait() }
      guard status == .writing, !inputs[index].isFinished else { return false }
      inputs[index].items.append(item)
      inputs[index].appendedCount += 1
      drainIfNeeded()
      return true
    }
  }

  /// Says that an input gets no more samples, and forgets its request.
  func finish(_ index: Int) {
    let request = locked { () -> Request? in
      guard inputs.indices.contains(index) else { return nil }
      inputs[index].isFinished = true
      defer { inputs[index].request = nil }
      return inputs[index].request
    }
    withExtendedLifetime(request) {}
  }
}
