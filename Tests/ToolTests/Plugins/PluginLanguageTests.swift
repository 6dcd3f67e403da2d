import Foundation
import CompositorTestSupport
import Testing

/// Plugins that are written from the header or the plugin kit alone, in several languages: checked, and used over footage.
@Suite(.serialized) struct PluginLanguageTests {
  enum Language: String, CaseIterable { case c, swift }

  private static func isInstalled(_ program: String) -> Bool {
    (try? ToolRun.program("sh", "-c", "command -v \(program)").status) == 0
  }
  private static let hasSwift = isInstalled("swiftc")
  private static let compilers = ["g++", "clang++"].filter(isInstalled)

  /// The compositors of `offers.c` or `offers.swift`.
  private func offers(_ language: Language, _ workshop: PluginWorkshop) throws -> URL {
    let source = PluginWorkshop.fixtures.appending(path: "offers.\(language.rawValue)")
    return language == .c
      ? try workshop.compile(source, name: "offers") : try workshop.compileSwift(source, name: "offers")
  }

  /// Two clips of two sizes with 4:2:0 in 8 bits and tags: of real footage where that is at hand, else made.
  private func clips(_ workshop: PluginWorkshop) throws -> [URL] {
    let wanted = [(size: "320:180", name: "chaplin.mp4"), (size: "240:240", name: "karma.mp4")]
    return try wanted.enumerated().map { number, clip in
      let file = workshop.scratch.folder.appending(path: "clip\(number).mkv")
      let real = mediaFolder?.appending(path: clip.name).path
      let input =
        real.map { ["-i", $0] } ?? ["-f", "lavfi", "-i", number == 0 ? "testsrc2=rate=25:duration=3" : "mandelbrot=rate=25"]
      let result = try ToolRun.run(
        URL(filePath: "/usr/bin/env"),
        ["ffmpeg", "-v", "error", "-y"] + input + [
          "-an", "-vf",
          "fps=25,scale=\(clip.size),setsar=1,format=yuv420p,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv",
          "-t", "2", "-c:v", "ffv1", "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range",
          "tv",
          file.path,
        ])
      try #require(result.status == 0, "\(result.errors)")
      return file
    }
  }

