package import CompositorAPI

extension CompositorError {
  /// Attributes the error to its origin: a plugin's own failure becomes `.pluginFailed` and names its file, and a
  /// cancellation that wasn't requested becomes a failure.
  package func blaming(_ origin: CompositorFactory.Origin, isCancelled: Bool) -> CompositorError {
    let isUnasked = code == .cancelled && !isCancelled
    var isPlugin = false
    var location = location
    if case .plugin(let name) = origin {
      isPlugin = true
      // Where a plugin's own process reports an error, it has the name already.
      if code == .invalidCompositorOutput { location.file = location.file ?? name }
    }
    let isOwnFault = [.compositorFailed, .invalidCompositorOutput].contains(code)
    guard isUnasked || (isPlugin && isOwnFault) else { return self }
    let ownCode: Code = isPlugin ? .pluginFailed : .compositorFailed
    return CompositorError(
      ownCode, isUnasked ? "The compositor reports a cancellation that wasn't requested." : message,
      recoverySuggestion: recoverySuggestion,
      cause: cause, at: location)
  }
}
