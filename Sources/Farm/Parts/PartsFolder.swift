package import CompositorAPI
package import CompositorMediaWriting
import CompositorMediaIO
import CompositorPlatform

/// The folder beside a plan with its parts and their receipts: `plan.parts` for `plan.json`.
package struct PartsFolder: Sendable {
  /// The plan.
  package let file: SegmentPlanFile
  /// The folder's path.
  package let path: String

  package init(_ file: SegmentPlanFile) {
    self.file = file
    path = Self.path(forPlan: file.path)
  }

  /// The path of the folder for a plan.
  package static func path(forPlan path: String) -> String {
    (path.lowercased().hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".parts"
  }

  /// The file name of a part: in this folder, or for a batch in the folder of the plan.
  package func fileName(of part: PlanPart) -> String {
    if case .segment(let row) = part, let rows = file.plan.rows { return rows.indices.contains(row) ? rows[row].path : "" }
    return "\(part.stem).\(file.plan.movie?.container.rawValue ?? "")"
  }

  /// The path of a part's file.
  package func path(of part: PlanPart) -> String {
    let name = fileName(of: part)
    guard file.plan.isBatch else { return "\(path)/\(name)" }
    return file.paths.opened(name)
  }

  /// The files of which the plan makes the movie.
  package var inputs: [String] {
    let plan = file.plan
    return ([plan.project.path] + (plan.media + plan.files).map(\.path)).map(file.paths.opened)
  }

  /// The path of a part's receipt.
  package func receiptPath(of part: PlanPart) -> String { "\(path)/\(part.stem).json" }

  /// The path of the file with the movie's contents other than frames.
  package var extrasPath: String { "\(path)/movie.json" }

  /// The state of a part without reading its file: from the receipt, and the size of the file.
  package func stateByReceipt(of part: PlanPart) throws(CompositorError) -> PartState {
    let receipt: PartReceipt
    do throws(CompositorError) {
      receipt = try PartReceipt(contentsOf: receiptPath(of: part))
    } catch {
      if error.code == .fileNotFound { return .missing }
      guard error.code == .unreadableMedia || error.code == .sourceRefused else { throw error }
      return .damaged(reason: "its receipt cannot be read")
    }
    guard receipt.plan == file.name else { return .foreign(plan: receipt.plan) }
    guard receipt.part == part else { return .misplaced(receipt.part) }
    guard receipt.file == fileName(of: part) else { return .damaged(reason: "its receipt names \(receipt.file)") }
    if let reason = missingMedia(of: receipt) { return .incomplete(reason: reason) }
    guard let state = RegularFile.state(of: path(of: part)) else { return .lost }
    guard state.byteCount == receipt.byteCount else {
      return .damaged(reason: "it has \(state.byteCount) bytes instead of \(receipt.byteCount)")
    }
    return .done(receipt)
  }

  /// The reason why a receipt cannot be that of a complete part; `nil` if it can.
  private func missingMedia(of receipt: PartReceipt) -> String? {
    guard !file.plan.isBatch else { return nil }
    switch receipt.part {
    case .segment(let number):
      let count = file.plan.frames(ofSegment: number).count
      guard receipt.frameCount == count else { return "it has \(receipt.frameCount) frames instead of \(count)" }
      let isConstant = file.plan.movie?.timing.isConstant == true
      if receipt.frameNumbers == nil || receipt.parameters == nil || isConstant != (receipt.times == nil)
        || (receipt.times?.count ?? count + 1) != count + 1
      {
        return "its receipt lacks something"
      }
    case .audio:
      let count = file.plan.audio?.sampleCount ?? 0
      guard receipt.sampleCount == count else { return "it has \(receipt.sampleCount ?? 0) samples instead of \(count)" }
      if receipt.layout == nil || receipt.packetCount == nil { return "its receipt lacks something" }
    }
    return nil
  }

  /// The state of a part. Reads its file: a part that is done is unmodified, byte for byte.
  ///
  /// - Throws: `.readFailed`, `.cancelled`.
  package func state(of part: PlanPart) throws(CompositorError) -> PartState {
    let state = try stateByReceipt(of: part)
    guard let receipt = state.receipt else { return state }
    return try verify(receipt)
  }

  /// Compares a part's files with their digests.
  package func verify(_ receipt: PartReceipt) throws(CompositorError) -> PartState { try verify([receipt])[0] }

  /// Compares the files of parts with their digests, two at a time.
  func verify(_ receipts: [PartReceipt]) throws(CompositorError) -> [PartState] {
    let digests = FileDigest.digests(ofFiles: receipts.map { path(of: $0.part) })
    var states: [PartState] = []
    for (receipt, digest) in zip(receipts, digests) { states.append(try state(of: receipt, digest)) }
    return states
  }

  private func state(
    of receipt: PartReceipt, _ digest: Result<FileDigest, CompositorError>
  ) throws(CompositorError) -> PartState {
    do throws(CompositorError) {
      guard try digest.get().sha256 == receipt.sha256 else {
        return .damaged(reason: "its bytes are not those that were written")
      }
      if let extras = receipt.extras {
        let digest = try FileDigest(ofFile: "\(path)/\(extras.file)")
        guard digest.sha256 == extras.sha256 else {
          return .damaged(reason: "\(extras.file) beside it is not what was written")
        }
      }
      return .done(receipt)
    } catch {
      guard error.code == .fileNotFound || error.code == .sourceRefused else { throw error }
      return .lost
    }
  }
}

extension MovieTimeUnits {
  /// Whether all frames have the same duration.
  package var isConstant: Bool { if case .constant = self { true } else { false } }
}
