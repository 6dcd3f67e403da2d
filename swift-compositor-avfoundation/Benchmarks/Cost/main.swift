import AVFoundation
import Foundation

// How much longer an export takes by the names of AVFoundation than by the compositor's own.
//
//   swift run -c release --package-path swift-compositor-avfoundation avfoundation-cost [ROUNDS]
//
// Both write the same edit, a dissolve between two clips, in turn; the first round is not counted. Prints the median of each and their
// ratio, by the clock and of processor time. First the classes that the optimizer could break are made: the exit status is 1 if one
// cannot be.

guard madeEveryClass() else { exit(1) }
print("classes: every init() was called")
let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 7
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cost-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let clips = try (0..<2).map { try makeClip(number: $0, in: folder) }

/// Seconds by the clock, and of all processors.
struct Cost {
  var clock = 0.0
  var processors = 0.0

  /// What a body takes.
  init(of body: () async throws -> Void) async rethrows {
    let (start, used) = (ContinuousClock.now, Self.processorTime)
    try await body()
    clock = (ContinuousClock.now - start) / .seconds(1)
    processors = Self.processorTime - used
  }

  private static var processorTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    return Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6
  }
}

var (byCompositor, byNames): ([Cost], [Cost]) = ([], [])
for round in 0...rounds {
  let (own, names) = (folder.appendingPathComponent("own-\(round).mov"), folder.appendingPathComponent("names-\(round).mov"))
  // Each is first in every other round, because what comes second finds its files in memory.
  var costs: [Bool: Cost] = [:]
  for isOwn in round % 2 == 0 ? [true, false] : [false, true] {
    costs[isOwn] = try await Cost {
      if isOwn { try await exportByCompositor(clips, to: own) } else { try await exportByNames(clips, to: names) }
    }
  }
  if round == 0 {
    print("sizes: \(try size(own)) and \(try size(names)) bytes")
  } else {
    byCompositor += costs[true].map { [$0] } ?? []
    byNames += costs[false].map { [$0] } ?? []
  }
  try FileManager.default.removeItem(at: own)
  try FileManager.default.removeItem(at: names)
}
for (name, part) in [("clock", \Cost.clock), ("processors", \Cost.processors)] {
  let (first, second) = (median(byCompositor.map { $0[keyPath: part] }), median(byNames.map { $0[keyPath: part] }))
  print(
    "\(name): compositor " + String(format: "%.3f s, AVFoundation's names %.3f s, ratio %.3f", first, second, second / first))
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

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
