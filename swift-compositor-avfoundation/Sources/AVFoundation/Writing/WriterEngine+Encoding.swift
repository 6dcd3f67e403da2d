internal import Compositor
internal import Foundation

/// The job that encodes, and how it ends.
extension WriterEngine {
  /// Starts the job that encodes, unless it runs. The lock must be held.
  func drainIfNeeded() {
    guard !isDraining else { return }
    isDraining = true
    Task(executorPreference: Worker.shared) { await self.drain() }
  }

  /// The next step of the job.
  private enum Step {
    case encode(Int, Item, MovieFile, CMTime?)
    case finish(MovieFile?, CMTime?)
    case abandon(MovieFile?, URL?)
    case stop
  }

  private func nextStep() -> Step {
    locked {
      guard status == .writing else { return .abandon(file, temporary) }
      let waiting = inputs.indices.filter { !inputs[$0].items.isEmpty }
      if let file, let index = waiting.min(by: { inputs[$0].items[0].time < inputs[$1].items[0].time }) {
        let item = inputs[index].items.removeFirst()
        lock.broadcast()
        return .encode(index, item, file, sessionEnd)
      }
      if isFinishing { return .finish(file, sessionEnd) }
      isDraining = false
      return .stop
    }
  }

  private func drain() async {
    while true {
      switch nextStep() {
      case .stop: return
      case .abandon(let file, let temporary): return close(file, temporary)
      case .encode(let index, let item, let file, let end):
        call(index)
        do { try await encode(item, of: index, to: file, until: end) } catch { fail(error) }
        // Other writers take turns.
        await Task.yield()
      case .finish(let file, let end):
        do {
          guard let file else { throw AVError(.unknown, "The writer was finished before a session was started.") }
          try await file.finish(at: end)
          let isCompleted = locked {
            if status == .writing { status = .completed }
            return status == .completed
          }
          // One that was canceled meanwhile leaves no file. There was none of this name.
          return close(nil, isCompleted ? nil : locked { plan?.target })
        } catch {
          fail(error)
        }
      }
    }
  }

  private func encode(_ item: Item, of index: Int, to file: MovieFile, until end: CMTime?) async throws {
    switch item {
    case .picture(let picture, let time, let duration):
      try await file.append(picture, at: time, lasting: duration, until: end)
    case .audio(let audio, let time):
      try file.append(audio, at: time, track: locked { inputs[index].track }, until: end)
    case .coded(let payload):
      try file.append(payload, track: locked { inputs[index].track })
    }
  }

  // MARK: Ending

  /// Ends the writer with an error. The file is removed.
  func fail(_ error: any Error) {
    let error = (error as? CompositorError).map { AVError($0) } ?? error
    locked {
      guard status == .writing || status == .unknown else { return }
      status = .failed
      self.error = error
      drainIfNeeded()
      lock.broadcast()
    }
    for index in locked({ inputs.indices }) { call(index) }
  }

  /// Ends all inputs, writes the rest, and calls a handler when that is done.
  func finish(_ handler: @escaping @Sendable () -> Void) {
    let isEnded = locked { () -> Bool in
      precondition(status != .unknown, "Start writing before the writer is finished.")
      guard status == .writing || isDraining else { return true }
      handlers.append(handler)
      isFinishing = true
      drainIfNeeded()
      return false
    }
    for index in locked({ inputs.indices }) { finish(index) }
    if isEnded { Thread.detachNewThread(handler) }
  }

  /// Ends the writer, and returns when the file is removed. Does nothing after another end.
  func cancel() {
    locked {
      guard status == .writing || status == .unknown else { return }
      status = .cancelled
      earlyRequests = [:]
      if temporary != nil { drainIfNeeded() }
      lock.broadcast()
      while isDraining { lock.wait() }
    }
    for index in locked({ inputs.indices }) { finish(index) }
  }

  /// Ends the job: removes the file if there is one, and calls the handlers.
  private func close(_ file: MovieFile?, _ temporary: URL?) {
    file?.abandon()
    if let temporary { try? FileManager.default.removeItem(at: temporary) }
    let handlers = locked {
      self.file = nil
      self.temporary = nil
      isDraining = false
      for index in inputs.indices { inputs[index].items = [] }
      lock.broadcast()
      defer { self.handlers = [] }
      return self.handlers
    }
    // Handlers may block, and must not have one of the module's threads.
    for handler in handlers { Thread.detachNewThread(handler) }
  }
}
