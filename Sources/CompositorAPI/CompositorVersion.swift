/// The version of this package, which the tool prints and plugins receive.
public enum CompositorVersion {
  /// By Semantic Versioning 2.0.0, such as `0.1.0`.
  public static let number = "0.1.0"
}
