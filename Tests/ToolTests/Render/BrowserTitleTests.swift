import CompositorTestSupport
import Foundation
import Testing

/// Titles beside the same pictures in a browser; `Tests/Oracles/browser_titles.py` says how.
struct BrowserTitleTests {
  /// The interpreter with the packages that `scripts/oracles` installs, else the machine's.
  private static let python: URL = {
    let own = ToolRun.root.appending(path: ".venv/bin/python3")
    return FileManager.default.isExecutableFile(atPath: own.path) ? own : URL(filePath: "/usr/bin/python3")
  }()

  private static let hasPackages = (try? ToolRun.run(python, ["-c", "import numpy, PIL"]))?.status == 0

  @Test(
    .enabled(if: BrowserPlaybackTests.hasChromium, "chromium is not installed"),
    .enabled(if: hasPackages, "numpy or pillow is not installed: run scripts/oracles"))
  func scenes_areTheSameInABrowser() throws {
    let script = ToolRun.root.appending(path: "Tests/Oracles/browser_titles.py")
    let result = try ToolRun.run(
      Self.python, [script.path, "--tool", ToolRun.tool.path, "--every", TableSelection.isWhole ? "1" : "8"])
    #expect(result.status == 0 && result.output.contains(" 0 FAILED"), "\(result.output)\(result.errors)")
  }
}
