import CModuleProcess
public import CompositorAPI
import Foundation

/// Code that may run in this process, without a wall: whatever it does, it does to it.
///
/// Code is trusted by what it is, and never by what it calls itself: any file can bring a compositor of any ID.
public enum ModuleTrust: Hashable, Sendable {
  /// This file, as long as its bytes have this SHA-256.
  case file(path: String, digest: String)
  /// Any file whose bytes have this SHA-256: 64 hexadecimal digits in lower case.
  case digest(String)
  /// The filters of libavfilter, which this program is linked with.
  case libavfilter

  /// Trusts a file as it is now.
  ///
  /// - Throws: `.fileNotFound` where it cannot be read.
  public init(file path: String) throws(CompositorError) {
    self = .file(path: ModuleTrust.real(path), digest: try ModuleTrust.digest(of: path))
  }

  /// The SHA-256 of a file's bytes, 64 hexadecimal digits in lower case.
  ///
  /// - Throws: `.fileNotFound` where it cannot be read.
  public static func digest(of path: String) throws(CompositorError) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let result = module_file_digest(path, &bytes)
    guard result == 0 else {
      throw CompositorError(
        .fileNotFound, "The plugin cannot be read.", remedy: "Give the path of its file.",
        cause: String(cString: strerror(-result)), at: ErrorLocation(file: path))
    }
    return bytes.map { String(format: "%02x", $0) }.joined()
  }

  /// Whether this is what a specification opens, now.
  func covers(_ specification: ModuleSpecification) -> Bool {
    switch (self, specification.file) {
    case (.libavfilter, nil): specification == .avfilter
    case (.digest(let digest), let file?): (try? ModuleTrust.digest(of: file)) == digest
    case (.file(let path, let digest), let file?):
      ModuleTrust.real(file) == path && (try? ModuleTrust.digest(of: file)) == digest
    default: false
    }
  }

  private static func real(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}

extension Set<ModuleTrust> {
  /// Whether one of them is what a specification opens.
  package func covers(_ specification: ModuleSpecification) -> Bool { contains { $0.covers(specification) } }
}
