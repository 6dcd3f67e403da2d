import Foundation

enum ProcessorCount {
  /// Processors that this process may use.
  static var active: Int { ProcessInfo.processInfo.activeProcessorCount }
}
