import AVFoundation
import Foundation

// How much longer an export takes by the names of AVFoundation than by the compositor's own.
//
//   swift run -c release --package-path swift-compositor-avfoundation avfoundation-cost [ROUNDS]
//
// Both write the same edit, a dissolve between two clips, in turn; the first round is not counted. Prints the median of each and their
// ratio. First the classes that the optimizer could break are made: the exit status is 1 if one cannot be.

guard madeEveryClass() else { exit(1) }
print("classes: every init() was called")
let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 7
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cost-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let clips = try (0..<2).map { try makeClip(number: $0, in: folder) }

var times: (own: [Double], names: [Double]) = ([], [])
let clock = ContinuousClock()
for round in 0...rounds {
  let (own, names) = (folder.appendingPathComponent("own-\(round).mov"), folder.appendingPathComponent("names-\(round).mov"))
  // Each is first in every other round, because what comes second finds its files in memory.
  var (first, second) = (Duration.zero, Duration.zero)
  for isOwn in round % 2 == 0 ? [true, false] : [false, true] {
    if isOwn {
      first = try await clock.measure { try await exportByCompositor(clips, to: own) }
    } else {
      second = try await clock.measure { try await exportByNames(clips, to: names) }
    }
  }
  guard round > 0 else {
    print("sizes: \(try size(own)) and \(try size(names)) bytes")
    continue
  }
  times.own.append(first / .seconds(1))
  times.names.append(second / .seconds(1))
  try FileManager.default.removeItem(at: own)
  try FileManager.default.removeItem(at: names)
}
let medians = (times.own.sorted()[rounds / 2], times.names.sorted()[rounds / 2])
print(String(format: "compositor %.3f s, AVFoundation's names %.3f s, ratio %.3f", medians.0, medians.1, medians.1 / medians.0))

func size(_ url: URL) throws -> Int {
  try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
}

/// A clip of six seconds with a tone, made by another program.
func makeClip(number: Int, in folder: URL) throws -> URL {
  let url = folder.appendingPathComponent("clip-\(number).mp4")
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [
    "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=6", "-f", "lavfi", "-i",
    "sine=f=\(440 + 220 * number):d=6:r=48000", "-pix_fmt", "yuv420p", "-shortest", url.path,
  ]
  try process.run()
  process.waitUntilExit()
  return url
}
