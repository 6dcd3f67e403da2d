import CompositorPlatform

/// The folder in which this package caches what it has found out about files of the machine, such as plugins and media.
package enum CacheFolder {
  /// The folder given by the environment variable `COMPOSITOR_CACHE`, or else `$XDG_CACHE_HOME/compositor`, by default
  /// `~/.cache/compositor`; `nil` for no cache: if `COMPOSITOR_CACHE` is empty, or if there is no home.
  package static var path: String? {
    if let override = variable("COMPOSITOR_CACHE") { return override.isEmpty ? nil : override }
    if let cache = variable("XDG_CACHE_HOME"), !cache.isEmpty { return "\(cache)/compositor" }
    return variable("HOME").map { "\($0)/.cache/compositor" }
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