  private func raw(_ arguments: [String], _ workshop: PluginWorkshop) throws -> [UInt8] {
    let file = workshop.scratch.folder.appending(path: "raw-\(UUID().uuidString)")
    let result = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["ffmpeg", "-v", "error", "-y"] + arguments + ["-pix_fmt", "yuv420p", "-f", "rawvideo", file.path])
    try #require(result.status == 0, "\(result.errors)")
    return [UInt8](try Data(contentsOf: file))
  }

  private func check(_ plugin: URL) throws {
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// A mixer of two clips that come placed on the canvas, and a transition whose edge has keyframes: what ffmpeg makes with pad and
  /// blend, within one code; in a worker and in the tool's process alike.
  @Test(arguments: ["mix", "reveal"])
  func placedMixerAndKeyframedTransition_inC_areWhatFFmpegMakes(_ name: String) throws {
    try compare(name, .c)
  }

  /// The same in Swift.
  @Test(.enabled(if: hasSwift, "swiftc is not on the path"), arguments: ["mix", "reveal"])
  func placedMixerAndKeyframedTransition_inSwift_areWhatFFmpegMakes(_ name: String) throws {
    try compare(name, .swift)
  }

  private func compare(_ name: String, _ language: Language) throws {
    let workshop = try PluginWorkshop()
    let plugin = try offers(language, workshop)
    // Both compositors are checked at once.
    if name == "mix" { try check(plugin) }
    if mediaFolder == nil { print("without the shared media: made clips") }
    let clips = try clips(workshop)
    let assets = "a: { file: '\(clips[0].path)' }, b: { file: '\(clips[1].path)' }"
    // No column of either plane has its edge within rounding errors.
    let ramp = "[{ at: 0, value: 0.1016 }, { at: '20f', value: 0.9017 }]"
    let body =
      name == "mix"
      ? """
      tracks: [{ clips: [{ asset: 'a', duration: '25f', fit: 'none' }] }, { clips: [{ asset: 'b', duration: '25f', fit: 'none' }] }],
      instructions: [{ at: 0, duration: '25f', compositor: 'org.example.mix', parameters: { weight: \(ramp) },
        layers: [{ track: 0, fit: 'none' }, { track: 1, fit: 'none' }] }]
      """
      : """
      tracks: [{ clips: [{ asset: 'a', duration: '25f', fit: 'none' },
        { asset: 'b', duration: '25f', fit: 'none',
          transition: { compositor: 'org.example.reveal', parameters: { edge: \(ramp) }, duration: '25f' } }] }]
      """
    let project = try workshop.scratch.file(
      "p.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"], assets: { \(assets) },
        output: { size: "400x300", frameRate: 25, video: { codec: "ffv1" }, audio: false }, \(body) }
      """)
    // The time, since blend counts its frames from 1.
    let value = "(0.1016+0.8001*min(T*25/20,1))"
    let blend = name == "mix" ? "A*(1-\(value))+B*\(value)" : "if(lt(X,floor(\(value)*W)),B,A)"
    let pad = "pad=400:300:(ow-iw)/2:(oh-ih)/2:black"
    let expected = try raw(
      [
        "-i", clips[0].path, "-i", clips[1].path, "-filter_complex",
        "[0]\(pad)[a];[1]\(pad)[b];[a][b]blend=all_expr='\(blend)'",
        "-frames:v", "25",
      ], workshop)
    var movies: [[UInt8]] = []
    for arguments in [["--threads", "2"], ["--trust-plugin", plugin.path], ["--threads", "1"]] {
      let movie = workshop.scratch.folder.appending(path: "o.mkv")
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", movie.path, "--overwrite", "--progress", "none"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      movies.append(try raw(["-i", movie.path], workshop))
    }
    #expect(movies[0] == movies[1] && movies[0] == movies[2])
    try #require(movies[0].count == expected.count)
    let worst = zip(movies[0], expected).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(worst <= 1, "off by \(worst)")
  }

  /// A filter that is a closure: described, checked, and rendered with keyframes as its formula says.
  @Test(.enabled(if: hasSwift, "swiftc is not on the path")) func pluginFilter_isAPlugin() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compileSwift(
      PluginWorkshop.fixtures.appending(path: "offers.swift"), flags: ["-D", "FILTERS"], name: "filters")
    try check(plugin)
    let clip = try clips(workshop)[0]
    var movies: [[UInt8]] = []
    for (effect, arguments) in [
      ("use: 'org.example.dim', amount: [{ at: 0, value: 0 }, { at: '10f', value: 1 }]", [String]()),
      ("use: 'org.example.dim', amount: [{ at: 0, value: 0 }, { at: '10f', value: 1 }]", ["--trust-plugin", plugin.path]),
      ("use: 'org.example.same'", []),
    ] {
      let project = try workshop.scratch.file(
        "p.json5",
        """
        { version: 1, plugins: ["\(plugin.path)"], assets: { a: { file: '\(clip.path)' } },
          output: { size: "320x180", frameRate: 25, video: { codec: "ffv1" }, audio: false },
          tracks: [{ clips: [{ asset: 'a', duration: '12f', effects: [{ \(effect) }] }] }] }
        """)
      let movie = workshop.scratch.folder.appending(path: "o.mkv")
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", movie.path, "--overwrite", "--progress", "none"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      movies.append(try raw(["-i", movie.path], workshop))
    }
    let source = try raw(["-i", clip.path, "-frames:v", "12"], workshop)
    #expect(movies[2] == source)
    let (length, lumaLength) = (320 * 180 * 3 / 2, 320 * 180)
    let expected = source.enumerated().map { index, code -> UInt8 in
      guard index % length < lumaLength else { return code }
      let amount = min(Double(index / length) / 10, 1)
      return UInt8((16 + (Double(code) - 16) * (1 - amount)).rounded())
    }
    #expect(movies[0] == expected && movies[1] == movies[0])
  }

  /// The line of docs/plugins.md, with each compiler that is here.
  @Test(.enabled(if: !compilers.isEmpty, "no C++ compiler is installed"), arguments: compilers)
  func pluginInCPlusPlus_isBuiltAsDocumented(_ compiler: String) throws {
    let documents = try String(contentsOf: ToolRun.root.appending(path: "docs/plugins.md"), encoding: .utf8)
    let line = try #require(documents.firstMatch(of: /`c\+\+ ([^`]*) -o glow\.so glow\.cpp`/)).1
    let workshop = try PluginWorkshop()
    let plugin = workshop.scratch.folder.appending(path: "dimmer.so")
    let result = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      [compiler] + line.split(separator: " ").map(String.init) + [
        "-I", PluginWorkshop.header.deletingLastPathComponent().path, "-Wall", "-Wextra", "-Werror", "-o", plugin.path,
        PluginWorkshop.fixtures.appending(path: "dimmer.cpp").path,
      ])
    try #require(result.status == 0, "\(result.errors)")
    try check(plugin)
    let project = try workshop.project(plugin, compositor: "org.example.dimmer-cpp")
    let movie = workshop.scratch.folder.appending(path: "o.mp4")
    let rendered = try ToolRun.compositor(["render", project.path, "-o", movie.path, "--progress", "none"])
    #expect(rendered.status == 0, "\(rendered.errors)")
  }
}
