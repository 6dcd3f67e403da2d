import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Movies that go to a descriptor as they are made.
@Suite(.enabled(if: hasFFmpeg)) struct MovieStreamTests {
  /// A pipe; the last owner closes its ends.
  private func ends() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test func export_toARegularDescriptor_keepsTimesThatVary() async throws {
    let media = try ReaderMedia()
    let composition = try media.composition(try media.clip(rate: "vfr"), followsTimes: true)
    let (output, file) = (media.folder.file("out.nut"), media.folder.file("out.mkv"))
    let descriptor = open(output, O_CREAT | O_WRONLY, 0o600)
    let result = try await Exporter.export(composition, to: MovieStream(descriptor: descriptor))
    #expect(fcntl(descriptor, F_GETFD) >= 0, "the descriptor stays open")
    close(descriptor)
    _ = try await Exporter.export(
      composition, to: file,
      settings: ExportSettings(video: VideoEncodingSettings(codec: .ffv1), audio: AudioEncodingSettings(codec: .pcmInt24)))
    func frames(_ path: String) throws -> [String] {
      try runTool(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-enc_time_base", "1/1000", "-f", "framemd5",
          "-",
        ]
      ).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return "\(fields[2]) \(fields[5])"
      }
    }
    let found = try frames(output)
    #expect(try found == frames(file))
    #expect(found.count == result.frameCount && result.frameCount > 20)
    #expect(result.byteCount == (try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int))
    // One rate is all that YUV4MPEG2 knows.
    await #expect {
      try await Exporter.export(composition, to: MovieStream(descriptor: STDERR_FILENO), container: .y4m)
    } throws: {
      ($0 as? CompositorError)?.code == .unsupportedOutput
    }
  }

  @Test func export_toAPipeThatNobodyReads_endsSoonWhenCanceled() async throws {
    let media = try ReaderMedia()
    let path = try media.clip(seconds: 30)
    let composition = try media.composition(path)
    let (reader, writer) = try ends()
    defer { for end in [reader, writer] { close(end) } }
    let flags = fcntl(writer, F_GETFL)
    let done = ProgressCount()
    let task = Task { () -> CompositorError.Code? in
      do {
        try await Exporter.export(composition, to: MovieStream(descriptor: writer)) { done.set($0.framesDone) }
        return nil
      } catch { return (error as? CompositorError)?.code }
    }
    // The pipe is full when progress stands still.
    var last = -1
    while done.value != last || last < 1 {
      last = done.value
      try await Task.sleep(for: .milliseconds(200))
    }
    #expect(last < 600, "the reader holds the render back")
    #expect(fcntl(writer, F_GETFL) == flags, "flags that others share are left alone")
    let start = ContinuousClock.now
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(ReaderMedia.descriptors(of: path) == 0)
  }

  @Test func export_whoseReaderGoes_failsWithoutASignal() async throws {
    let media = try ReaderMedia()
    let composition = try media.composition(try media.clip())
    let (reader, writer) = try ends()
    close(reader)
    let previous = signal(SIGPIPE, SIG_DFL)
    defer {
      _ = signal(SIGPIPE, previous)
      close(writer)
    }
    await #expect {
      try await Exporter.export(composition, to: MovieStream(descriptor: writer))
    } throws: {
      let error = $0 as? CompositorError
      return error?.code == .writeFailed && error?.location.file == "<stream>"
    }
  }

  @Test(arguments: MovieContainer.allCases) func stream_takesWhatIsWrittenInOrder(_ container: MovieContainer) {
    let stream = MovieStream(descriptor: STDOUT_FILENO)
    if container.isStreamable {
      #expect([.nut, .y4m, .wav, .mkv, .mka, .webm, .flac, .opus, .ogg].contains(container))
    } else {
      #expect { try stream.validate(container) } throws: { error in
        let error = error as? CompositorError
        return error?.code == .unsupportedOutput && error?.recoverySuggestion?.contains("nut") == true
      }
    }
  }
}

/// A number that one thread sets and another reads.
private final class ProgressCount: Sendable {
  private let count = Mutex(0)
  func set(_ value: Int) { count.withLock { $0 = value } }
  var value: Int { count.withLock { $0 } }
}
