public import CompositorAPI
public import Foundation

extension CompositorError: LocalizedError {
  /// Location, message and cause, for `localizedDescription`; ``recoverySuggestion`` is separate.
  public var errorDescription: String? { summary }

  /// The cause, if it is known.
  public var failureReason: String? { cause }
}

extension CompositorError: CustomNSError {
  /// The domain of the package's errors as `NSError`.
  public static var errorDomain: String { "CompositorError" }

  /// The number of the error's code, as `NSError.code`.
  public var errorCode: Int { code.rawValue }

  /// The texts that `NSError` reports.
  public var errorUserInfo: [String: Any] {
    [
      NSLocalizedDescriptionKey: summary, NSLocalizedFailureReasonErrorKey: failureReason,
      NSLocalizedRecoverySuggestionErrorKey: recoverySuggestion,
    ].compactMapValues { $0 }
  }
}
