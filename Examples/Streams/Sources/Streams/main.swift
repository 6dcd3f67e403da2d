import Compositor
import Dispatch
import Modules
import Synchronization

// A program that keeps the parts of an export apart: a compositor that is a closure, frames and audio as two streams read at its own
// pace, and a sink that it fills itself.
let folder = CommandLine.arguments.dropFirst().first ?? "."
let canvas = PixelSize(width: stageSize.width, height: stageSize.height)
func clip(_ pattern: GeneratedSource.Pattern, tone: Double) -> MediaSource {
  .generated(GeneratedSource(pattern: pattern, size: canvas, frameRate: 25, duration: .seconds(2), toneFrequency: tone))
}

var movie = Timeline(canvas: canvas, frameRate: 25)
movie.append(clip(.clock, tone: 440))
movie.append(clip(.bars, tone: 660), transition: .dissolve(.seconds(1))) { $0.volume = .constant(0.5) }
movie.overlay(.caption(caption), at: .seconds(0.5), for: .seconds(2))
// The first second is the closure's: it hands its source on.
movie.effects = [TimelineEffect(timeRange: .zero ..< .seconds(1), compositor: "org.example.first")]

var registry = CompositorRegistry.builtIn
try registry.register("org.example.first") { request in
  guard let source = request.sources.values.first else { throw CompositorError(.noFrame, "There is nothing to show.") }
  return source.frame
}

let catalog = MediaCatalog()
let edit = try movie.edit(catalog: catalog)
let composition = try CompositionValidator.validate(edit, catalog: catalog, registry: registry).get()

// Validate → two streams → sink.
func write(_ name: String) async throws -> MovieSummary {
  let frames = try composition.frames()
  let audio = composition.audio()
  let writer = try MovieWriter(
    frames.movie(.mp4, audio: audio == nil ? nil : AudioEncodingSettings()), path: "\(folder)/\(name).mp4")
  let block = AudioBlock(channelCount: 2, capacity: 4800)
  for try await rendered in frames {
    try writer.append(rendered.frame, at: rendered.time, duration: rendered.duration)
    while let audio, writer.missingAudioSampleCount > 0 {
      let count = Int(min(Int64(block.capacity), writer.missingAudioSampleCount))
      try audio.mix(count, into: block)
      try writer.append(block, count: count)
    }
  }
  return try writer.finish()
}

let summary = try await write("streams")
print("wrote \(summary.path): \(summary.frameCount) frames, \(summary.audioSampleCount) samples")

// Frames at a pace of its own: the first three, then no more.
var seen: [Int] = []
for try await rendered in try composition.frames() {
  seen.append(rendered.index)
  if seen.count == 3 { break }
}
print("looked at frames \(seen)")

// Four threads that block until their still is there, as code without `async` does; on two processors they are all there are.
func blockFourThreads(_ edit: Edit, _ registry: CompositorRegistry) throws {
  let (group, errors) = (DispatchGroup(), Errors())
  for number in 0..<4 {
    DispatchQueue.global().async(group: group) {
      do {
        let stills = try BlockingCall.run { try await edit.stills(at: [.frames(number, at: 25)], registry: registry) }
        print("still of frame \(number): \(stills[0].frame.size)")
      } catch {
        errors.add(error)
      }
    }
  }
  guard group.wait(timeout: .now() + 60) == .success else {
    throw CompositorError(.internalFault, "Four blocking callers never ended.")
  }
  if let error = errors.first { throw error }
}

/// What went wrong on any of several threads.
final class Errors: Sendable {
  private let list = Mutex<[any Error]>([])
  var first: (any Error)? { list.withLock { $0.first } }
  func add(_ error: any Error) { list.withLock { $0.append(error) } }
}

try blockFourThreads(edit, registry)
print("four blocking callers have their stills")
