import Foundation

/// Processor time in milliseconds, which other load on the machine affects less than wall time.
package enum ProcessorTime {
  /// The time of this process.
  package static var own: Double { used(RUSAGE_SELF.rawValue) }
  /// The time of the programs that it has run and waited for.
  package static var children: Double { used(RUSAGE_CHILDREN.rawValue) }

  private static func used(_ who: some BinaryInteger) -> Double {
    var usage = rusage()
    guard getrusage(__rusage_who_t(who), &usage) == 0 else { return .nan }
    func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3 }
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
  }
}
