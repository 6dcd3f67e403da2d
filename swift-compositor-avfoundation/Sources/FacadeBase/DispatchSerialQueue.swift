public import Dispatch

/// A queue that runs one piece of work after another, and can be the executor of an actor.
///
/// It is no subclass of `DispatchQueue`, which is closed on Linux: calls of these modules that take a queue take both.
open class DispatchSerialQueue: SerialExecutor, @unchecked Sendable {
  /// The queue that runs the work.
  public let queue: DispatchQueue
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// A queue.
  ///
  /// - Parameter autoreleaseFrequency: It has no effect: there are no autorelease pools.
  public init(
    label: String, qos: DispatchQoS = .unspecified, attributes: DispatchQueue.Attributes = [],
    autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) {
    precondition(!attributes.contains(.concurrent), "A serial queue is not concurrent.")
    queue = DispatchQueue(
      label: label, qos: qos, attributes: attributes, autoreleaseFrequency: autoreleaseFrequency, target: target)
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// The name.
  public var label: String { queue.label }
  /// How urgent its work is.
  public var qos: DispatchQoS { queue.qos }

  /// The queue as the executor of an actor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Runs a job of an actor.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  private var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

  /// Stops the program unless the queue runs the caller.
  public func checkIsolated() { precondition(isCurrent, "Queue “\(label)” does not run this.") }

  /// Whether the queue runs the caller.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Runs work later.
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    queue.async(group: group, qos: qos, flags: flags, execute: work)
  }

  /// Runs work no earlier than a time.
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work)
  }

  /// Runs work, and waits for its end.
  public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { try queue.sync(execute: work) }
}
