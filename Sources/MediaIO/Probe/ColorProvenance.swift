/// Who said each of a track's color tags.
public struct ColorProvenance: Sendable, Hashable, Codable {
  /// Who said a tag.
  public enum Origin: String, Sendable, Hashable, Codable {
    /// The container's header.
    case container
    /// The pictures themselves.
    case bitstream
    /// Nobody: the value is the stated default.
    case assumed
    /// Whoever uses the source, whatever it says itself.
    case given
  }
  /// Primaries.
  public var primaries: Origin
  /// Transfer function.
  public var transfer: Origin
  /// Matrix.
  public var matrix: Origin
  /// Range.
  public var range: Origin
  /// Chroma siting.
  public var chromaLocation: Origin

  /// Makes a provenance.
  public init(primaries: Origin, transfer: Origin, matrix: Origin, range: Origin, chromaLocation: Origin) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
  }

  /// Names of the tags that the user of the source said, in the same order.
  public var given: [String] { names(of: .given) }

  /// Names of the tags that nobody said, in this order: primaries, transfer, matrix, range. Siting is hardly ever said.
  public var assumed: [String] { names(of: .assumed) }

  private func names(of origin: Origin) -> [String] {
    [(primaries, "primaries"), (transfer, "transfer"), (matrix, "matrix"), (range, "range")]
      .filter { $0.0 == origin }.map(\.1)
  }
}
