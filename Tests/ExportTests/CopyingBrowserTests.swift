import CompositorAPI
import CompositorExport
import CompositorTestSupport
import Foundation
import Testing

private let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// Copied movies in a browser's player, which honors edit lists by itself: it plays them, and jumps to each frame.
@Suite(.enabled(if: hasFFmpeg && browser != nil, "needs Chromium"), .serialized)
struct CopyingBrowserTests {
  private struct Report: Decodable {
    var error: String?
    var duration: Double?
    var seeks: [Int]?
    var played: [Int]?
  }

  @Test(arguments: [PassthroughMode.editList, .smart]) func browser_showsExactlyTheFramesAskedFor(
    _ mode: PassthroughMode
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("source.mp4")
    let options = [
      "-c:v", "libx264", "-x264-params", "keyint=30:min-keyint=30:scenecut=0:bframes=3:b-pyramid=normal", "-c:a", "aac",
    ]
    try NumberedMovie.make(path, count: 150, rate: "25", options: options, audio: "0.1*sin(2*PI*440*t)")
    // One piece as edit list; several that are rendered smartly.
    let parts: [Range<Int>] = mode == .editList ? [33..<78] : [33..<65, 10..<26]
    let output = folder.file("cut.mp4")
    _ = try await CopyingSupport.export(
      try CopyingSupport.composition(parts.map { (path, $0) }, rate: Rational(25, 1)), to: output, mode)
    let wanted = parts.flatMap(Array.init)
    let report = try show(output, in: folder)
    #expect(report.error == nil)
    #expect(report.seeks == wanted)
    #expect(abs((report.duration ?? 0) - Double(wanted.count) / 25) < 0.001)
    // A busy machine drops frames while it plays; it shows none that does not belong there.
    let played = report.played ?? []
    #expect(played.count > wanted.count / 4)
    #expect(played.allSatisfy(wanted.contains))
  }

  private func show(_ movie: String, in folder: TemporaryFolder) throws -> Report {
    let page = folder.file("page.html")
    try Self.page.write(toFile: page, atomically: true, encoding: .utf8)
    let text = try runTool(
      browser ?? "chromium",
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required",
        "--allow-file-access-from-files",
        "--user-data-dir=\(folder.file("profile"))", "--timeout=60000", "--dump-dom", "file://\(page)",
      ])
    let line = try #require(text.firstMatch(of: /REPORT(\{.*?\})END/))
    return try JSONDecoder().decode(Report.self, from: Data(line.1.utf8))
  }

  /// Reads the numbers off the frames. The frame that is still open keeps the page loading until all is done.
  private static let page = """
    <body><script>
    const hold = document.createElement('iframe'); document.body.append(hold); hold.contentDocument.open()
    const video = document.createElement('video'); video.muted = true; video.preload = 'auto'
    const canvas = document.createElement('canvas'); canvas.width = 160; canvas.height = 32
    const context = canvas.getContext('2d', { willReadFrequently: true })
    const number = () => {
      context.drawImage(video, 0, 0)
      const row = context.getImageData(0, 16, 160, 1).data
      let result = 0
      for (let bit = 0; bit < 10; bit++) if (row[(bit * 16 + 8) * 4] > 128) result |= 1 << bit
      return result
    }
    const finish = report => { document.body.append('REPORT' + JSON.stringify(report) + 'END'); hold.contentDocument.close() }
    const event = name => new Promise(resolve => video.addEventListener(name, resolve, { once: true }))
    const painted = () => new Promise(resolve => { video.requestVideoFrameCallback(resolve); setTimeout(resolve, 100) })
    const seek = async time => { const done = event('seeked'); video.currentTime = time; await done; await painted() }
    video.onerror = () => finish({ error: video.error.message })
    video.onloadeddata = async () => {
      video.onloadeddata = null
      const seeks = [], played = []
      for (let index = 0; index < Math.round(video.duration * 25); index++) { await seek((index + 0.5) / 25); seeks.push(number()) }
      await seek(0)
      const note = () => { played.push(number()); video.requestVideoFrameCallback(note) }
      video.requestVideoFrameCallback(note)
      const end = event('ended'); video.playbackRate = 0.5; video.play(); await end
      finish({ duration: video.duration, seeks, played })
    }
    video.src = 'cut.mp4'
    </script></body>
    """
}
