extension PlanStatus {
  /// Reasons why parts that are done may not fit each other, one sentence each without a full stop.
  package var warnings: [String] { versionWarnings + buildWarnings + fontWarnings }

  private var receipts: [PartReceipt] { states.compactMap(\.state.receipt) }

  /// Parts that were rendered although something differed from the plan, by difference.
  private var versionWarnings: [String] {
    var parts: [String: [PlanPart]] = [:]
    for receipt in receipts {
      for difference in receipt.allowedVersions ?? [] { parts[difference, default: []].append(receipt.part) }
    }
    return parts.sorted { $0.key < $1.key }.map { difference, parts in
      "\(Self.names(of: parts)) rendered with another version than planned: \(difference)"
    }
  }

  /// The builds of the tool, if there are several of one version.
  private var buildWarnings: [String] {
    var hosts: [String: Set<String>] = [:]
    for receipt in receipts { if let build = receipt.build { hosts[build, default: []].insert(receipt.host) } }
    guard hosts.count > 1 else { return [] }
    let builds = hosts.sorted { $0.key < $1.key }.map { "\($0.key.prefix(12)) on \($0.value.sorted().joined(separator: ", "))" }
    return ["parts were rendered by different builds of the tool: \(builds.joined(separator: "; "))"]
  }

  /// Families for which machines drew text with different font files. ASS scripts choose fonts while they are drawn, so that the
  /// plan does not have them. Machines that have one file of a family in common agree: a family may have several.
  private var fontWarnings: [String] {
    var files: [String: [String: Set<SegmentPlan.Font>]] = [:]
    for receipt in receipts {
      for font in receipt.otherFonts ?? [] { files[font.family, default: [:]][receipt.host, default: []].insert(font) }
    }
    return files.sorted { $0.key < $1.key }.compactMap { family, hosts -> String? in
      let ordered = hosts.sorted { $0.key < $1.key }
      guard let first = ordered.first,
        let other = ordered.first(where: { Set(first.value.map(\.sha256)).isDisjoint(with: $0.value.map(\.sha256)) })
      else { return nil }
      func names(_ fonts: Set<SegmentPlan.Font>) -> String { fonts.map(\.file).sorted().joined(separator: ", ") }
      return "text in the font “\(family)” may look different from segment to segment: "
        + "\(first.key) drew it with \(names(first.value)), \(other.key) with \(names(other.value))"
        + (names(first.value) == names(other.value) ? " of other contents" : "")
    }
  }

  /// `segments 1,4-7 and the audio were`.
  private static func names(of parts: [PlanPart]) -> String {
    let numbers = parts.compactMap { if case .segment(let number) = $0 { number } else { nil } }
    let segments = numbers.isEmpty ? [] : ["\(numbers.count == 1 ? "segment" : "segments") \(SegmentSelection(numbers))"]
    let all = segments + (parts.contains(.audio) ? ["the audio"] : [])
    return all.joined(separator: " and ") + (parts.count == 1 ? " was" : " were")
  }
}
