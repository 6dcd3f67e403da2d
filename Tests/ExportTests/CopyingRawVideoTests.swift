import CompositorAPI
import CompositorExport
import CompositorTestSupport
import Testing

/// Copies of uncompressed video, which each container stores in formats of its own: a copy shows the same frames, or is refused.
@Suite(.enabled(if: hasFFmpeg)) struct CopyingRawVideoTests {
  struct Source: Sendable, CustomTestStringConvertible {
    let container: String
    let format: String
    /// Whether QuickTime has a tag for the format.
    let isOfQuickTime: Bool
    var testDescription: String { "\(format) of .\(container)" }
  }

  static let sources =
    ["yuyv422", "uyvy422", "bgr24", "rgba", "rgb555le", "gray"].map {
      Source(container: "avi", format: $0, isOfQuickTime: true)
    }
    + ["yuv420p", "yuv422p", "yvyu422", "nv12", "nv21", "pal8"].map {
      Source(container: "avi", format: $0, isOfQuickTime: false)
    }
    + [Source(container: "mkv", format: "rgba", isOfQuickTime: true)]
    + ["yuv420p", "yuv422p"].map { Source(container: "mkv", format: $0, isOfQuickTime: false) }
    // Matroska doesn't state its depth.
    + [Source(container: "mkv", format: "gray", isOfQuickTime: false)]
    + ["rgb24", "bgr24", "argb", "abgr", "rgba", "bgra", "yuyv422", "uyvy422"].map {
      Source(container: "mov", format: $0, isOfQuickTime: true)
    }

  /// The frames as ffmpeg decodes them to a common format.
  private func frames(_ path: String) throws -> String {
    try runTool("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-pix_fmt", "rgba", "-f", "md5", "-"])
  }

  @Test(arguments: sources) func copy_ofEveryFormat_showsTheSameOrIsRefused(_ source: Source) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("raw.\(source.container)")
    let pattern = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2"]
    try runProgram(
      "ffmpeg", ["-v", "error", "-nostdin"] + pattern + ["-c:v", "rawvideo", "-pix_fmt", source.format, path])
    let composition = try CopyingSupport.composition([(path, 0..<5)], rate: Rational(25, 1))
    for container in ["mov", "mp4", "mkv"] {
      let output = folder.file("copy.\(container)")
      do {
        _ = try await CopyingSupport.export(composition, to: output, .automatic)
        #expect(container == "mov" ? source.isOfQuickTime : container == "mkv", "\(container)")
        #expect(try frames(output) == frames(path), "\(container)")
      } catch let error as CompositorError {
        #expect(error.code == .unsupportedOutput && error.message.contains("cannot hold rawvideo in "), "\(error)")
        #expect(try !folder.names.contains { $0 == "copy.\(container)" || $0.hasPrefix(".") })
        #expect(container != "mov" || !source.isOfQuickTime, "\(error)")
      }
    }
  }
}
