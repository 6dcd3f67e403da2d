public import CompositorAPI

/// The status of a plan's parts, determined from its folder alone.
public struct PlanStatus: Sendable {
  /// The plan.
  public let file: SegmentPlanFile
  /// The state of each part, in the order of ``SegmentPlan/parts``.
  package let states: [(part: PlanPart, state: PartState)]

  /// Reads every part and compares it with its receipt. Blocks; canceling the task stops it.
  ///
  /// - Throws: `.readFailed`, `.cancelled`.
  public init(of file: SegmentPlanFile) throws(CompositorError) {
    let folder = PartsFolder(file)
    var states: [(part: PlanPart, state: PartState)] = []
    for part in file.plan.parts { states.append((part, try folder.state(of: part))) }
    self.init(file, states: states)
  }

  /// The states of some parts, which are read and compared with their receipts. A segment that is complete by itself may be
  /// encoded differently from the others; the receipts of those are enough to find that out.
  ///
  /// - Throws: `.readFailed`, `.cancelled`.
  package static func states(
    of parts: [PlanPart], in folder: PartsFolder
  ) throws(CompositorError) -> [PlanPart: PartState] {
    var states: [PlanPart: PartState] = [:]
    for part in parts { states[part] = try folder.state(of: part) }
    guard states.contains(where: { $0.key != .audio && $0.value.receipt?.parameters != nil }) else { return states }
    var all: [(part: PlanPart, state: PartState)] = []
    for part in folder.file.plan.parts {
      if let state = states[part] { all.append((part, state)) } else { all.append((part, try folder.stateByReceipt(of: part))) }
    }
    for entry in comparing(all) where states[entry.part] != nil { states[entry.part] = entry.state }
    return states
  }

  /// Creates a status from the states of the parts, and marks those that were encoded differently from most.
  package init(_ file: SegmentPlanFile, states: [(part: PlanPart, state: PartState)]) {
    self.file = file
    self.states = Self.comparing(states)
  }

  /// Marks segments whose decoder parameters differ from those of most segments; among equally frequent ones, the first counts.
  /// Segments that were rendered with other versions than the plan's count only if every segment was: rendering the others
  /// again would not change them.
  private static func comparing(_ states: [(part: PlanPart, state: PartState)]) -> [(part: PlanPart, state: PartState)] {
    func parameters(_ entry: (part: PlanPart, state: PartState)) -> String? {
      if case .segment = entry.part { entry.state.receipt?.parameters } else { nil }
    }
    let segments = states.filter { parameters($0) != nil }
    let faithful = segments.filter { $0.state.receipt?.allowedVersions == nil }
    let voters = (faithful.isEmpty ? segments : faithful).compactMap(parameters)
    var counts: [String: Int] = [:]
    for parameters in voters { counts[parameters, default: 0] += 1 }
    guard let most = counts.values.max() else { return states }
    let usual = voters.first { counts[$0] == most }
    return states.map { entry in
      guard let own = parameters(entry), own != usual else { return entry }
      return (entry.part, .unequal)
    }
  }

  /// Segments that are done.
  public var done: SegmentSelection { segments(where: { $0.receipt != nil }) }
  /// Segments still to be rendered, including damaged ones.
  public var missing: SegmentSelection { segments(where: { $0.receipt == nil }) }
  /// Whether the audio is still to be rendered.
  public var isAudioMissing: Bool { states.contains { $0.part == .audio && $0.state.receipt == nil } }
  /// Whether all parts are done.
  public var isComplete: Bool { states.allSatisfy { $0.state.receipt != nil } }

  private func segments(where isWanted: (PartState) -> Bool) -> SegmentSelection {
    SegmentSelection(
      states.compactMap { entry in
        if case .segment(let number) = entry.part, isWanted(entry.state) { number } else { nil }
      })
  }

  /// The problem of each part that is not done, as a sentence without a full stop: `00003.mp4 is missing`.
  package var problems: [String] {
    let folder = PartsFolder(file)
    return states.filter { $0.state.receipt == nil }.map { "\(folder.fileName(of: $0.part)) \($0.state.reason)" }
  }

  /// The error if parts are missing; `nil` if all are done.
  package var incompleteness: CompositorError? {
    let problems = problems
    guard !problems.isEmpty else { return nil }
    let shown = problems.prefix(12).joined(separator: ", ")
    let rest = problems.count > 12 ? " and \(problems.count - 12) more" : ""
    return CompositorError(
      .partsMissing, "\(problems.count) of \(states.count) parts cannot be used: \(shown)\(rest).",
      recoverySuggestion: "Render them: \(commands.joined(separator: "; "))", at: ErrorLocation(file: file.shownPath))
  }

  /// The plan and its status for engines.
  public var job: FarmJob {
    let plan = file.plan
    let movie = plan.movie?.path ?? plan.table ?? plan.project.path
    let title = movie.fileName.split(separator: ".").dropLast().joined(separator: ".")
    let files = (plan.media + plan.files).flatMap { PlanInputs.files(of: $0, at: file.paths) }
    let inputs = [plan.project.path] + files + plan.plugins.map(\.path)
    return FarmJob(
      title: title.isEmpty ? movie.fileName : title, planPath: file.path.fileName,
      partsFolderName: PartsFolder.path(forPlan: file.path).fileName,
      movieName: movie, segmentCount: plan.segmentCount, hasAudio: plan.audio != nil,
      inputPaths: Set(inputs.filter { !$0.hasPrefix("/") }).sorted(),
      missing: missing.ranges, isAudioMissing: isAudioMissing, isBatch: plan.isBatch)
  }
}
