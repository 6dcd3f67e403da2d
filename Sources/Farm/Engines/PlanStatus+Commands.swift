extension PlanStatus {
  /// The commands that render the missing parts.
  public var commands: [String] {
    let plan = ShellText.quoted(ShellText.path(file.shownPath))
    var commands: [String] = []
    if !missing.ranges.isEmpty { commands.append("compositor render --plan \(plan) --segment \(missing)") }
    if isAudioMissing { commands.append("compositor render --plan \(plan) --audio") }
    return commands
  }
}
