package import Foundation

/// A program that failed.
package struct ProgramFailure: Error, CustomStringConvertible {
  package let description: String
}

/// Runs a program found on the path and gives its standard output.
///
/// - Throws: ``ProgramFailure`` with what it complained of, where it does not end with 0.
@discardableResult
package func runProgram(_ name: String, _ arguments: [String], mayFail: Bool = false) throws -> Data {
  // What ffmpeg makes without reading a test's files is made once.
  let made = name == "ffmpeg" && !mayFail ? MadeOnce.output(ofFFmpeg: arguments) : nil
  if let made, try MadeOnce.copy(made.key, to: made.url) { return Data() }
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [name] + arguments
  // A file, not a second pipe: nothing can fill up while the output is read.
  let complaints = FileManager.default.temporaryDirectory.appending(path: "compositor-tests-\(UUID().uuidString).err")
  try Data().write(to: complaints)
  defer { try? FileManager.default.removeItem(at: complaints) }
  let output = Pipe()
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = try FileHandle(forWritingTo: complaints)
  try process.run()
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  guard mayFail || process.terminationStatus == 0 else {
    let text = try String(contentsOf: complaints, encoding: .utf8)
    throw ProgramFailure(
      description: "\(name) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus): \(text)")
  }
  if let made, data.isEmpty { try MadeOnce.keep(made.url, as: made.key) }
  return data
}

/// Runs a program found on the path and gives its standard output as text.
@discardableResult
package func runTool(_ name: String, _ arguments: [String], mayFail: Bool = false) throws -> String {
  String(decoding: try runProgram(name, arguments, mayFail: mayFail), as: UTF8.self)
}

/// Whether FFmpeg's programs are there: they are the independent opinion.
package let hasFFmpeg: Bool = {
  do {
    try runProgram("ffmpeg", ["-version"])
    try runProgram("ffprobe", ["-version"])
    return true
  } catch {
    return false
  }
}()

/// The arguments that make ffmpeg tag the pictures it encodes. A filter, not the options of an output (`-color_trc`): those of
/// FFmpeg 7 and later lose against what the pictures say.
package func colorTagging(primaries: String, transfer: String, matrix: String) -> [String] {
  ["-vf", "setparams=color_primaries=\(primaries):color_trc=\(transfer):colorspace=\(matrix):range=tv"]
}
