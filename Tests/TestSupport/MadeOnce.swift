package import Foundation
import Synchronization

/// Files that many tests make alike, such as clips and plugins: the first one makes them, and others get copies.
package enum MadeOnce {
  private struct Kept {
    var files: [[String]: (data: Data, permissions: Int)] = [:]
    var byteCount = 0
  }

  private static let kept = Mutex(Kept())
  /// Larger files are made anew, and when all that are kept take more than the second number, they are let go: what rows of one table share
  /// is made within a short time.
  private static let (largestByteCount, mostByteCount) = (16 << 20, 256 << 20)

  /// Puts a file at `url`: what `make` puts there, or a copy of what it put elsewhere for the same `key`.
  ///
  /// - Parameter key: All that the contents depend on.
  package static func file(_ url: URL, key: [String], make: () throws -> Void) throws {
    if try copy(key, to: url) { return }
    try make()
    try keep(url, as: key)
  }

  /// Writes a copy of what is kept for a key; false where nothing is.
  package static func copy(_ key: [String], to url: URL) throws -> Bool {
    guard let file = kept.withLock({ $0.files[key] }) else { return false }
    // A file of its own in place of one that may be open.
    try? FileManager.default.removeItem(at: url)
    try file.data.write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: file.permissions], ofItemAtPath: url.path)
    return true
  }

  /// Keeps a file for others that have the key.
  package static func keep(_ url: URL, as key: [String]) throws {
    let data = try Data(contentsOf: url)
    let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    guard data.count <= largestByteCount else { return }
    kept.withLock { kept in
      if kept.byteCount + data.count > mostByteCount { kept = Kept() }
      kept.byteCount += data.count
      kept.files[key] = (data, permissions ?? 0o644)
    }
  }

  /// The file that ffmpeg makes with its arguments, and a key, if it makes one file of its own sources alone. Files of the repository don't
  /// change; those in the folder of temporary files may.
  package static func output(ofFFmpeg arguments: [String]) -> (url: URL, key: [String])? {
    let temporary = FileManager.default.temporaryDirectory.path + "/"
    guard let path = arguments.last, path.hasPrefix(temporary), arguments.contains("lavfi") else { return nil }
    let (url, options) = (URL(filePath: path), arguments.dropLast())
    let writesSeveral = path.contains("%") || ["m3u8", "mpd"].contains(url.pathExtension)
    // Streams of Ogg have random numbers, by which those of two files are told apart.
    let isOgg = ["ogg", "oga", "ogv", "opus"].contains(url.pathExtension) || options.contains("ogg")
    guard !writesSeveral, !isOgg, !options.contains(where: { $0.contains(temporary) }) else { return nil }
    return (url, ["ffmpeg", url.pathExtension] + options)
  }
}
