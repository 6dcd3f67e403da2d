public import CompositorAPI
public import Foundation

extension CompositorError: LocalizedError {
  /// What happened, with its place: what `localizedDescription` says.
  public var errorDescription: String? {
    let place = [location.file, location.path].compactMap { $0 }.joined(separator: ", ")
    return place.isEmpty ? message : "\(place): \(message)"
  }
  /// Why it happened, if that is known.
  public var failureReason: String? { cause }
  /// What to do about it.

}
