extension OpenJDBundle {
  /// The template, with a step for the segments, one for the audio and one that joins them.
  var template: String {
    header + parameters + "steps:\n" + segmentsStep + audioStep + joiningStep
  }

  private var header: String {
    """
    # Written by `compositor farm openjd`: one task for each segment that was missing then. Cuts, encoder settings and the hashes of all
    # inputs are in the plan; a task whose part is there ends at once.
    specificationVersion: jobtemplate-2023-09
    name: "{{Param.Title}}"

    """
  }

  private var parameters: String {
    // Existing parts are inputs of the joining task.
    let isFresh = job.missing == [0...max(0, job.segmentCount - 1)] && job.isAudioMissing == job.hasAudio
    var text = """
      parameterDefinitions:
        - { name: Title, type: STRING, description: "What the job is called." }
        - { name: Plan, type: PATH, objectType: FILE, dataFlow: IN, description: "The plan; what it names keeps its place relative to it." }
        - { name: Parts, type: PATH, objectType: DIRECTORY, dataFlow: \(isFresh ? "OUT" : "INOUT"), description: "The folder of parts beside the plan." }

      """
    if !job.isBatch {
      text += "  - { name: Movie, type: PATH, objectType: FILE, dataFlow: OUT, description: \"The movie.\" }\n"
    }
    if !segments.ranges.isEmpty {
      text += "  - { name: Segments, type: STRING, description: \"Which \(unit)s to render, such as 0-9 or 1,4-7.\" }\n"
    }
    return text
      + "  - { name: Tool, type: STRING, default: compositor, description: \"The tool on the nodes: a name or a path.\" }\n"
  }

  private var unit: String { job.isBatch ? "row" : "segment" }

  private var segmentsStep: String {
    guard !segments.ranges.isEmpty else { return "" }
    return """
        - name: \(job.isBatch ? "Rows" : "Segments")
          parameterSpace:
            taskParameterDefinitions:
              - { name: Segment, type: INT, range: "{{Param.Segments}}" }

      """ + requirements + action(#"render, --plan, "{{Param.Plan}}", --segment, "{{Task.Param.Segment}}", --progress, openjd"#)
  }

  private var audioStep: String {
    guard job.isAudioMissing else { return "" }
    return "  - name: Audio\n" + requirements + action(#"render, --plan, "{{Param.Plan}}", --audio, --progress, openjd"#)
  }

  private var joiningStep: String {
    guard !job.isBatch else { return "" }
    let steps = (segments.ranges.isEmpty ? [] : ["Segments"]) + (job.isAudioMissing ? ["Audio"] : [])
    let dependencies =
      steps.isEmpty ? "" : "    dependencies: [\(steps.map { "{ dependsOn: \($0) }" }.joined(separator: ", "))]\n"
    return "  - name: Concat\n" + dependencies + requirements
      + action(#"concat, "{{Param.Plan}}", -o, "{{Param.Movie}}", --progress, openjd"#)
  }

  private var requirements: String {
    """
        hostRequirements:
          amounts: [{ name: amount.worker.vcpu, min: \(settings.processorCount) }]
          attributes:
            - { name: attr.worker.os.family, anyOf: [linux] }
            - { name: attr.worker.cpu.arch, anyOf: [\(settings.architecture)] }

    """
  }

  /// A task's action. The engine notifies it before ending it, so that no partial file is left behind.
  private func action(_ arguments: String) -> String {
    let limit = settings.timeLimitSeconds.map { "          timeout: \($0)\n" } ?? ""
    return """
          script:
            actions:
              onRun:
                command: "{{Param.Tool}}"
                args: [\(arguments)]
                cancelation: { mode: NOTIFY_THEN_TERMINATE, notifyPeriodInSeconds: 15 }

      """ + limit
  }
}
