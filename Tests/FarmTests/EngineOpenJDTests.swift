import CompositorAPI
import CompositorFarm
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// Job bundles as others read them.
@Suite struct EngineOpenJDTests {
  /// A bundle in a folder, with the tool that its tasks run.
  private func write(_ job: FarmJob, in folder: TemporaryFolder, tool: String = "compositor") throws {
    let bundle = OpenJDBundle(job: job, planFolder: folder.path, settings: EngineFixtures.settings { $0.tool = tool })
    for file in bundle.files { try Data(file.text.utf8).write(to: folder.url.appending(path: file.name)) }
  }

  @Test(.enabled(if: EngineFixtures.python != nil, "PyYAML is missing: scripts/oracles"))
  func hostileNames_inYAML_areTheNames() throws {
    let python = try #require(EngineFixtures.python)
    for name in EngineFixtures.names {
      let folder = try TemporaryFolder()
      var job = EngineFixtures.movie
      (job.planPath, job.movieName, job.title, job.inputPaths) = (name, "movie " + name, name, [name, "b"])
      try write(job, in: folder, tool: name)
      let script = """
        import json, sys, yaml
        read = lambda name: yaml.safe_load(open(sys.argv[1] + '/' + name, encoding='utf-8'))
        values = {v['name']: v['value'] for v in read('parameter_values.yaml')['parameterValues']}
        assert values == read('openjd_values.yaml')
        assets = read('asset_references.yaml')['assetReferences']
        template = read('template.yaml')
        print(json.dumps([values['Plan'], values['Movie'], values['Tool'], *assets['inputs']['filenames'], template['name']]))
        """
      let answer = try runTool(python, ["-c", script, folder.path])
      let texts = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String])
      let path = folder.path + "/"
      #expect(
        texts == [path + name, path + "movie " + name, name] + [path + name, path + "b"].sorted() + ["{{Param.Title}}"],
        "\(name.debugDescription)")
    }
  }

  @Test(.enabled(if: EngineFixtures.openjd != nil, "openjd-cli is missing: scripts/oracles"))
  func bundles_areAccepted() throws {
    let openjd = try #require(EngineFixtures.openjd)
    var done = EngineFixtures.movie
    (done.missing, done.isAudioMissing) = ([], false)
    var doneBatch = EngineFixtures.batch
    doneBatch.missing = []
    for job in [EngineFixtures.movie, EngineFixtures.rest, EngineFixtures.batch, done, doneBatch] {
      let folder = try TemporaryFolder()
      try write(job, in: folder)
      try runTool(openjd, ["check", folder.file("template.yaml")])
    }
  }

  /// A stand-in for the tool records what the tasks run.
  @Test(.enabled(if: EngineFixtures.openjd != nil, "openjd-cli is missing: scripts/oracles"))
  func bundle_runs_missingSegmentsAudioAndJoin() throws {
    let openjd = try #require(EngineFixtures.openjd)
    let folder = try TemporaryFolder()
    try EngineFixtures.program("tool", in: folder, "echo \"$*\" >>'\(folder.file("runs"))'\n")
    var job = EngineFixtures.movie
    (job.planPath, job.missing) = ("it's a \"plan\".json", [1...1, 4...5])
    try write(job, in: folder, tool: folder.file("tool"))
    try runTool(openjd, ["run", folder.file("template.yaml"), "-p", "file://" + folder.file("openjd_values.yaml")])
    let plan = folder.file("it's a \"plan\".json")
    let expected =
      [1, 4, 5].map { "render --plan \(plan) --segment \($0) --progress openjd" } + [
        "render --plan \(plan) --audio --progress openjd",
        "concat \(plan) -o \(folder.file("holiday.mp4")) --progress openjd",
      ]
    #expect(try String(contentsOfFile: folder.file("runs"), encoding: .utf8) == expected.map { $0 + "\n" }.joined())
  }

  /// A value has at most 1024 characters: parts that are there are rendered "again" instead.
  @Test func scatteredSegments_fitIntoAValue() {
    var job = EngineFixtures.movie
    job.segmentCount = 20000
    job.missing = (0..<4000).map { $0 * 5...$0 * 5 + $0 % 3 }
    let segments = OpenJDBundle(job: job, planFolder: "/p").segments
    #expect(segments.text.utf8.count <= 1024)
    let covered = Set(segments.ranges.joined())
    #expect(covered.isSuperset(of: job.missing.joined()) && covered.allSatisfy { (0..<20000).contains($0) })
    #expect(SegmentList([0...2, 5...5]).fitting(1024).text == "0-2,5")
  }
}

