import AVFoundation
import Compositor
import Synchronization
import Testing

/// Readers that feed writers, in the ways in which programs do it.
@Suite(.serialized) struct ReadWriteTests {
  private let folder: TestFolder
  private let source: URL

  init() async throws {
    folder = try TestFolder()
    source = folder["source.mov"]
    let writer = try TestWriter(source)
    try writer.pictures(0..<50)
    try writer.tones(0..<96_000)
    await writer.finish()
  }

  /// A reader and a writer, with their outputs and inputs. One thread at a time uses each output and input.
  private struct Pair: @unchecked Sendable {
    let reader: AVAssetReader
    let writer: AVAssetWriter
    var lines: [(output: AVAssetReaderTrackOutput, input: AVAssetWriterInput)] = []

    init(from source: URL, to target: URL) throws {
      let asset = AVAsset(url: source)
      reader = try AVAssetReader(asset: asset)
      writer = try AVAssetWriter(outputURL: target, fileType: .mov)
      for (type, settings, written) in [(AVMediaType.video, bgra, videoSettings()), (.audio, pcm16, aac)] {
        let output = AVAssetReaderTrackOutput(
          track: try #require(asset.tracks(withMediaType: type).first), outputSettings: settings)
        reader.add(output)
        let input = AVAssetWriterInput(mediaType: type, outputSettings: written)
        writer.add(input)
        lines.append((output, input))
      }
      #expect(reader.startReading() && writer.startWriting())
      writer.startSession(atSourceTime: .zero)
    }

    /// Waits for readiness by asking again and again.
    func copyNext(_ line: Int) -> Bool {
      while !lines[line].input.isReadyForMoreMediaData { usleep(500) }
      guard let sample = lines[line].output.copyNextSampleBuffer() else {
        lines[line].input.markAsFinished()
        return false
      }
      return lines[line].input.append(sample)
    }

    /// Feeds all inputs by callbacks.
    func feed(on queues: [DispatchQueue]) async {
      await withTaskGroup(of: Void.self) { group in
        for (line, queue) in zip(lines, queues) {
          nonisolated(unsafe) let line = line
          group.addTask {
            await withCheckedContinuation { continuation in
              line.input.requestMediaDataWhenReady(on: queue) {
                while line.input.isReadyForMoreMediaData {
                  guard let sample = line.output.copyNextSampleBuffer(), line.input.append(sample) else {
                    line.input.markAsFinished()
                    return continuation.resume()
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  private func check(_ pair: Pair, _ url: URL) async throws {
    await pair.writer.finishWriting()
    #expect(pair.writer.status == .completed && pair.reader.status == .completed, "\(String(describing: pair.writer.error))")
    let found = try numbers(url)
    #expect(found.map(\.number) == Array(0..<50) && found.map(\.time) == (0..<50).map(frames))
    #expect(try frameCount(url) == 50 && samples(url).count == 192_000)
    #expect(try info(url).duration == .seconds(2))
  }

  /// All of one input first, then all of the other.
  @Test(arguments: [[0, 1], [1, 0]]) func oneInputAfterTheOther(_ order: [Int]) async throws {
    let pair = try Pair(from: source, to: folder["b.mov"])
    await blocking { for line in order { while pair.copyNext(line) {} } }
    try await check(pair, folder["b.mov"])
  }

  @Test func alternately_inOneLoop() async throws {
    let pair = try Pair(from: source, to: folder["b.mov"])
    await blocking {
      var open = [true, true]
      while open.contains(true) { for line in 0..<2 where open[line] { open[line] = pair.copyNext(line) } }
    }
    try await check(pair, folder["b.mov"])
  }

  @Test(arguments: [1, 2]) func byCallbacks_onQueues(_ count: Int) async throws {
    let pair = try Pair(from: source, to: folder["b.mov"])
    let first = DispatchQueue(label: "first")
    await pair.feed(on: [first, count == 1 ? first : DispatchQueue(label: "second")])
    try await check(pair, folder["b.mov"])
  }

  /// A block that appends one sample, or none, each time that it is called.
  @Test func byCallbacks_oneSampleAtATime() async throws {
    let pair = try Pair(from: source, to: folder["b.mov"])
    let queue = DispatchQueue(label: "queue")
    await withTaskGroup(of: Void.self) { group in
      for line in pair.lines {
        nonisolated(unsafe) let line = line
        nonisolated(unsafe) var calls = 0
        group.addTask {
          await withCheckedContinuation { continuation in
            line.input.requestMediaDataWhenReady(on: queue) {
              calls += 1
              if calls % 5 == 0 { return }
              if let sample = line.output.copyNextSampleBuffer() {
                _ = line.input.append(sample)
              } else {
                line.input.markAsFinished()
                continuation.resume()
              }
            }
          }
        }
      }
    }
    try await check(pair, folder["b.mov"])
  }

  @Test(arguments: [1, 10, 100]) func cancel_whileCallbacksRun(_ milliseconds: Int) async throws {
    let pair = try Pair(from: source, to: folder["b.mov"])
    for (index, line) in pair.lines.enumerated() {
      nonisolated(unsafe) let line = line
      line.input.requestMediaDataWhenReady(on: DispatchQueue(label: "queue \(index)")) {
        while line.input.isReadyForMoreMediaData {
          guard let sample = line.output.copyNextSampleBuffer(), line.input.append(sample) else {
            return line.input.markAsFinished()
          }
        }
      }
    }
    try await Task.sleep(for: .milliseconds(milliseconds))
    pair.reader.cancelReading()
    await blocking { pair.writer.cancelWriting() }
    #expect(pair.writer.status == .cancelled && folder.names == ["source.mov"])
  }

  /// Requests of a program that asks before it starts the writer.
  @Test func byCallbacks_askedForBeforeTheStart() async throws {
    let asset = AVAsset(url: source)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: .video).first), outputSettings: bgra)
    reader.add(output)
    let writer = try AVAssetWriter(outputURL: folder["b.mov"], fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    writer.add(input)
    nonisolated(unsafe) let line = (output: output, input: input)
    await withCheckedContinuation { continuation in
      line.input.requestMediaDataWhenReady(on: DispatchQueue(label: "queue")) {
        while line.input.isReadyForMoreMediaData {
          guard let sample = line.output.copyNextSampleBuffer(), line.input.append(sample) else {
            line.input.markAsFinished()
            return continuation.resume()
          }
        }
      }
      #expect(reader.startReading() && writer.startWriting())
      writer.startSession(atSourceTime: .zero)
    }
    await writer.finishWriting()
    #expect(try writer.status == .completed && numbers(folder["b.mov"]).map(\.number) == Array(0..<50))
  }

  /// A writer that is canceled while it finishes has either all of the file or none.
  @Test(arguments: [0, 5, 20, 60]) func cancel_whileTheWriterFinishes(_ milliseconds: Int) async throws {
    let writer = try TestWriter(folder["b.mov"])
    try writer.pictures(0..<30)
    try writer.tones(0..<57_600)
    nonisolated(unsafe) let shared = writer.writer
    await withCheckedContinuation { continuation in
      shared.finishWriting { continuation.resume() }
      Thread.detachNewThread {
        usleep(UInt32(milliseconds * 1000))
        shared.cancelWriting()
      }
    }
    await blocking { shared.cancelWriting() }
    let isThere = folder.names == ["b.mov", "source.mov"]
    #expect(isThere ? shared.status == .completed : shared.status == .cancelled && folder.names == ["source.mov"])
  }

  /// Callbacks of a finished input are released, so that a program's objects go.
  @Test func callbacks_areReleased() async throws {
    final class Owner: Sendable {}
    weak var owner: Owner?
    do {
      let pair = try Pair(from: source, to: folder["b.mov"])
      let kept = Owner()
      owner = kept
      for line in pair.lines {
        nonisolated(unsafe) let line = line
        line.input.requestMediaDataWhenReady(on: DispatchQueue(label: "queue")) {
          withExtendedLifetime(kept) { line.input.markAsFinished() }
        }
      }
      try await Task.sleep(for: .milliseconds(200))
      pair.writer.cancelWriting()
    }
    for _ in 0..<100 where owner != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(owner == nil)
  }

  /// Pairs on threads of their own while the concurrency pool is blocked.
  @Test func pairs_inParallel() async throws {
    let (source, folder) = (source, folder)
    let problems = Mutex<[String]>([])
    let done = DispatchSemaphore(value: 0)
    for index in 0..<4 {
      Thread.detachNewThread {
        do {
          let pair = try Pair(from: source, to: folder["pair\(index).mov"])
          var open = [true, true]
          while open.contains(true) { for line in 0..<2 where open[line] { open[line] = pair.copyNext(line) } }
          let finished = DispatchSemaphore(value: 0)
          pair.writer.finishWriting { finished.signal() }
          finished.wait()
          if pair.writer.status != .completed { problems.withLock { $0.append("\(pair.writer.error as Any)") } }
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
        done.signal()
      }
    }
    await blocking { for _ in 0..<4 { done.wait() } }
    #expect(problems.withLock { $0 } == [])
    for index in 0..<4 { #expect(try frameCount(folder["pair\(index).mov"]) == 50) }
  }
}
