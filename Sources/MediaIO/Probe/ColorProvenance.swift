/// The origin of each of a track's color tags.
public struct ColorProvenance: Sendable, Hashable, Codable {
  /// The origin of a color tag.
  public enum Origin: String, Sendable, Hashable, Codable {
    /// The container's header.
    case container
    /// The coded frames.
    case bitstream
    /// Stated nowhere: the value is the documented default.
    case assumed
    /// Set by the user of the source, whatever the file states.
    case given
  }
  /// Origin of the primaries.
  public var primaries: Origin
  /// Origin of the transfer function.
  public var transfer: Origin
  /// Origin of the matrix.
  public var matrix: Origin
  /// Origin of the range.
  public var range: Origin
  /// Origin of the chroma location.
  public var chromaLocation: Origin

  /// Creates a provenance.
  public init(primaries: Origin, transfer: Origin, matrix: Origin, range: Origin, chromaLocation: Origin) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
  }

  /// Names of the tags that the user of the source set, in the order of ``assumed``.
  public var given: [String] { names(of: .given) }

  /// Names of the tags that are stated nowhere, in this order: primaries, transfer, matrix, range. The chroma location is not
  /// listed, because files hardly ever state it.
  public var assumed: [String] { names(of: .assumed) }

  private func names(of origin: Origin) -> [String] {
    [(primaries, "primaries"), (transfer, "transfer"), (matrix, "matrix"), (range, "range")]
      .filter { $0.0 == origin }.map(\.1)
  }
}
