internal import Synchronization

/// Images that are being made, so that all can be canceled.
final class PendingImages: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]>([])

  func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

  func cancelAll() {
    let all = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
    for task in all { task.cancel() }
  }
}
