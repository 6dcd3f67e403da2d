import CompositorAPI
import CompositorOverlay

/// Texts that are larger than their boxes or paths.
extension TitlePartChecks {
  func diagnostic(of text: OverflowingText) -> ValidationDiagnostic {
    let pixels = "\(Int(text.excess.rounded(.up))) pixels"
    let edge = text.edge ?? ""
    let subject = text.name.capitalizedName
    let message =
      switch text.room {
      case .ownBox: "\(subject) is larger than its box, and extends \(pixels) beyond the \(edge) edge."
      case .cut: "\(subject) is larger than its box: masksToBounds cuts off \(pixels) at the \(edge) edge."
      case .arrangingBox: "\(subject) extends \(pixels) beyond the \(edge) edge of the box around it, which arranges it."
      case .closedPath: "\(subject) is \(pixels) longer than its closed path, and lies on itself."
      }
    return warning(
      .titleTextOverflows, message, cause: "The text is longer than the \(name) was made for.", advice(on: text),
      path: text.path)
  }

  private func advice(on text: OverflowingText) -> Advice {
    switch text.room {
    case .closedPath: "Let it shrink (fit: \"shrink\"), shorten it, or make the path longer."
    case .arrangingBox:
      "Give its layout the width that is left, with grow: 1 and fit: \"shrink\" or wraps: true, shorten it, or make the box larger."
    case .ownBox, .cut:
      text.wraps
        ? "Let it shrink (fit: \"shrink\"), shorten it, or make its box larger."
        : "Let it shrink (fit: \"shrink\") or wrap (wraps: true), shorten it, or make its box larger."
    }
  }
}
