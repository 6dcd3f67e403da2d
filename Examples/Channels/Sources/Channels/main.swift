import Compositor
import Foundation

// Three channels, each with its own queue, mixed into a WAV file: once in real time, once as fast as possible. Music plays
// continuously, a moderator speaks over it, and effects are triggered by events. Tones stand in for files such as
// `ChannelAsset("song.flac")`.
let folder = CommandLine.arguments.dropFirst().first ?? "."
let sampleRate = 48_000

func tone(_ frequency: Double, seconds: Double) -> ChannelAsset {
  ChannelAsset(.generated(GeneratedSource(pattern: .bars, duration: .seconds(seconds), toneFrequency: frequency)))
}

/// A mixer with a script of commands at given seconds.
func makeMixer(_ mode: ChannelMixer.Mode) throws -> ChannelMixer {
  var configuration = ChannelMixer.Configuration()
  configuration.sampleRate = sampleRate
  configuration.mode = mode
  let mixer = try ChannelMixer(sources: MediaCatalog(), configuration: configuration)
  func at(_ seconds: Double) -> ChannelTime { .sample(Int64(seconds * Double(sampleRate))) }

  let music = mixer.addChannel()
  try music.enqueue([tone(220, seconds: 1.5), tone(277, seconds: 10), tone(330, seconds: 10)])
  music.play()

  let speech = mixer.addChannel()
  try speech.enqueue([tone(880, seconds: 1)])
  try music.setVolume(0.2, over: .seconds(0.2), at: at(1))
  speech.play(at: at(1.2))
  try music.setVolume(1, over: .seconds(0.5), at: at(2.2))
  music.skipForward(at: at(2.5))

  let effects = mixer.addChannel()
  try effects.enqueue([tone(1320, seconds: 0.1), tone(1760, seconds: 0.1)])
  effects.setRepeat(.queue)
  try effects.setPan(-0.8)
  try effects.setVolume(0.5)
  effects.play(at: at(0.5))
  effects.pause(at: at(0.9))
  try effects.setPan(0.8, at: at(0.9))
  effects.play(at: at(2.6))
  return mixer
}

/// Pulls three seconds into a 16-bit WAV file.
func play(_ mixer: ChannelMixer, into path: String, paced: Bool) throws -> (Data, [ChannelEvent]) {
  let block = AudioBlock(channelCount: 2, capacity: 480)
  var (samples, events) = (Data(), [ChannelEvent]())
  let clock = ContinuousClock()
  let start = clock.now
  mixer.prepare()
  while mixer.position < 3 * sampleRate {
    events += try mixer.pull(480, into: block)
    for index in 0..<480 {
      for channel in 0..<2 {
        let value = Int16(max(-1, min(1, block[channel, index])) * 32767)
        withUnsafeBytes(of: value.littleEndian) { samples.append(contentsOf: $0) }
      }
    }
    // An audio device would wait here until it needs more samples.
    let due = start + .seconds(Double(mixer.position) / Double(sampleRate))
    if paced { Thread.sleep(forTimeInterval: max(0, (due - clock.now) / .seconds(1))) }
  }
  try (wavHeader(byteCount: samples.count) + samples).write(to: URL(filePath: path))
  print("wrote \(path) in \(clock.now - start)")
  return (samples, events)
}

func wavHeader(byteCount: Int) -> Data {
  func bytes<Number: FixedWidthInteger>(_ number: Number) -> Data { withUnsafeBytes(of: number.littleEndian) { Data($0) } }
  return Data("RIFF".utf8) + bytes(UInt32(36 + byteCount)) + Data("WAVEfmt ".utf8) + bytes(UInt32(16)) + bytes(UInt16(1))
    + bytes(UInt16(2)) + bytes(UInt32(sampleRate)) + bytes(UInt32(sampleRate * 4)) + bytes(UInt16(4)) + bytes(UInt16(16))
    + Data("data".utf8) + bytes(UInt32(byteCount))
}

let (fast, events) = try play(try makeMixer(.offline), into: "\(folder)/channels-fast.wav", paced: false)
for event in events {
  let time = Double(event.sample) / Double(sampleRate)
  switch event.kind {
  case .started(let entry): print("\(time) s: channel \(event.channel) starts entry \(entry.id)")
  case .ended(let entry, _, _): print("\(time) s: channel \(event.channel) ends entry \(entry.id)")
  case .queueEnded: print("\(time) s: channel \(event.channel) has reached the end of its queue")
  case .underrun: throw CompositorError(.internalFault, "Nothing is late offline.")
  }
}

// In real time late samples become silence and an event. If none was late, the samples are the same.
let (live, liveEvents) = try play(try makeMixer(.realTime), into: "\(folder)/channels-live.wav", paced: true)
let lateness = liveEvents.filter { if case .underrun = $0.kind { true } else { false } }
guard !lateness.isEmpty || live == fast else {
  throw CompositorError(.internalFault, "The real-time run and the fast run differ.")
}
print("real time: \(lateness.count) underruns, the samples are \(live == fast ? "those" : "not those") of the fast run")
