import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorTestSupport
import CompositorValidation
import Testing

/// Cuts of every kind of source, decoded by ffmpeg: exactly the frames asked for, each at its time. `make test` takes three cuts of each.
@Suite(.enabled(if: hasFFmpeg)) struct CopyingTableTests {
  @Test(arguments: CopyingSupport.sources) func editList_ofEverySource_showsExactlyTheFramesAskedFor(
    _ source: CopyingSupport.Source
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try CopyingSupport.make(source, in: folder)
    let whole = try CopyingSupport.frames(path).hashes
    #expect(whole.count == 150)
    for frames in CopyingSupport.cuts(of: source, turn: 0) {
      let output = folder.file("cut-\(frames.lowerBound).mov")
      let result = try await CopyingSupport.export(
        try CopyingSupport.composition([(path, frames)], rate: source.rate), to: output, .editList)
      #expect(result.frameCount == frames.count)
      #expect(result.passthrough?.encodedFrameCount == 0)
      let found = try CopyingSupport.frames(output)
      #expect(found.hashes == Array(whole[frames]), "frames \(frames)")
      try expectTimes(found.times, source.rate)
      #expect(abs(try CopyingSupport.duration(output) - Double(frames.count) / source.rate.value) < 1e-4)
    }
  }

  @Test(arguments: CopyingSupport.sources.filter(\.isEncodable), ["mp4", "mkv"]) func smart_ofEverySource_copiesWhatItCan(
    _ source: CopyingSupport.Source, _ container: String
  ) async throws {
    if container == "mp4", source.name.hasPrefix("prores") { return }
    let folder = try TemporaryFolder()
    let path = try CopyingSupport.make(source, in: folder)
    let (whole, numbers) = (try CopyingSupport.frames(path).hashes, try NumberedMovie.numbers(path))
    let cuts = CopyingSupport.cuts(of: source, turn: container == "mp4" ? 1 : 2)
    for frames in cuts where !(source.name == "open.mp4" && frames.count > 60) {
      let output = folder.file("cut-\(frames.lowerBound).\(container)")
      let result = try await CopyingSupport.export(
        try CopyingSupport.composition([(path, frames)], rate: source.rate), to: output, .smart)
      let report = try #require(result.passthrough)
      #expect(report.copiedFrameCount + report.encodedFrameCount == frames.count)
      // One group of 30 frames and the rest of another, at most.
      #expect(report.encodedFrameCount <= 60)
      #expect(report.encodedStretchCount <= 2)
      if frames.lowerBound % 30 == 0, frames.upperBound % 30 == 0 { #expect(report.encodedFrameCount == 0) }
      let found = try CopyingSupport.frames(output)
      #expect(try NumberedMovie.numbers(output) == Array(numbers[frames]), "frames \(frames)")
      // What is copied is the same to the last bit.
      #expect(zip(found.hashes, whole[frames]).count { $0 == $1 } >= report.copiedFrameCount)
      if container == "mp4" {
        try expectTimes(found.times, source.rate)
        #expect(abs(try CopyingSupport.duration(output) - Double(frames.count) / source.rate.value) < 1e-4)
      }
    }
  }

  @Test func smart_ofHEVC_cutsAtKeyFramesAndSaysWhyElsewhereNot() async throws {
    let folder = try TemporaryFolder()
    let source = try #require(CopyingSupport.sources.first { $0.name == "hevc.mov" })
    let path = try CopyingSupport.make(source, in: folder)
    let whole = try CopyingSupport.frames(path).hashes
    let output = folder.file("cut.mkv")
    let result = try await CopyingSupport.export(
      try CopyingSupport.composition([(path, 30..<90)], rate: source.rate), to: output, .smart)
    #expect(result.passthrough?.copiedFrameCount == 60)
    #expect(try CopyingSupport.frames(output).hashes == Array(whole[30..<90]))
    let composition = try CopyingSupport.composition([(path, 31..<90)], rate: source.rate)
    await #expect {
      _ = try await CopyingSupport.export(composition, to: folder.file("other.mkv"), .smart)
    } throws: { ($0 as? CompositorError).map { $0.code == .unsupportedOutput && $0.message.contains("hevc") } == true }
    #expect(try !folder.names.contains { $0.hasPrefix("other") || $0.hasPrefix(".") })
  }

  @Test func editList_ofAMovieThatVaries_keepsItsTimes() async throws {
    let folder = try TemporaryFolder()
    let (regular, path) = (folder.file("regular.mp4"), folder.file("varies.mp4"))
    try NumberedMovie.make(regular, count: 100, rate: "25", options: ["-c:v", "libx264", "-qp", "0"])
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-y", "-i", regular, "-vf", "select='lt(mod(n,7),5)'", "-fps_mode", "vfr", "-c:v", "libx264",
        "-g", "20", "-video_track_timescale", "90000", path,
      ])
    let whole = try CopyingSupport.frames(path)
    let output = folder.file("cut.mp4")
    var settings = ExportSettings()
    settings.passthrough = .editList
    settings.timeRange = TimeRange(start: MediaTime(value: 1, timescale: 1), end: MediaTime(value: 3, timescale: 1))
    let source = try MediaSourceEdit.composition(path)
    _ = try await Exporter.export(source, to: output, settings: settings)
    let found = try CopyingSupport.frames(output)
    // The frame that is shown at 1 s is the first, then all that start before 3 s.
    let first = try #require(whole.times.lastIndex { $0 <= 1 + 1e-6 })
    let last = try #require(whole.times.lastIndex { $0 < 3 - 1e-6 })
    #expect(found.hashes == Array(whole.hashes[first...last]))
    for (own, theirs) in zip(found.times.dropFirst(), whole.times[(first + 1)...last]) {
      #expect(abs(own - (theirs - 1)) < 1e-4)
    }
  }

  private func expectTimes(_ times: [Double], _ rate: Rational) throws {
    for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / rate.value) < 1e-4) }
  }
}

/// An edit that shows one file.
enum MediaSourceEdit {
  static func composition(_ path: String) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    let edit = try Edit(showing: .file(path: path), catalog: catalog)
    return try CompositionValidator.validate(edit, catalog: catalog).get()
  }
}
