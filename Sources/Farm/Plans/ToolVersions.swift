package import CompositorAPI
import CompositorHost
import CompositorKernels
import CompositorMediaIO
package import CompositorMediaWriting
import CompositorPlatform
package import CompositorValidation

/// The versions on this machine that the bytes of parts depend on.
package enum ToolVersions {
  /// Versions by name.
  ///
  /// - Parameters:
  ///   - tool: The program's version.
  ///   - composition: The composition to render. Versions of the text libraries are included if it has text.
  package static func current(
    tool: String, composition: ValidatedComposition, video: VideoEncodingSettings?, audio: AudioEncodingSettings?
  ) -> [String: String] {
    var versions = media(tool: tool)
    versions["libc"] = libc
    versions.merge(composition.textLibraryVersions) { own, _ in own }
    for encoder in [video?.encoderLibrary, audio?.encoderLibrary].compactMap(\.self) {
      versions[encoder.encoder] = encoder.library
    }
    return versions
  }

  /// The versions of the tool and of FFmpeg alone, on which joining depends.
  package static func media(tool: String) -> [String: String] {
    var versions = MediaLibraries.versions
    versions["compositor"] = tool
    versions["ffmpeg"] = MediaLibraries.buildName
    return versions
  }

  /// The differences, one sentence each without a full stop.
  ///
  /// - Parameter names: The names to compare; `nil` compares all names of either side.
  package static func differences(
    of planned: [String: String], from here: [String: String], names: Set<String>? = nil
  ) -> [String] {
    (names ?? Set(planned.keys).union(here.keys)).sorted().compactMap { name in
      guard planned[name] != here[name] else { return nil }
      return "\(name) is \(here[name] ?? "not there"), and \(planned[name] ?? "absent") in the plan"
    }
  }

  /// The error for differences that are not allowed.
  package static func mismatch(_ differences: [String], plan: String) -> CompositorError {
    CompositorError(
      .versionMismatch, "This machine would not make the bytes of the plan: \(differences.joined(separator: "; ")).",
      advice: "Use a machine that has what the plan names, make a new plan, or give \(setting: .allowedVersions).",
      at: ErrorLocation(file: plan))
  }

  /// The C library, whose functions such as `pow` round by version: `glibc 2.36`; `nil` if unknown.
  private static var libc: String? { SystemLibrary.glibcVersion }

  /// The name of this machine.
  package static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The SHA-256 of the running program. It is not part of a plan: machines with builds of their own may make the same bytes.
  package static let build: String? = {
    let cache = DigestCache()
    defer { cache.save() }
    // Through the name in /proc, which refers to this program even if another one took its path.
    return try? cache.digest(of: "/proc/self/exe").sha256
  }()

  /// The tier of the kernels on this machine.
  package static var kernelTier: String { PlaneKernels.fastest.tier }
}