/// The documents say what can be parsed.
@Suite struct EnginePageTests {
  @Test(.enabled(if: EngineFixtures.python != nil, "PyYAML is missing: scripts/oracles"))
  func kubernetesJob_ofThePage_isYAML_andAsksForEveryPart() throws {
    let page = try String(contentsOf: EngineFixtures.root.appending(path: "docs/farm-engines.md"), encoding: .utf8)
    let block = try #require(page.firstMatch(of: /```yaml\n([^`]*)```/)?.1)
    let folder = try TemporaryFolder()
    try Data(block.utf8).write(to: folder.url.appending(path: "job.yaml"))
    let script = """
      import sys, yaml
      parts, join = yaml.safe_load_all(open(sys.argv[1]))
      container = parts['spec']['template']['spec']['containers'][0]
      print(parts['spec']['completions'], container['name'], ' '.join(join['spec']['template']['spec']['containers'][0]['args']))
      print(container['args'][0])
      """
    let text = try runTool(try #require(EngineFixtures.python), ["-c", script, folder.file("job.yaml")])
    let lines = text.split(separator: "\n", maxSplits: 1)
    #expect(lines.first == "7 compositor concat plan.json -o movie.mp4")
    // The pod's script, with a stand-in for the tool.
    try EngineFixtures.program("compositor", in: folder, "echo \"$*\"\n")
    let pod = String(try #require(lines.last))
    for (index, words) in [("0", "--segment 0"), ("5", "--segment 5"), ("6", "--audio")] {
      let output = try EngineFixtures.run(
        "PATH=.:$PATH JOB_COMPLETION_INDEX=\(index) /bin/sh -c \(ShellText.quoted(pod))", in: folder)
      #expect(output == "render --plan plan.json \(words) --progress plain\n")
    }
  }

  /// Job attachments are files: the images of a pattern one by one, and those above the plan's folder.
  @Test func job_listsImages_andFilesAboveThePlan() async throws {
    let movie = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 4, segments: 2)
    var plan = movie.plan
    func input(_ text: String) throws -> SegmentPlan.InputFile {
      try JSONDecoder().decode(SegmentPlan.InputFile.self, from: Data("{ \(text), \"byteCount\": 1, \"sha256\": \"0\" }".utf8))
    }
    plan.project.path = "../project.json5"
    plan.media = [
      try input("\"path\": \"../frames/it's %03d.png\", \"firstImage\": 9, \"imageCount\": 3"),
      try input("\"path\": \"/archive/a.mov\""),
    ]
    plan.files = [try input("\"path\": \"../../looks/b.cube\""), try input("\"path\": \"c.srt\"")]
    let file = try SegmentPlanFile(plan, writingTo: movie.folder.file("other.json"), overwrites: false)
    let job = try PlanStatus(of: file).job
    let images = (9...11).map { "../frames/it's \($0 < 10 ? "00" : "0")\($0).png" }
    #expect(job.inputPaths == ["../../looks/b.cube"] + images + ["../project.json5", "c.srt"])
    let bundle = OpenJDBundle(job: job, planFolder: "/studio/holiday/farm")
    let references = try #require(bundle.files.first { $0.name == "asset_references.yaml" }).text
    let expected = ["looks/b.cube", "holiday/frames/it's 009.png", "holiday/project.json5", "holiday/farm/c.srt"]
    for path in expected { #expect(references.contains("- \"/studio/\(path)\"\n"), "\(references)") }
    #expect(!references.contains("..") && !references.contains("%03d") && !references.contains("archive"))
  }
}
