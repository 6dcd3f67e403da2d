import Foundation

/// A folder that is gone with its last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "compositor-host-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(path): \(error)") }
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// Every name in the folder, hidden ones included.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

/// Runs a program found on the path; its standard output.
@discardableResult
func run(_ program: String, _ arguments: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw ProcessFailure(program: program, status: process.terminationStatus) }
  return String(decoding: data, as: UTF8.self)
}

struct ProcessFailure: Error {
  let program: String
  let status: Int32
}

/// Whether FFmpeg's programs are there: they are the independent opinion.
let hasFFmpeg: Bool = {
  do {
    try run("ffmpeg", ["-version"])
    try run("ffprobe", ["-version"])
    return true
  } catch {
    return false
  }
}()
