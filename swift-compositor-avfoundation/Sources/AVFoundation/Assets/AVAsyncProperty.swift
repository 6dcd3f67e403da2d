public import FacadeBase
public import Foundation

/// A property of an asset or of a track that may have to be read from its file, without the type of its value.
public class AVPartialAsyncProperty<Root>: @unchecked Sendable {
  let key: String

  init(key: String) { self.key = key }
}

/// A property of an asset or of a track that may have to be read from its file.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
  let read: (Root) throws -> Value

  init(_ key: String, read: @escaping (Root) throws -> Value) {
    self.read = read
    super.init(key: key)
  }

  /// How far reading a property has come.
  public enum Status {
    /// It has not been asked for.
    case notYetLoaded
    /// It is being read.
    case loading
    /// Its value.
    case loaded(Value)
    /// Why it could not be read.
    case failed(NSError)
  }
}

/// How far reading a property has come.
public enum AVKeyValueStatus: Int, Sendable {
  /// It has not been asked for.
  case unknown = 0
  /// It is being read.
  case loading = 1
  /// It is known.
  case loaded = 2
  /// It could not be read.
  case failed = 3
  /// Reading was canceled.
  case cancelled = 4
}

/// What reads its properties from a file.
///
/// A property that is asked for without `load` is read at once, and has an empty value if that fails.
public protocol AVAsynchronousKeyValueLoading: AnyObject, Sendable {
  /// Calls a closure when properties are known, from another thread.
  func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?)
  /// Whether a property is known, which is found out by reading the file.
  ///
  /// - Parameter outError: Receives why it is not.
  func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus
}

extension AVAsynchronousKeyValueLoading {
  private func value<T>(_ property: AVAsyncProperty<Self, T>) async throws -> T {
    try Task.checkCancellation()
    return try property.read(self)
  }

  /// Reads a property.
  ///
  /// - Throws: `AVError` that says why it cannot be read; `CancellationError`.
  public func load<A>(_ a: AVAsyncProperty<Self, A>) async throws -> A { try await value(a) }

  /// Reads two properties.
  ///
  /// - Throws: As for one.
  public func load<A, B>(_ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>) async throws -> (A, B) {
    (try await value(a), try await value(b))
  }

  /// Reads three properties.
  ///
  /// - Throws: As for one.
  public func load<A, B, C>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>
  ) async throws -> (A, B, C) {
    (try await value(a), try await value(b), try await value(c))
  }

  /// Reads four properties.
  ///
  /// - Throws: As for one.
  public func load<A, B, C, D>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    _ d: AVAsyncProperty<Self, D>
  ) async throws -> (A, B, C, D) {
    (try await value(a), try await value(b), try await value(c), try await value(d))
  }

  /// Reads five properties.
  ///
  /// - Throws: As for one.
  public func load<A, B, C, D, E>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    _ d: AVAsyncProperty<Self, D>, _ e: AVAsyncProperty<Self, E>
  ) async throws -> (A, B, C, D, E) {
    (try await value(a), try await value(b), try await value(c), try await value(d), try await value(e))
  }

  /// How far reading a property has come: properties are read when they are asked for.
  public func status<T>(of property: AVAsyncProperty<Self, T>) -> AVAsyncProperty<Self, T>.Status {
    do { return .loaded(try property.read(self)) } catch { return .failed(error as NSError) }
  }
}
