/// A job for Open Job Description engines (specification 2023-09), as a job bundle: a folder with the template, the values of
/// its parameters and the files it needs.
///
/// `openjd run` runs it on one machine; `deadline bundle submit` sends it to AWS Deadline Cloud. It needs no extension of the
/// specification. The template contains no paths; the parameter values are paths of the submitting machine, which an engine
/// maps to the node's.
public struct OpenJDBundle: Sendable {
  let job: FarmJob
  let folder: String
  let settings: FarmSettings

  /// - Parameters:
  ///   - job: The plan's job.
  ///   - planFolder: The absolute path of the folder that contains the plan.
  ///   - settings: The tool to run, and the resources of a task.
  public init(job: FarmJob, planFolder: String, settings: FarmSettings = FarmSettings()) {
    self.job = job
    folder = planFolder
    self.settings = settings
  }

  /// The files of the bundle.
  public var files: [FarmFile] {
    [
      FarmFile("template.yaml", template), FarmFile("parameter_values.yaml", parameterValues),
      FarmFile("asset_references.yaml", assetReferences), FarmFile("openjd_values.yaml", openjdValues),
    ]
  }

  /// The segments with tasks. A job has at least one step, and tasks of finished rows end at once.
  package var segments: SegmentList {
    let isDone = job.missing.isEmpty && job.isBatch
    return SegmentList(isDone ? [0...max(0, job.segmentCount - 1)] : job.missing).fitting(OpenJDBundle.valueLength)
  }

  /// Maximum length of a parameter's value in characters.
  private static let valueLength = 1024

  private var values: [(name: String, value: String)] {
    var values = [
      (name: "Title", value: title), (name: "Plan", value: path(job.planPath)),
      (name: "Parts", value: path(job.partsFolderName)),
    ]
    if !job.isBatch { values.append((name: "Movie", value: path(job.movieName))) }
    if !segments.ranges.isEmpty { values.append((name: "Segments", value: segments.text)) }
    return values + [(name: "Tool", value: settings.tool)]
  }

  /// The job's name: up to 128 characters without control characters.
  private var title: String {
    let scalars = job.title.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }.prefix(100)
    let text = String(String.UnicodeScalarView(scalars))
    return text.allSatisfy(\.isWhitespace) ? "movie" : text
  }

  /// The path of a file of the plan; an output may have an absolute path.
  private func path(_ name: String) -> String {
    let path = name.utf8.first == UInt8(ascii: "/") ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    // Engines map paths by their text, so that one with `..` would be in another folder for them.
    return name.utf8.starts(with: "../".utf8) ? path.normalizedPath : path
  }

  /// In the format of `deadline bundle submit`.
  private var parameterValues: String {
    "parameterValues:\n" + values.map { "  - { name: \($0.name), value: \(YAMLText.quoted($0.value)) }\n" }.joined()
  }

  /// In the format of `openjd run -p file://…`.
  private var openjdValues: String {
    values.map { "\($0.name): \(YAMLText.quoted($0.value))\n" }.joined()
  }

  /// Files for job attachments apart from path parameters. In a batch, the rows' outputs are below the plan's folder.
  private var assetReferences: String {
    let inputs = Set(job.inputPaths + (job.isBatch ? [job.movieName] : [])).sorted().map(path)
    let outputs = job.isBatch ? [folder] : []
    func list(_ name: String, _ paths: [String], _ indentation: String) -> String {
      guard !paths.isEmpty else { return "\(indentation)\(name): []\n" }
      return "\(indentation)\(name):\n" + paths.map { "\(indentation)  - \(YAMLText.quoted($0))\n" }.joined()
    }
    return "assetReferences:\n  inputs:\n" + list("filenames", inputs, "    ") + list("directories", [], "    ")
      + "  outputs:\n"
      + list("directories", outputs, "    ") + list("referencedPaths", [], "  ")
  }
}
