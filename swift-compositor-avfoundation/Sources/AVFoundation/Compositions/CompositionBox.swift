internal import Compositor
internal import Foundation
internal import Synchronization

/// The edit that a composition and its tracks share.
final class CompositionBox: Sendable {
  private let state: Mutex<AssetSnapshot>

  init(_ snapshot: AssetSnapshot = AssetSnapshot()) { state = Mutex(snapshot) }

  var snapshot: AssetSnapshot { state.withLock { $0 } }
  var composition: Composition { snapshot.composition }

  func track(_ id: TrackID) -> CompositionTrack? { state.withLock { $0.composition.track(id) } }

  /// Changes the composition, or leaves it as it is.
  ///
  /// - Throws: The reason, under its code of this framework.
  func edit<Value>(
    adding files: [MediaSource: AssetFacts] = [:], _ change: (inout Composition) throws(CompositorError) -> Value
  ) throws(AVError) -> Value where Value: Sendable {
    let result: Result<Value, CompositorError> = state.withLock { snapshot in
      do throws(CompositorError) {
        var copy = snapshot.composition
        let value = try change(&copy)
        snapshot.composition = copy
        snapshot.files.merge(files) { known, _ in known }
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    do { return try result.get() } catch { throw AVError(error) }
  }
}
