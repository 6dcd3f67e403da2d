import CompositorAPI
import CompositorPlatform

/// What to write instead of a path that nothing is at.
package enum PathAdvice {
  /// Advice on the path of a file that cannot be opened because it doesn't exist.
  ///
  /// - Complexity: One listing of the file's folder.
  package static func advice(onMissingFile path: String) -> String {
    advice(onMissing: path) ?? advice(onPattern: path) ?? neighbor(ofMissing: path).map {
      "Did you mean \(quoted(FileName.prefix(of: path) + $0))?"
    }
      ?? "Check the path."
  }

  /// Advice on the pattern of numbered images where one file is expected; `nil` for other paths.
  private static func advice(onPattern path: String) -> String? {
    guard path.contains("%"), NumberedName(path) != nil else { return nil }
    return "Numbered images are an asset of a project: assets: { a: { images: \(quoted(path)), frameRate: 25 } }."
  }

  /// The name of a file in the same folder that a path probably means.
  package static func neighbor(ofMissing path: String) -> String? {
    let folder = FileName.prefix(of: path)
    guard let listing = opendir(folder.isEmpty ? "." : String(folder)) else { return nil }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return suggestion(for: String(path[folder.endIndex...]), among: names.sorted(), areNames: false)
  }

  /// Advice on the path of a file or folder that doesn't exist; `nil` if the path has neither `~` nor backslashes.
  package static func advice(onMissing path: String) -> String? {
    if let rest = afterHome(path) {
      let home = getenv("HOME").map { String(cString: $0) } ?? "/home/ada"
      return "Only shells replace ~, and not within quotes: write the whole path, such as \"\(home)\(rest)\"."
    }
    guard path.contains("\\") else { return nil }
    let slashed = path.replacing("\\", with: "/")
    if let drive = drive(of: slashed) {
      let mounted = "/mnt/\(drive.letter)\(drive.rest)"
      return access(mounted, F_OK) == 0
        ? "Write \"\(mounted)\": this is where the drive is here."
        : "Paths of Windows don't exist here: write the path on this system, with / between the folders."
    }
    let advice = "Write \"\(slashed)\", with / between the folders"
    return access(slashed, F_OK) == 0 ? advice + "." : advice + ", and check that the file is there."
  }

  /// Advice on the address of a file of this machine, as browsers and file managers copy it; `nil` for other addresses.
  static func advice(onAddress address: String) -> String? {
    guard let match = address.wholeMatch(of: /(?i)file:\/\/(?:localhost)?(\/.*)/) else { return nil }
    let path = decodingPercents(match.1)
    return "Write the path: \(quoted(path))\(access(path, F_OK) == 0 ? "." : ", and check that the file is there.")"
  }

  /// The text with bytes in the place of their percent-encoding (RFC 3986, 2.1).
  private static func decodingPercents(_ text: Substring) -> String {
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What follows `~` at the start of a path, or of its last part, as in a project's folder followed by `~/clip.mp4`.
  private static func afterHome(_ path: String) -> Substring? {
    if path == "~" || path.hasPrefix("~/") { return path.dropFirst() }
    return path.firstRange(of: "/~/").map { path[path.index(before: $0.upperBound)...] }
  }

  /// The letter of a drive in lower case, and the path after its colon.
  private static func drive(of path: String) -> (letter: String, rest: Substring)? {
    guard let match = path.wholeMatch(of: /(?:.*\/)?([A-Za-z]):(\/.*)/) else { return nil }
    return (match.1.lowercased(), match.2)
  }
}
