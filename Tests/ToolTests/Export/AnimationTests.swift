import CompositorTestSupport
import Foundation
import Testing

/// GIF and WebP that move, read by programs that are not ours; movies for browsers, played by one.
@Suite(.enabled(if: hasFFmpeg)) struct AnimationTests {
  private func render(_ arguments: [String], to file: URL) throws -> String {
    let result = try ToolRun.compositor(["render"] + arguments + ["-o", file.path, "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    return result.errors
  }

  /// Chunks of a WebP: the loop count, and how long each frame is shown, in ms.
  private func webp(_ file: URL) throws -> (plays: Int, durations: [Int], hasAlpha: Bool) {
    let bytes = [UInt8](try Data(contentsOf: file))
    try #require(bytes.starts(with: Array("RIFF".utf8)) && Array(bytes[8..<12]) == Array("WEBP".utf8))
    func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
    var (plays, durations, hasAlpha, position) = (-1, [Int](), false, 12)
    while position + 8 <= bytes.count {
      let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      if name == "VP8X" { hasAlpha = bytes[position + 8] & 0x10 != 0 }
      if name == "ANIM" { plays = number(position + 12, 2) }
      if name == "ANMF" { durations.append(number(position + 20, 3)) }
      position += 8 + (number(position + 4, 4) + 1) & ~1
    }
    return (plays, durations, hasAlpha)
  }

  // rate, times in 1/100 s
  @Test(arguments: [("25", [4, 4, 4, 4]), ("30", [3, 4, 3]), ("50", [2, 2, 2]), ("60", [3, 4, 3]), ("12.5", [8, 8])])
  func gif_atAnyRate_hasTimesThatItCanSay(_ rate: String, _ delays: [Int]) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.4, rate: rate, size: "64x48")
    let file = scratch.folder.appending(path: "out.gif")
    let said = try render([clip.path], to: file)
    #expect(said.contains("holds no audio") && said.contains("at most 50") == (rate == "60"), "\(said)")
    let text = try runTool("ffprobe", ["-v", "error", "-show_entries", "packet=duration", "-of", "csv=p=0", file.path])
    let found = text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Int($0) }
    #expect(Array(found.prefix(delays.count)) == delays && found.reduce(0, +) == 40, "\(found)")
  }

  @Test(arguments: [
    ("shared", "sierra2-4a", 23.0), ("shared", "none", 23), ("per-frame", "sierra2-4a", 26), ("per-frame", "bayer", 22),
    ("shared", "floyd-steinberg", 22), ("shared", "sierra2", 22),
  ]) func gif_ofEveryPaletteAndDithering_isCloseToItsFrames(_ palette: String, _ dithering: String, _ bound: Double) throws {
    let scratch = try Scratch()
    let clip = scratch.folder.appending(path: "in.mkv")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.4", "-pix_fmt", "yuv444p", "-c:v", "ffv1",
        "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv", clip.path,
      ])
    let (file, plain) = (scratch.folder.appending(path: "out.gif"), scratch.folder.appending(path: "f%d.png"))
    _ = try render([clip.path, "--palette", palette, "--dithering", dithering], to: file)
    _ = try render([clip.path], to: plain)
    let psnr = try psnr(file, against: plain)
    #expect(psnr > bound, "\(palette) \(dithering): \(psnr)")
  }

  private func psnr(_ file: URL, against images: URL) throws -> Double {
    let result = try ToolRun.program(
      "ffmpeg", "-hide_banner", "-i", file.path, "-framerate", "25", "-i", images.path, "-lavfi",
      "[0]format=gbrp[a];[1]format=gbrp[b];[a][b]psnr", "-f", "null", "-")
    let words = result.errors.components(separatedBy: "average:").last?.prefix { $0 != " " }
    return try #require(words.flatMap { Double($0) }, "\(result.errors)")
  }

  @Test func gif_onNothing_isTransparentThere() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("in.mp4", seconds: 0.2, size: "64x48", sound: false)
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "128x48", alpha: true, background: "#00000000", video: { playCount: 3 } }, assets: { a: "in.mp4" },
        tracks: [{ clips: [{ asset: "a", fit: "none", transform: { x: "25%", y: "50%" } }] }] }
      """)
    let (gif, image) = (scratch.folder.appending(path: "out.gif"), scratch.folder.appending(path: "out.webp"))
    _ = try render([project.path], to: gif)
    let alpha = try runProgram(
      "ffmpeg", ["-v", "error", "-i", gif.path, "-vf", "alphaextract", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
    try #require(alpha.count == 5 * 128 * 48)
    for frame in 0..<5 {
      let row = alpha[(frame * 6144 + 24 * 128)..<(frame * 6144 + 25 * 128)]
      #expect(row.prefix(60).allSatisfy { $0 == 255 } && row.suffix(60).allSatisfy { $0 == 0 })
    }
    // Two repetitions after the first time.
    #expect(try Data(contentsOf: gif).range(of: Data("NETSCAPE2.0".utf8) + [3, 1, 2, 0]) != nil)
    _ = try render([project.path], to: image)
    let found = try webp(image)
    #expect(found.plays == 3 && found.hasAlpha && found.durations.reduce(0, +) == 200)
  }

  @Test(arguments: [[], ["--lossless"], ["--quality", "20"]]) func webp_ofEveryKind_hasTheFramesTimes(_ options: [String])
    throws
  {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.4, rate: "30", size: "64x48")
    let file = scratch.folder.appending(path: "out.webp")
    #expect(try render([clip.path] + options, to: file).contains("holds no audio"))
    let found = try webp(file)
    // libwebp shows frames that it cannot tell apart as one.
    #expect(found.plays == 0 && (2...12).contains(found.durations.count), "\(found)")
    #expect(abs(found.durations.reduce(0, +) - 400) <= 1, "\(found)")
  }
}

/// Movies that browsers play, played to their end by headless Chromium.
struct BrowserPlaybackTests {
  static let hasChromium = (try? runProgram("chromium", ["--version"])) != nil

  @Test(
    .enabled(if: hasFFmpeg), .enabled(if: hasChromium, "chromium is not installed"),
    arguments: [
      ("phone", "mp4"), ("web", "mp4"), ("vp9", "webm"), ("vp9-alpha", "webm"), ("av1", "webm"), ("gif", "gif"),
      ("webp", "webp"),
    ])
  func movie_ofABrowsersPreset_isPlayedToItsEnd(_ preset: String, _ container: String) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.6, size: "160x90")
    let movie = scratch.folder.appending(path: "movie.\(container)")
    let speed = preset == "av1" ? ["--encoder-speed", "ultrafast"] : []
    let result = try ToolRun.compositor(
      ["render", clip.path, "-o", movie.path, "--preset", preset, "--progress", "none"] + speed)
    try #require(result.status == 0, "\(result.errors)")
    let isImage = container == "gif" || container == "webp"
    let page = try scratch.file(
      "page.html",
      isImage
        ? """
        <img src="movie.\(container)" onload="document.title = `shown ${this.naturalWidth}x${this.naturalHeight}`"
          onerror="document.title = 'failed'">
        """
        : """
        <iframe id="wait"></iframe>
        <script>
          // A document that is not closed holds the load event back, and with it the end of the browser's run.
          wait.contentDocument.open();
          function say(text) { document.title = text; wait.contentDocument.close() }
        </script>
        <video src="movie.\(container)" autoplay muted onerror="say('failed')"
          onended="say(`ended ${this.videoWidth}x${this.videoHeight} ${this.duration.toFixed(1)}`)"></video>
        """)
    let text = try runTool(
      "chromium",
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(scratch.folder.path)/profile",
        "--autoplay-policy=no-user-gesture-required", "--timeout=30000", "--dump-dom",
        page.absoluteString,
      ], mayFail: true)
    let title = text.components(separatedBy: "<title>").last?.components(separatedBy: "</title>").first
    #expect(title == (isImage ? "shown 160x90" : "ended 160x90 0.6"), "\(text)")
  }
}
