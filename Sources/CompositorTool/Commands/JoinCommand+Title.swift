import Compositor

extension JoinCommand {
  /// Prints that the title is too long for the frame. In a project this is advice by `validate`, which `join` has no project for.
  static func warn(ofTitleIn report: ValidationReport) {
    for diagnostic in report.diagnostics where diagnostic.code == .titleOutsideSafeArea {
      Terminal.complain(
        "warning: --title: \(diagnostic.message) Shorten the title. In a project, titles have a size.")
    }
  }
}
