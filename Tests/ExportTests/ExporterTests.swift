import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorTestMedia
import CompositorTestSupport
import CompositorMediaIO
import CompositorMediaWriting
import Synchronization
import Testing

@Suite struct ExporterTests {
  static let lossless = ExportSettings(video: VideoEncodingSettings(codec: .ffv1))

  /// `seconds` of in-memory pictures under one instruction.
  func edit(seconds: Int64 = 2, media: MemoryMedia = MemoryMedia(frameCount: 9000)) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(media, as: "a")
    edit.size = media.size
    let track = try edit.addTrack([("a", .seconds(0, seconds), .seconds(0, seconds))])
    edit.instructions = [Instruction(timeRange: .seconds(0, seconds), layers: [LayerInstruction(trackID: track)])]
    return edit
  }

  @Test(.enabled(if: hasFFmpeg)) func export_ofAMovie_hasTheFramesAndTagsThatArithmeticSays() async throws {
    let folder = try TemporaryFolder()
    let reports = Mutex<[ExportProgress]>([])
    let result = try await Exporter.export(edit().validated(), to: folder.file("out.mkv"), settings: Self.lossless) {
      progress in reports.withLock { $0.append(progress) }
    }
    #expect(result.frameCount == 60)
    #expect(result.duration == .seconds(2))
    #expect(result.routes == [.passthrough: 60])
    let rendered = reports.withLock { $0.filter { $0.phase == .encoding }.map(\.framesRendered) }
    #expect(Set(rendered) == Set(1...60) && rendered == rendered.sorted())
    #expect(reports.withLock { $0.last }?.framesDone == 60)
    #expect(try folder.names == ["out.mkv"])
    let size = try FileManager.default.attributesOfItem(atPath: folder.file("out.mkv"))[.size] as? Int
    #expect(size == result.byteCount)
    let probe = try runTool(
      "ffprobe",
      [
        "-v", "error", "-count_frames", "-of", "csv=p=0", "-show_entries",
        "stream=nb_read_frames,width,height,color_space,color_range,r_frame_rate", folder.file("out.mkv"),
      ])
    #expect(probe.trimmingCharacters(in: .whitespacesAndNewlines) == "64,36,tv,bt709,30/1,60")
  }

  @Test(.enabled(if: hasFFmpeg)) func export_ofImages_writesOneFileAFrame() async throws {
    let folder = try TemporaryFolder()
    let composition = try edit(seconds: 1).validated()
    let result = try await Exporter.export(composition, to: folder.file("frame_%03d.png"))
    #expect(result.frameCount == 30)
    #expect(try folder.names == (1...30).map { "frame_" + String("00\($0)".suffix(3)) + ".png" })
    let probe = try runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=width,height,pix_fmt", "-of", "csv=p=0", folder.file("frame_030.png")])
    #expect(probe.hasPrefix("64,36,rgb24"))
    // One of them is there by now: nothing is written.
    let error = await #expect(throws: CompositorError.self) {
      try await Exporter.export(composition, to: folder.file("frame_%03d.png"))
    }
    #expect(error?.code == .outputExists)
  }

  @Test(.enabled(if: hasFFmpeg)) func imageExport_writesTheFrameAtATime() async throws {
    let folder = try TemporaryFolder()
    let composition = try edit().validated()
    let path = folder.file("still.png")
    try await ImageExporter.export(composition, at: .seconds(1), to: path)
    let grey = try runTool("ffmpeg", ["-v", "error", "-i", path, "-vf", "scale=1:1,format=gray", "-f", "framemd5", "-"])
    #expect(grey.contains(",        1,"))
    #expect(try folder.names == ["still.png"])
    let error = await #expect(throws: CompositorError.self) {
      try await ImageExporter.export(composition, at: .seconds(1), to: path)
    }
    #expect(error?.code == .outputExists)
    let late = await #expect(throws: CompositorError.self) {
      try await ImageExporter.export(composition, at: .seconds(9), to: folder.file("late.png"))
    }
    #expect(late?.code == .noFrame)
    #expect(try folder.names == ["still.png"])
  }

  @Test(.enabled(if: hasFFmpeg)) func export_ofARange_startsAtZeroWithItsFirstFrame() async throws {
    let folder = try TemporaryFolder()
    var settings = Self.lossless
    settings.timeRange = TimeRange(start: MediaTime(value: 1, timescale: 3), end: .seconds(1))
    let result = try await Exporter.export(edit().validated(), to: folder.file("part.mkv"), settings: settings)
    #expect(result.frameCount == 20)
    let raw = try runTool(
      "ffmpeg", ["-v", "error", "-i", folder.file("part.mkv"), "-f", "framemd5", "-c:v", "rawvideo", "-"])
    let times = raw.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: ",").count }
    #expect(times.count == 20)
  }

  @Test(.enabled(if: hasFFmpeg)) func export_ofARealClip_keepsEveryPictureAsFFmpegDecodesIt() async throws {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.file("in.mp4"), folder.file("out.mkv"))
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=30:duration=3", "-c:v", "libx264", "-bf", "2",
        "-pix_fmt", "yuv420p",
      ] + colorTagging(primaries: "bt709", transfer: "bt709", matrix: "bt709") + [input])
    let catalog = MediaCatalog()
    let edit = try Edit(showing: .file(path: input), catalog: catalog)
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    let result = try await Exporter.export(composition, to: output, settings: Self.lossless)
    #expect(result.frameCount == 90)
    func pictures(_ path: String) throws -> [Substring] {
      try runTool("ffmpeg", ["-v", "error", "-i", path, "-f", "framemd5", "-c:v", "rawvideo", "-"])
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
    }
    let written = try pictures(output)
    #expect(written.count == 90)
    #expect(try written == pictures(input))
  }

  @Test(.enabled(if: hasFFmpeg)) func export_thatFollowsATracksTiming_keepsItsVariableFrameRate() async throws {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.file("in.mp4"), folder.file("out.mp4"))
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x54:rate=30:duration=3", "-vf",
        "select='not(mod(n,3))+between(n,20,40)+eq(n,89)'", "-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv420p", input,
      ])
    let catalog = MediaCatalog()
    var edit = try Edit(showing: .file(path: input), catalog: catalog)
    edit.videoComposition.sourceTrackIDForFrameTiming = edit.composition.tracks(.video).first?.trackID
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    _ = try await Exporter.export(composition, to: output)
    func times(_ path: String) throws -> [Double] {
      try runTool(
        "ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path]
      )
      .split(separator: "\n").compactMap { Double($0.prefix { $0 != "," }) }
    }
    let (expected, found) = (try times(input), try times(output))
    #expect(found.count == expected.count && found.count > 40)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1 + expected[0]) < 1e-5 })
    #expect(Set(zip(found.dropFirst(), found).map { (($0 - $1) * 30).rounded() }).count > 1, "the rate does vary")
  }

  @Test func memory_ofALongRender_staysFlat() async throws {
    await #expect(processExitsWith: .success) {
      let media = MemoryMedia(size: PixelSize(width: 16, height: 16), frameCount: 40_000)
      let composition = try ExporterTests().edit(seconds: 1200, media: media).validated()
      let plan = try RenderPlan(composition)
      let pipeline = try FrameScheduler(plan, settings: RenderSettings())
      let early = Atomic<Int>(0)
      try await pipeline.render(0..<plan.frameCount) { rendered in
        if rendered.index == 6000 { early.store(residentPages(), ordering: .relaxed) }
      }
      let growth = (residentPages() - early.load(ordering: .relaxed)) * 4096
      guard growth < 1 << 20 else { exit(2) }
    }
  }

  @Test func existingOutput_isLeftAlone_beforeAnyWork() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("out.mkv")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    let media = MemoryMedia()
    let composition = try edit(media: media).validated()
    let error = await #expect(throws: CompositorError.self) {
      try await Exporter.export(composition, to: path, settings: Self.lossless)
    }
    #expect(error?.code == .outputExists)
    #expect(error?.avFoundationCode == -11823)
    #expect(media.openedCount == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
    #expect(try folder.names == ["out.mkv"])

    var settings = Self.lossless
    settings.overwrites = true
    let result = try await Exporter.export(composition, to: path, settings: settings)
    #expect(result.frameCount == 60)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == result.byteCount)
    #expect(try folder.names == ["out.mkv"])
  }

  @Test(.enabled(if: hasFFmpeg), arguments: ["same", "symlink", "hardlink"])
  func outputThatIsAnInput_isRefused_evenWhenOverwriting(kind: String) async throws {
    let folder = try TemporaryFolder()
    let input = folder.file("in.mkv")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=32x32:rate=30:duration=1", "-c:v", "ffv1", input])
    let before = try Data(contentsOf: URL(fileURLWithPath: input))
    let output = kind == "same" ? input : folder.file("out.mkv")
    switch kind {
    case "symlink": try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: input)
    case "hardlink": try FileManager.default.linkItem(atPath: input, toPath: output)
    default: break
    }
    let catalog = MediaCatalog()
    let edit = try Edit(showing: .file(path: input), catalog: catalog)
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    var settings = Self.lossless
    settings.overwrites = true
    let error = await #expect(throws: CompositorError.self) {
      try await Exporter.export(composition, to: output, settings: settings)
    }
    #expect(error?.code == .outputIsInput)
    #expect(try Data(contentsOf: URL(fileURLWithPath: input)) == before)
  }

  @Test(arguments: ["nowhere/out.mkv", "out.xyz", "out.png", "out"])
  func impossibleOutput_isRefused_beforeAnyWork(name: String) async throws {
    let folder = try TemporaryFolder()
    let media = MemoryMedia()
    let composition = try edit(media: media).validated()
    let error = await #expect(throws: CompositorError.self) {
      try await Exporter.export(composition, to: folder.file(name), settings: Self.lossless)
    }
    #expect(error?.code == (name.contains("/") ? .writeFailed : .unsupportedOutput))
    #expect(media.openedCount == 0)
    #expect(try folder.names.isEmpty)
  }

  @Test func failingSource_leavesNothing() async throws {
    let folder = try TemporaryFolder()
    let composition = try edit(media: MemoryMedia(failsFrom: 50)).validated()
    let error = await #expect(throws: CompositorError.self) {
      try await Exporter.export(composition, to: folder.file("out.mkv"), settings: Self.lossless)
    }
    #expect(error?.code == .decodeFailed)
    #expect(try folder.names.isEmpty)
  }

  @Test func canceledExport_endsSoonAndLeavesNothing() async throws {
    let folder = try TemporaryFolder()
    let media = MemoryMedia(frameCount: 9000, decodingMicroseconds: 5000)
    let composition = try edit(seconds: 300, media: media).validated()
    let path = folder.file("out.mkv")
    let task = Task { try await Exporter.export(composition, to: path, settings: Self.lossless) }
    // Until the partial file is there.
    for _ in 0..<1000 where try folder.names.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try !folder.names.isEmpty)
    let start = ContinuousClock.now
    task.cancel()
    let result = await task.result
    let elapsed = ContinuousClock.now - start
    let error = #expect(throws: CompositorError.self) { try result.get() }
    #expect(error?.code == .cancelled)
    // Generous, because a busy machine is slow too; the whole export would take 45 s and more.
    #expect(elapsed < .seconds(20))
    #expect(try folder.names.isEmpty)
    #expect(media.openNow == 0)
    print("export cancelled in \(elapsed)")
  }

  @Test func nameTakenDuringTheExport_isNotReplaced() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("out.mkv")
    let composition = try edit().validated()
    let error = await #expect(throws: CompositorError.self) {
      try await Exporter.export(composition, to: path, settings: Self.lossless) { progress in
        guard progress.framesDone == 1 else { return }
        #expect(FileManager.default.createFile(atPath: path, contents: Data("late".utf8)))
      }
    }
    #expect(error?.code == .outputExists)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("late".utf8))
    #expect(try folder.names == ["out.mkv"])
  }

  @Test func partialFolder_notLocked_isSwept_othersAreKept() async throws {
    let folder = try TemporaryFolder()
    // The process number says nothing: process 1 always lives, and numbers are used again.
    let own = ".compositor-partial-\(try Self.boot())"
    let left = ["\(own)-1-1", "\(own)-4000000-1"]
    let locked = "\(own)-4000000-2"
    let others = [".compositor-partial-x-1", ".compositor-partial-4000000"]
    for name in left + [locked] + others { try makePartialFolder(name, in: folder) }
    let descriptor = open(folder.file(locked), O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    _ = try await Exporter.export(edit().validated(), to: folder.file("out.mkv"), settings: Self.lossless)
    #expect(try folder.names == ([locked, "out.mkv"] + others).sorted())
  }

  /// The lock of a folder on NFS does not reach other machines, so nothing but its age says that its process has ended.
  @Test func partialFolder_ofAnotherMachine_isSwept_onlyAfterAWeekWithoutAChange() async throws {
    let folder = try TemporaryFolder()
    let (running, quiet, old) = ("0123456789abcdef-77-1", "0123456789abcdef-77-2", "0123456789abcdef-77-3")
    // Without the ID of a boot: those of earlier versions.
    let ages = [(running, 8.0, 0.0), (quiet, 6, 6), (old, 8, 8), ("4000000-1", 0, 0), ("4000000-2", 8, 8)]
    for (name, folderAge, fileAge) in ages {
      let path = folder.file(".compositor-partial-\(name)")
      try makePartialFolder(".compositor-partial-\(name)", in: folder)
      for (path, days) in [(path + "/out.mkv", fileAge), (path, folderAge)] {
        let date = Date(timeIntervalSinceNow: -days * 24 * 3600)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      }
    }
    _ = try await Exporter.export(edit().validated(), to: folder.file("out.mkv"), settings: Self.lossless)
    #expect(try folder.names == [running, quiet, "4000000-1"].map { ".compositor-partial-\($0)" } + ["out.mkv"])
  }

  private func makePartialFolder(_ name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file(name + "/out.mkv")))
  }

  /// What names of this machine's partial folders have in them.
  private static func boot() throws -> String {
    String(try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8).filter(\.isHexDigit).prefix(16))
  }

  @Test func partialFolder_thatIsALink_isNotFollowed() async throws {
    let folder = try TemporaryFolder()
    let victim = try TemporaryFolder()
    try Data("photo".utf8).write(to: URL(fileURLWithPath: victim.file("photo.jpg")))
    let link = ".compositor-partial-\(try Self.boot())-4000000-1"
    try FileManager.default.createSymbolicLink(atPath: folder.file(link), withDestinationPath: victim.path)
    _ = try await Exporter.export(edit().validated(), to: folder.file("out.mkv"), settings: Self.lossless)
    #expect(try victim.names == ["photo.jpg"])
    #expect(try folder.names == [link, "out.mkv"])
  }

  @Test func killedExport_leavesNoFinalFile_andTheNextRunSweeps() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let path = ExporterTests.sharedFolder(of: getppid()) + "/out.mkv"
      let composition = try ExporterTests().edit(seconds: 20).validated()
      _ = try await Exporter.export(composition, to: path, settings: ExporterTests.lossless) { progress in
        if progress.framesDone == 100 { kill(getpid(), SIGKILL) }
      }
    }
    let folder = Self.sharedFolder(of: getpid())
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left.count == 1 && left[0].hasPrefix(".compositor-partial-"))
    _ = try await Exporter.export(edit().validated(), to: folder + "/out.mkv", settings: Self.lossless)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["out.mkv"])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func fullDisk_isWriteFailed_andLeavesNothing() async throws {
    await #expect(processExitsWith: .success) {
      // A limit on the size of files stands in for a disk that is full.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
      guard setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
      let folder = try TemporaryFolder()
      let media = MemoryMedia(size: PixelSize(width: 320, height: 180), frameCount: 9000)
      let composition = try ExporterTests().edit(seconds: 20, media: media).validated()
      do {
        _ = try await Exporter.export(composition, to: folder.file("out.mkv"), settings: ExporterTests.lossless)
        exit(3)
      } catch let error as CompositorError {
        guard error.code == .writeFailed else { exit(4) }
      }
      guard try folder.names.isEmpty else { exit(5) }
    }
  }

  static func sharedFolder(of process: pid_t) -> String {
    let path = NSTemporaryDirectory() + "compositor-kill-\(process)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      print("no folder \(path): \(error)")
    }
    return path
  }
}

/// Memory of this process that is in use, in pages.
private func residentPages() -> Int {
  do {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return Int(text.split(separator: " ")[1]) ?? 0
  } catch {
    return 0
  }
}
