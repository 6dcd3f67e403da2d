import CompositorAPI
import CompositorExport
import CompositorProjectFormat
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Projects and tables as they come in, and the lines that tell programs of an export.
@Suite struct ProjectInputTests {
  /// A signal that ends the wait for bytes is no byte: the read after it would hold up a canceled task for as long as nothing comes.
  @Test func project_whoseReaderIsSignaled_canStillBeCanceled() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    let previous = signal(SIGUSR1) { _ in }
    defer { _ = signal(SIGUSR1, previous) }
    let (threads, started) = AsyncStream<pthread_t>.makeStream()
    let task = Task { () -> CompositorError.Code? in
      // Threads of the pool take no signals by themselves, unlike the first one of a program.
      var (signals, masked) = (sigset_t(), sigset_t())
      sigemptyset(&signals)
      sigaddset(&signals, SIGUSR1)
      pthread_sigmask(SIG_UNBLOCK, &signals, &masked)
      defer { pthread_sigmask(SIG_SETMASK, &masked, nil) }
      started.yield(pthread_self())
      do {
        _ = try ProjectFile(reading: reader, name: "pipe")
        return nil
      } catch { return (error as? CompositorError)?.code }
    }
    let thread = try #require(await threads.first { _ in true })
    for _ in 0..<10 {
      try await Task.sleep(for: .milliseconds(15))
      pthread_kill(thread, SIGUSR1)
    }
    task.cancel()
    // A reader that does not look at its task gets the end of the pipe after a while.
    let end = Task.detached {
      usleep(1_500_000)
      close(writer)
    }
    let start = ContinuousClock.now
    #expect(await task.value == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(1))
    await end.value
    close(reader)
  }

  @Test func table_leavesOutEmptyLines_butNoQuotedField() throws {
    #expect(try CSVTable("name\n\"a\"\n\"\"\nb").rows == [["a"], [""], ["b"]])
    #expect(try CSVTable("name\n\n\"\"\n\nb\n\n").rows == [[""], ["b"]])
    let table = try CSVTable("name\r\na\r\n\r\n\"\"", name: "t.csv")
    try #require(table.rows == [["a"], [""]])
    #expect(table.place(ofRow: 1) == "t.csv:4" && table.variables(ofRow: 1) == ["name": ""])
  }

  @Test func line_hasItsKeysInOrder_orIsAnError() throws {
    #expect(
      try JSONLine.text(of: ["b": ["x/y", "ü"], "a": 1.5, "c": ["d": true]]) == #"{"a":1.5,"b":["x/y","ü"],"c":{"d":true}}"#)
    for number in [Double.nan, .infinity] {
      #expect { try JSONLine.text(of: ["range": number]) } throws: { ($0 as? CompositorError)?.code == .internalFault }
    }
  }
}
