extension CompositorError {
  /// Attributes the error of a compositor or an audio processor to its origin: a plugin's own failure becomes `.pluginFailed` and names its
  /// file, and a cancellation that wasn't requested becomes a failure.
  package func attributed(to origin: CompositorFactory.Origin, isCanceled: Bool) -> CompositorError {
    let isUnasked = code == .cancelled && !isCanceled
    var (location, ownCode) = (location, Code.compositorFailed)
    if case .plugin(let name) = origin {
      ownCode = .pluginFailed
      // Where a plugin's own process reports an error, it has the name already.
      location.file = location.file ?? name
    }
    let isOwnFault = [.compositorFailed, .invalidCompositorOutput].contains(code)
    guard isUnasked || (ownCode == .pluginFailed && isOwnFault) else { return self }
    return CompositorError(
      ownCode, isUnasked ? "It reports a cancellation that wasn't requested." : message, recoverySuggestion: recoverySuggestion,
      cause: cause, at: location)
  }
}
