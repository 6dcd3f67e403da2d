/// Scripts for Slurm: an array job for the missing segments, a job for the audio, and a job that joins the parts after both.
///
/// The folders of the scripts and of the plan must be on a file system that all nodes mount at the same path. They can be moved
/// together, because the scripts find the plan by its relative path.
public struct SlurmScripts: Sendable {
  let job: FarmJob
  let folder: String
  let settings: FarmSettings
  let arrayLimit: Int

  /// The default maximum number of tasks in a Slurm array (`MaxArraySize` of slurm.conf).
  public static let defaultArrayLimit = 1001

  /// - Parameters:
  ///   - job: The plan's job.
  ///   - planFolder: The folder that contains the plan, relative to the scripts' folder (`..`) or absolute.
  ///   - settings: The tool to run, and the resources of a task.
  ///   - arrayLimit: Maximum number of tasks in an array, ≥ 1. If there are more segments, a task renders several.
  public init(
    job: FarmJob, planFolder: String, settings: FarmSettings = FarmSettings(), arrayLimit: Int = SlurmScripts.defaultArrayLimit
  ) {
    self.job = job
    folder = planFolder
    self.settings = settings
    self.arrayLimit = max(1, arrayLimit)
  }

  /// The files: `submit.sh`, which people run, and the scripts that it submits.
  public var files: [FarmFile] {
    [FarmFile("submit.sh", isExecutable: true, submit), FarmFile("part.sbatch", part)]
      + (job.isBatch ? [] : [FarmFile("join.sbatch", join)])
  }

  /// Number of segments per task.
  private var segmentsPerTask: Int { max(1, (job.segmentCount + arrayLimit - 1) / arrayLimit) }

  /// The tasks of the array, in the format of `sbatch --array`; empty if no segment is missing.
  var tasks: String { SegmentList(job.missing).grouped(by: segmentsPerTask).text }

  private var tool: String { ShellText.quoted(settings.tool) }
  private var plan: String { ShellText.quoted(ShellText.path(job.planPath)) }
  var enter: String { "cd -- \(ShellText.quoted(folder)) || exit 74" }

  private func directives(_ name: String) -> String {
    let limit = settings.timeLimitSeconds.map { "#SBATCH --time=\(($0 + 59) / 60)\n" } ?? ""
    return """
      #SBATCH --job-name=\(name)
      #SBATCH --cpus-per-task=\(settings.processorCount)
      #SBATCH --requeue
      #SBATCH --open-mode=append

      """ + limit
  }

  /// The commands that choose the segments of a task.
  private var segment: String {
    segmentsPerTask == 1
      ? "set -- --segment \"$SLURM_ARRAY_TASK_ID\""
      : """
      # \(segmentsPerTask) segments a task: an array has at most \(arrayLimit) tasks.
        first=$((SLURM_ARRAY_TASK_ID * \(segmentsPerTask)))
        last=$((first + \(segmentsPerTask - 1)))
        [ "$last" -lt \(job.segmentCount) ] || last=\(job.segmentCount - 1)
        set -- --segment "$first-$last"
      """
  }

  private var part: String {
    """
    #!/bin/sh
    \(directives("compositor-part"))# A task of the array: its number says what it renders. Without a number, the audio. A part that is there is not rendered again.
    \(enter)
    if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
      \(segment)
    else
      set -- --audio
    fi

    \(tool) render --plan \(plan) "$@" --progress plain &
    tool=$!
    # Canceled, or out of time: Slurm tells the tool as well, which leaves nothing half done.
    trap : TERM INT
    wait "$tool"
    status=$?
    while kill -0 "$tool" 2>/dev/null; do
      wait "$tool"
      status=$?
    done

    # 75: worth another try, two of them. A node that goes down is Slurm's to notice: it requeues by itself.
    if [ "$status" -eq 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 2 ]; then
      trap - TERM INT
      scontrol requeue "$SLURM_JOB_ID" && sleep 60
    fi
    exit "$status"

    """
  }

  private var join: String {
    """
    #!/bin/sh
    \(directives("compositor-join"))# Runs after all parts, however they ended: ends with status 75 and says which are missing, if any are.
    \(enter)
    exec \(tool) concat \(plan) -o \(ShellText.quoted(ShellText.path(job.movieName)))

    """
  }
}
