import CFuzzer
import Foundation

/// The readers of foreign bytes under libFuzzer: `compositor-fuzz TARGET [ARGUMENT of libFuzzer…]`. Built by `scripts/fuzz` only.
@main struct Fuzzer {
  static func main() {
    let name = CommandLine.arguments.dropFirst().first ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      FileHandle.standardError.write(
        Data("compositor-fuzz: name a target: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))\n".utf8))
      exit(64)
    }
    // The target's name is not for libFuzzer.
    let arguments = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
    var values: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var count = CInt(arguments.count)
    let status = values.withUnsafeMutableBufferPointer { buffer in
      var base = buffer.baseAddress
      return LLVMFuzzerRunDriver(&count, &base, target.function)
    }
    exit(status)
  }
}

/// What is fuzzed.
enum FuzzTarget: String, CaseIterable {
  /// JSON5 to a project, and the project to an edit.
  case project
  /// Titles of a project to layers.
  case titles
  /// Bytes of a plugin's process as the host reads them.
  case channel
  /// PNG and JPEG stills.
  case stills
  /// Containers of every kind that libavformat reads.
  case probe

  var function: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt {
    switch self {
    case .project: { data, count in fuzzProject(UnsafeRawBufferPointer(start: data, count: count)) }
    case .titles: { data, count in fuzzTitles(UnsafeRawBufferPointer(start: data, count: count)) }
    case .channel: { data, count in fuzzChannel(UnsafeRawBufferPointer(start: data, count: count)) }
    case .stills: { data, count in fuzzStills(UnsafeRawBufferPointer(start: data, count: count)) }
    case .probe: { data, count in fuzzProbe(UnsafeRawBufferPointer(start: data, count: count)) }
    }
  }
}
