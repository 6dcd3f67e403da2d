import CompositorAPI
import MediaIO

/// Where an export goes: one movie, or numbered images.
enum OutputName: Hashable, Sendable {
  case movie(path: String)
  /// `frame_%04d.png`: a number stands where the `%` is.
  case images(ImagePattern)

  /// - Throws: `.unsupportedOutput` where the extension says neither movie nor image.
  init(path: String) throws(CompositorError) {
    if let pattern = ImagePattern(path) {
      self = .images(pattern)
    } else if path.lowercased().hasSuffix(".png") {
      throw CompositorError(
        .unsupportedOutput, "A sequence of images needs a number in its name.",
        remedy: "Name it like frame_%04d.png, or ask for one frame.", at: ErrorLocation(file: path))
    } else {
      _ = try MovieContainer(path: path)
      self = .movie(path: path)
    }
  }

  /// Every file that the frames make, named one by one: there may be many.
  func files(frameCount: Int) -> some Sequence<String> {
    let count = if case .images = self { frameCount } else { 1 }
    return (0..<count).lazy.map { index in
      switch self {
      case .movie(let path): path
      case .images(let pattern): pattern.path(number: index + 1)
      }
    }
  }

  /// The folder the output goes to.
  var folder: String {
    switch self {
    case .movie(let path): OutputName.folder(of: path)
    case .images(let pattern): OutputName.folder(of: pattern.text)
    }
  }

  /// The path as the caller wrote it.
  var path: String {
    switch self {
    case .movie(let path): path
    case .images(let pattern): pattern.text
    }
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }
}

/// A path with a place for a number: `%d` or `%04d`, once, in its last part.
struct ImagePattern: Hashable, Sendable {
  let text: String
  private let prefix: String
  private let suffix: String
  private let digits: Int

  /// Nil where there is no place for a number, or the extension is not `.png`.
  init?(_ path: String) {
    guard path.lowercased().hasSuffix(".png"), let percent = path.lastIndex(of: "%"),
      !path[percent...].contains("/"), let letter = path[percent...].firstIndex(of: "d")
    else { return nil }
    let width = path[path.index(after: percent)..<letter]
    guard width.count <= 2, width.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    text = path
    prefix = String(path[..<percent])
    suffix = String(path[path.index(after: letter)...])
    digits = Int(width) ?? 1
  }

  func path(number: Int) -> String {
    let number = String(number)
    return prefix + String(repeating: "0", count: max(0, digits - number.count)) + number + suffix
  }

  /// The images of these numbers that are there. Costs one look through the folder, however many numbers there are.
  func present(in numbers: ClosedRange<Int>) -> [String] {
    let head = text.dropLast(OutputName.name(of: text).count)
    return FolderListing.names(in: OutputName.folder(of: text)).map { head + $0 }.filter { file in
      guard file.hasPrefix(prefix), file.hasSuffix(suffix), file.count > prefix.count + suffix.count,
        let number = Int(file.dropFirst(prefix.count).dropLast(suffix.count))
      else { return false }
      return numbers.contains(number) && path(number: number) == file
    }
  }
}
