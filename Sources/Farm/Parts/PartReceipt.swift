package import CompositorAPI
package import CompositorMediaWriting
import CompositorMediaIO
package import Foundation

/// Describes a part of a plan, written beside it once it is complete. Joining relies on receipts alone.
package struct PartReceipt: Hashable, Sendable, Codable {
  /// The plan's name.
  package var plan: String
  /// The part.
  package var part: PlanPart
  /// The part's file: in the folder of parts, or for a batch in the folder of the plan.
  package var file: String
  /// Size of the file in bytes, and its SHA-256.
  package var byteCount: Int64
  package var sha256: String
  /// Number of frames, and of key frames among them; 0 for audio.
  package var frameCount = 0
  package var keyFrameCount = 0
  /// Reordering delay in frames: how far decoding runs ahead of presentation.
  package var reordering = 0
  /// The frame number of each packet, counted in the segment, separated by spaces; `nil` if packets are in the order of frames.
  package var order: String?
  /// The SHA-256 of the parameters that decoders need, which is equal in all parts of a movie.
  package var parameters: String?
  /// The start of each frame, in units of the movie's timing, and the end of the last one; `nil` at a constant rate.
  package var times: [Int64]?
  /// For audio: number of packets, samples per channel, and the division into packets.
  package var packetCount: Int?
  package var sampleCount: Int64?
  package var layout: AudioPacketLayout?
  /// Contents of the movie other than frames, in a separate file; `nil` for most parts.
  package var extras: Extras?
  /// Fonts that were used in addition to those in the plan.
  package var otherFonts: [SegmentPlan.Font]?
  /// Tolerated differences from the plan's versions, one sentence each.
  package var allowedVersions: [String]?
  /// Losses and warnings of damaged sources, if the plan tolerates damage.
  package var warnings: [String]?
  /// The SHA-256 of the program that rendered the part: builds of one version may differ. Nil if the program cannot be read.
  package var build: String?
  /// Origin of the part: the tool's version, the machine, the tier of its kernels, and the time it took in seconds.
  package var tool: String
  package var host: String
  package var kernels: String
  package var seconds: Double

  /// An additional file of a part.
  package struct Extras: Hashable, Sendable, Codable {
    package var file: String
    package var sha256: String
  }

  package init(
    plan: String, part: PlanPart, file: String, digest: FileDigest, tool: String, host: String, kernels: String,
    seconds: Double
  ) {
    (self.plan, self.part, self.file) = (plan, part, file)
    (byteCount, sha256) = (digest.byteCount, digest.sha256)
    (self.tool, self.host, self.kernels, self.seconds) = (tool, host, kernels, seconds)
    build = ToolVersions.build
  }

  /// The frame number of each packet, counted in the segment; `nil` if the receipt's order is invalid.
  package var frameNumbers: [Int]? {
    guard let order else { return Array(0..<frameCount) }
    let numbers = order.split(separator: " ").compactMap { Int($0) }
    return numbers.sorted() == Array(0..<frameCount) ? numbers : nil
  }

  /// Reads a receipt.
  ///
  /// - Throws: `.fileNotFound`; `.unreadableMedia` if the file is not a receipt.
  package init(contentsOf path: String) throws(CompositorError) {
    let bytes = try RegularFile.bytes(of: path, maximumByteCount: 256 << 20)
    do {
      self = try JSONDecoder().decode(PartReceipt.self, from: Data(bytes))
    } catch {
      throw CompositorError(
        .unreadableMedia, "This is not a receipt.", recoverySuggestion: "Render the part again.", at: ErrorLocation(file: path))
    }
  }

  /// Writes the receipt, which appears complete or not at all.
  package func write(to path: String) throws(CompositorError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes: Data
    do { bytes = try encoder.encode(self) } catch {
      throw CompositorError(.internalFault, "A receipt cannot be written as JSON.", cause: "\(error)")
    }
    try AtomicOutput.write(Array(bytes) + [UInt8(ascii: "\n")], to: path, overwrites: true)
  }
}

/// Contents of the movie other than frames, which a plan cannot hold: caption tracks and the cover.
package struct MovieExtras: Sendable, Codable {
  package var captions: [CaptionTrack]
  package var cover: Data?

  package init(captions: [CaptionTrack], cover: CoverPicture?) {
    self.captions = captions
    self.cover = cover.map { Data($0.bytes) }
  }

  /// The value as JSON; equal values give equal bytes.
  package func json() throws(CompositorError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(self))
    } catch {
      throw CompositorError(.internalFault, "Captions cannot be written as JSON.", cause: "\(error)")
    }
  }

  /// - Throws: `.unreadableMedia`.
  package init(json bytes: [UInt8], path: String) throws(CompositorError) {
    do {
      self = try JSONDecoder().decode(MovieExtras.self, from: Data(bytes))
    } catch {
      throw CompositorError(
        .unreadableMedia, "The file contains neither captions nor a cover.", recoverySuggestion: "Render segment 0 again.",
        at: ErrorLocation(file: path))
    }
  }

  /// The cover image.
  package func picture() throws(CompositorError) -> CoverPicture? {
    guard let cover else { return nil }
    return try CoverPicture(bytes: Array(cover))
  }
}
