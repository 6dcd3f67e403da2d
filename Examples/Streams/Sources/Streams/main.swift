import Compositor
import Dispatch
import Modules
import Synchronization

// Uses the components of an export separately: a compositor that is a closure, frames and audio in two languages as streams read at
// the program's own pace, and a sink that the program fills.
let folder = CommandLine.arguments.dropFirst().first ?? "."
let canvas = PixelSize(width: stageSize.width, height: stageSize.height)
func clip(_ pattern: GeneratedSource.Pattern, tone: Double) -> MediaSource {
  .generated(GeneratedSource(pattern: pattern, size: canvas, frameRate: 25, duration: .seconds(2), toneFrequency: tone))
}

var movie = Timeline(canvas: canvas, frameRate: 25)
movie.append(clip(.clock, tone: 440))
movie.append(clip(.bars, tone: 660), transition: .dissolve(.seconds(1))) { $0.volume = .constant(0.5) }
movie.overlay(.caption(caption), at: .seconds(0.5), for: .seconds(2))
// The closure composes the first second: it returns its source.
movie.effects = [TimelineEffect(timeRange: .zero ..< .seconds(1), compositor: "org.example.first")]

var registry = CompositorRegistry.builtIn
try registry.register("org.example.first") { request in
  guard let source = request.sources.values.first else { throw CompositorError(.noFrame, "There is nothing to show.") }
  return source.frame
}

let catalog = MediaCatalog()
var edit = try movie.edit(catalog: catalog)

// A second language: a track that is not part of the mix.
let english = Set(edit.composition.tracks(.audio).map(\.trackID))
let german = edit.composition.addTrack(.audio)
let whole = TimeRange(start: .zero, end: .seconds(2))
try edit.composition.setSegments(
  [CompositionTrackSegment(source: clip(.bars, tone: 880), timeMapping: TimeMapping(source: whole, target: whole))],
  ofTrack: german)
try edit.composition.setEnabled(false, ofTrack: german)
let composition = try CompositionValidator.validate(edit, catalog: catalog, registry: registry).get()

// Validate → streams → sink.
func write(_ name: String) async throws -> MovieSummary {
  let frames = try composition.frames()
  let mixers = [try composition.audio(tracks: english), try composition.audio(tracks: [german])]
  let tracks = [
    AudioTrackDescription(language: "en", title: "English"), AudioTrackDescription(language: "de", title: "Deutsch"),
  ]
  let writer = try MovieWriter(frames.movie(.mp4, audioTracks: tracks), path: "\(folder)/\(name).mp4")
  let block = AudioBlock(channelCount: 2, capacity: 4800)
  for try await rendered in frames {
    try writer.append(rendered.frame, at: rendered.time, duration: rendered.duration)
    for (track, mixer) in mixers.enumerated() {
      while writer.missingAudioSampleCount(track: track) > 0 {
        let count = Int(min(Int64(block.capacity), writer.missingAudioSampleCount(track: track)))
        try mixer.mix(count, into: block)
        try writer.append(block, count: count, track: track)
      }
    }
  }
  return try writer.finish()
}

let summary = try await write("streams")
print("wrote \(summary.path): \(summary.frameCount) frames, \(summary.audioSampleCounts) samples")
let languages = try MediaProbe.probe(.file(path: summary.path)).audioTracks.compactMap(\.language)
guard languages == ["en", "de"] else { throw CompositorError(.internalFault, "The languages are \(languages).") }

// Frames at the program's own pace: only the first three.
var seen: [Int] = []
for try await rendered in try composition.frames() {
  seen.append(rendered.index)
  if seen.count == 3 { break }
}
print("looked at frames \(seen)")

// Four threads that block until their still is ready, like code without `async`; on two processors no other threads are left.
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

/// The first error of several threads.
final class Errors: Sendable {
  private let list = Mutex<[any Error]>([])
  var first: (any Error)? { list.withLock { $0.first } }
  func add(_ error: any Error) { list.withLock { $0.append(error) } }
}

try blockFourThreads(edit, registry)
print("four blocking callers have their stills")
