import CompositorPlatform

/// Readings of the process's resources.
package enum Measurement {
  /// Milliseconds in a duration.
  static func milliseconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) * 1e3 + Double(parts.attoseconds) * 1e-15
  }

  /// Processor time of the whole process so far, milliseconds.
  static func processorMilliseconds() -> Double { milliseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// Processor time of this thread so far, milliseconds.
  static func threadMilliseconds() -> Double { milliseconds(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func milliseconds(of clock: clockid_t) -> Double {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return .nan }
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
  }

  /// Processor time so far of each running process that this one has started (those of isolated plugins), in milliseconds,
  /// by ID.
  ///
  /// The kernel adds the time of a running thread when it stops running. A worker stops right after its reply, so this waits
  /// for that, for a few milliseconds at most.
  static func descendantsMilliseconds() -> [String: Double] {
    let processes = descendants(of: "self")
    let expiry = ContinuousClock.now + .milliseconds(5)
    while processes.contains(where: isRunning), ContinuousClock.now < expiry { usleep(100) }
    return Dictionary(processes.map { ($0, milliseconds(ofProcess: $0)) }) { first, _ in first }
  }

  /// Processor time between two readings of ``descendantsMilliseconds()``; infinite if a process has ended in between, because
  /// its time is unknown.
  package static func difference(_ after: [String: Double], _ before: [String: Double]) -> Double {
    guard before.keys.allSatisfy({ after[$0] != nil }) else { return .infinity }
    return after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
  }

  /// Milliseconds so far in which threads of this process and of its descendants were ready to run, but a processor was not
  /// free for them: the second number of each thread's schedstat.
  static func waitingMilliseconds() -> Double {
    (["self"] + descendants(of: "self")).reduce(0) { $0 + milliseconds(ofProcess: $1, field: 1) }
  }

  private static func isRunning(_ process: String) -> Bool {
    names(in: "/proc/\(process)/task").contains { thread in
      // The state follows the name in parentheses, which may contain anything.
      let fields = text("/proc/\(process)/task/\(thread)/stat")?.split(separator: ")").last
      return fields?.split(separator: " ").first == "R"
    }
  }

  private static func descendants(of process: String) -> [String] {
    let children = names(in: "/proc/\(process)/task").flatMap { thread in
      (text("/proc/\(process)/task/\(thread)/children") ?? "").split(separator: " ").map(String.init)
    }
    return children + children.flatMap(descendants)
  }

  /// A number of each thread's schedstat, by default the first: nanoseconds on a processor.
  private static func milliseconds(ofProcess process: String, field: Int = 0) -> Double {
    names(in: "/proc/\(process)/task").reduce(0) { sum, thread in
      let fields = text("/proc/\(process)/task/\(thread)/schedstat")?.split(separator: " ") ?? []
      return sum + (fields.count > field ? Double(fields[field]) ?? 0 : 0) * 1e-6
    }
  }

  /// Seconds since boot during which the machine's virtual processors were not run by their host, and all of their seconds.
  static func stolenSeconds() -> (stolen: Double, all: Double) {
    let line = (text("/proc/stat") ?? "").split(separator: "\n").first ?? ""
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
    let second = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    return ((ticks.count > 7 ? ticks[7] : 0) / second, ticks.reduce(0, +) / second)
  }

  fileprivate static func text(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&portion, 1, portion.count, file)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += portion.prefix(count)
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.allSatisfy(\.isNumber) { names.append(name) }
    }
    return names
  }

  /// The greatest value; NaN if there are none, or if one of them is NaN.
  package static func greatest(_ values: [Double]) -> Double {
    values.contains(where: \.isNaN) ? .nan : values.max() ?? .nan
  }

  /// The value below which a fraction (0 … 1) of the values lie; NaN if there are none.
  package static func percentile(_ fraction: Double, of values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int((Double(sorted.count) * fraction).rounded(.down)))]
  }
}

/// The peak of resident memory of the process since a moment. It has everything that is alive at the time.
package struct PeakMemory {
  private let isReset: Bool

  /// Resets the peak. Systems that restrict `/proc` don't allow that.
  ///
  /// - Parameter path: The file that resets it.
  package init(resetting path: String = "/proc/self/clear_refs") {
    guard let file = fopen(path, "w") else {
      isReset = false
      return
    }
    // Unbuffered, so that the write itself reports a failure.
    setvbuf(file, nil, _IONBF, 0)
    let isWritten = fputs("5", file) >= 0
    isReset = fclose(file) == 0 && isWritten
  }

  /// The peak since the reset, in MiB; NaN if it could not be reset, because it might be that of earlier work, or if the system
  /// does not report it.
  package var mebibytes: Double {
    guard isReset else { return .nan }
    for line in (Measurement.text("/proc/self/status") ?? "").split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return (Double(line.filter(\.isNumber)) ?? .nan) / 1024
    }
    return .nan
  }
}
