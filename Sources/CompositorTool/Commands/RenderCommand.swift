import ArgumentParser
import Compositor

/// `compositor render`.
struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Render a project to a movie or to numbered images.",
    discussion: """
      The output appears under its name when it is complete, or not at all. An existing file is not changed unless \
      --overwrite is given.

      EXAMPLES
        compositor render holiday.json5 -o holiday.mp4
        compositor render holiday.json5 -o part.mov --range 2s..00:00:05:00 --codec prores
        compositor render phone.mov -o upright.mp4 --quality 18 --encoder-speed slow
        compositor render phone.mov -o broadcast.mov --color pq --hdr-metadata generate
        compositor render phone.mov -o phone-hdr.mp4 --preset hevc-pq
        compositor render phone.mov --captions phone.srt --caption-as track -o phone-with-captions.mp4
        compositor render titles.json5 -o frames/%05d.png --progress json
        compositor render wedding.json5 -o wedding.mp4 --loudness -14
        compositor render holiday.json5 --preset gif --range 2s..5s -o holiday.gif
        compositor render phone.mov --size 1280x720 --fps 30 --bit-rate 4M --two-pass -o small.mp4
        compositor render phone.mov -o small.mp4 --keep-metadata
        compositor render talk.json5 -o talk.mp4 --metadata title="The talk" --chapter 0s=Hello --chapter 90s=Numbers --cover-at 95s
        compositor render holiday.json5 -o - | ffmpeg -i - -c:v libsvtav1 holiday.mkv
        sed s/church/dance/ holiday.json5 | compositor render - -o dance.mp4
        compositor render phone.mov --range 10s..370s --passthrough auto -o part.mp4
        compositor render lower-third.json5 --set name="Ada Lovelace" -o ada.mp4
        compositor render holiday.json5 -o holiday.mp4 --profile holiday.trace.json
        compositor render lower-third.json5 --batch people.csv -o "out/{row}-{name}.mp4"
        compositor render --plan plan.json --segment 3
        compositor render lower-third.json5 --batch people.csv --jobs 4 --memory-limit 1G -o "out/{row}-{name}.mp4"
      """)

  @OptionGroup var render: RenderOptions

  @Option(
    help: """
      A CSV file. The project is rendered once for each row, with the columns as variables. The name of the output contains {row} \
      or {COLUMN}. Rows whose output exists are skipped, unless --overwrite is given.
      """, completion: .file(extensions: ["csv"]))
  var batch: String?

  @Option(help: "Rows of a batch to render in parallel, 1 to 64. By default 1.")
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      """
      Render a plan of compositor plan: its parts with --segment or --audio, or all missing parts and the movie. The plan defines the \
      output. compositor render --plan x --help lists the options.
      """, valueName: "plan.json"), completion: .file(extensions: ["json"]))
  var plan: String?

  @Option(
    help: ArgumentHelp(
      """
      Write a trace of each thread's work (decode, convert, compose, titles, encode, audio) that ui.perfetto.dev opens. An existing \
      file is replaced.
      """, valueName: "file.json"), completion: .file(extensions: ["json"]))
  var profile: String?

  func validate() throws {
    if let jobs {
      if !(1...64).contains(jobs) { throw ValidationError("--jobs takes 1 to 64.") }
      if batch == nil { throw ValidationError("--jobs requires --batch.") }
    }
    guard profile != nil else { return }
    if batch != nil { throw ValidationError("--profile is for a single render, but --batch makes many.") }
    if render.options.passthrough != nil {
      throw ValidationError("--profile is for composed frames, but --passthrough copies.")
    }
  }

  func run() async throws {
    let (render, batch, jobs) = (render, batch, jobs ?? 1)
    let trace = profile.map { ($0, RenderTrace()) }
    try await Interruption.guarding {
      if let batch {
        try await BatchRendering(batch, render, jobs: jobs).run()
        return
      }
      try await Rendering.reporting(render.options) { reporter in
        let (options, isWhole) = (render.options, render.range == nil)
        let loaded = try render.load()
        var settings = try loaded.settings(options, range: render.range)
        settings.render.trace = trace?.1
        if options.mediaTypes.contains(.audio) { loaded.noteDownmix(to: settings.audio) }
        do {
          try await Rendering.run(loaded.composition, settings: settings, options, reporter)
        } catch let error as CompositorError {
          throw loaded.locating(error, isWhole: isWhole)
        }
        if let (path, trace) = trace { try trace.write(to: path) }
      }
    }
  }
}

extension RenderableProject {
  /// The settings of the project, overridden by those of the command line.
  func settings(_ options: OutputOptions, range: String?) throws -> ExportSettings {
    do {
      let range = try self.range(range)
      let export = try ProjectExport(
        file, of: composition, to: try options.target(), named: options.output,
        overrides: try options.outputOverrides(for: composition))
      return try options.settings(export, of: composition, range: range)
    } catch let error as CompositorError {
      throw file.locating(error)
    }
  }

  /// The value of `--range`.
  func range(_ text: String?) throws -> TimeRange? {
    let end = composition.edit.composition.duration
    return try text.map { text in
      let range = try usage("--range") { () throws(CompositorError) in
        try ProjectTime.range(text, frameRate: frameRate, end: end)
      }
      if !text.hasSuffix(".."), let last = text.split(separator: "..").last,
        let wanted = try? ProjectTime(String(last)).time(atFrameRate: frameRate), wanted > end
      {
        Terminal.complain("warning: --range: \(text) extends past the end of the timeline, \(end.readable).")
      }
      return range
    }
  }

  /// Notes audio of which more channels are heard than the output has, unless the project chose their number.
  func noteDownmix(to audio: AudioEncodingSettings?) {
    guard let audio, let (source, count) = file.mixedDownSource(of: composition, to: audio) else { return }
    Terminal.complain(
      "note: \(source) has \(count) channels of audio, which are mixed down to \(audio.channelCount). --channels \(count), or output: { "
        + "audio: { channels: \(count) } } in the project, keeps them.")
  }
}

/// Runs an export and reports its progress.
enum Rendering {
  /// Runs all steps of an export and reports the result, even if it fails before the first frame.
  static func reporting(_ options: OutputOptions, _ work: (ProgressReporter) async throws -> Void) async throws {
    let reporter = ProgressReporter(options.progress)
    do {
      try await work(reporter)
    } catch {
      reporter.fail(error, output: options.output)
      throw error
    }
  }

  static func run(
    _ composition: ValidatedComposition, settings: ExportSettings, _ options: OutputOptions, _ reporter: ProgressReporter
  ) async throws {
    composition.catalog.name(options.metadata.files)
    let result = try await Exporter.export(composition, to: try options.target(), settings: settings) {
      reporter.report($0)
    }
    try reporter.finish(result)
    for remark in result.remarks(.options) { Terminal.complain("\(remark.kind): \(remark.text)") }
  }
}
