public import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorMediaWriting

/// A plan and its file.
public struct SegmentPlanFile: Sendable {
  /// The plan.
  public let plan: SegmentPlan
  /// The file's path, as the caller gave it.
  public let path: String
  /// The file's path for messages and the commands in them, which may be read in another folder. By default ``path``.
  package var shownPath: String
  /// The SHA-256 of the file's bytes, which identifies the plan in the receipts of its parts.
  public let name: String

  /// Maximum size of a plan in bytes.
  private static let maximumByteCount = 256 << 20

  /// Reads a plan.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.readFailed`; `.invalidProject` for a file that isn't a plan, has another
  ///   format version, or contradicts itself.
  public init(contentsOf path: String) throws(CompositorError) {
    let bytes = try RegularFile.bytes(of: path, maximumByteCount: Self.maximumByteCount)
    do throws(CompositorError) { plan = try SegmentPlan(json: bytes) } catch { throw error.locating(ErrorLocation(file: path)) }
    (self.path, shownPath, name) = (path, path, FileDigest(of: bytes).sha256)
  }

  /// Writes a plan to a file that appears complete or not at all.
  ///
  /// - Parameter overwrites: Whether an existing file is replaced.
  /// - Throws: `.outputExists`, `.writeFailed`.
  public init(_ plan: SegmentPlan, writingTo path: String, overwrites: Bool) throws(CompositorError) {
    let bytes = try plan.json()
    try AtomicOutput.write(bytes, to: path, overwrites: overwrites)
    (self.plan, self.path, shownPath, name) = (plan, path, path, FileDigest(of: bytes).sha256)
  }

  /// The first digits of ``name``, for people.
  public var shortName: String { String(name.prefix(12)) }

  /// The part with the audio of the movie.
  ///
  /// - Throws: `.invalidValue` if the plan has none.
  package func audio() throws(CompositorError) -> SegmentPlan.AudioPart {
    guard let audio = plan.audio else {
      throw CompositorError(
        .invalidValue, "The plan has no audio.", recoverySuggestion: "Render its segments.", at: ErrorLocation(file: path))
    }
    return audio
  }
}

extension SegmentPlan {
  /// The plan as JSON, with sorted keys and a line break at the end. Equal plans give equal bytes.
  package func json() throws(CompositorError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    } catch {
      throw CompositorError(.internalFault, "The plan cannot be written as JSON.", cause: "\(error)")
    }
  }

  /// Parses a plan.
  ///
  /// - Throws: `.invalidProject`.
  package init(json bytes: [UInt8]) throws(CompositorError) {
    struct Header: Decodable { var formatVersion: Int }
    do {
      let version = try JSONDecoder().decode(Header.self, from: Data(bytes)).formatVersion
      guard version == Self.currentFormat else {
        throw CompositorError(
          .invalidProject, "The plan has the format version \(version), and this tool reads \(Self.currentFormat).",
          recoverySuggestion: "Make a new plan, or use the tool that made this one.")
      }
      self = try JSONDecoder().decode(SegmentPlan.self, from: Data(bytes))
    } catch let error as CompositorError {
      throw error
    } catch {
      throw CompositorError(
        .invalidProject, "This is not a plan.", advice: "Give a file that \(operation: .plan) wrote.",
        cause: (error as? DecodingError)?.place)
    }
    try checkNumbers()
  }

  /// Checks for contradictions, as a plan may have been edited.
  private func checkNumbers() throws(CompositorError) {
    guard let fault = faults.first else { return }
    throw CompositorError(.invalidProject, "The plan contradicts itself: \(fault).", recoverySuggestion: "Make a new plan.")
  }

  private var faults: [String] {
    if let rows {
      return (rows.isEmpty ? ["it has no rows"] : [])
        + (Set(rows.map(\.path)).count < rows.count ? ["two rows have one output"] : [])
        + (movie != nil || !cuts.isEmpty || audio != nil ? ["it has rows and segments"] : [])
    }
    guard let movie else { return ["it has no movie"] }
    let isRising = cuts.first == 0 && zip(cuts, cuts.dropFirst()).allSatisfy { $0 < $1 } && (cuts.last ?? 0) < movie.frameCount
    let unit = movie.timing.unit
    var faults: [String] = []
    if !isRising { faults.append("its cuts do not divide its frames") }
    if movie.firstFrame < 0 || movie.frameCount > 1 << 40 { faults.append("its frames cannot be counted") }
    if !(unit.numerator > 0 && unit.denominator > 0) { faults.append("its frames have no times") }
    if let audio, audio.sampleCount <= 0 || !AudioEncodingSettings.sampleRates.contains(audio.encoding.sampleRate) {
      faults.append("its audio has no samples")
    }
    return faults
  }
}

extension DecodingError {
  /// The key that could not be decoded, and the reason.
  fileprivate var place: String {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found), .dataCorrupted(let found):
      context = found
    @unknown default: return "\(self)"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? context.debugDescription : "\(path.drop { $0 == "." }): \(context.debugDescription)"
  }
}
