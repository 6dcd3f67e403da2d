import ArgumentParser
import Compositor
import Foundation
import Synchronization

/// A player that runs as a child process and reads the movie from a pipe.
final class PlayerProcess: Sendable {
  private struct Exit {
    var status: Int32
    var isSignal: Bool
  }
  private let program: URL
  private let arguments: [String]
  private let exit = SingleResumption<Exit, Never>()
  /// The process ID while the player runs; 0 otherwise.
  private let number = Atomic<Int32>(0)

  init(_ program: URL, _ arguments: [String]) { (self.program, self.arguments) = (program, arguments) }

  /// Plays to the end, or until the player's window is closed. Canceling the task also ends the player.
  func play(_ composition: ValidatedComposition, _ settings: ExportSettings) async throws {
    let pipe = Pipe()
    try start(reading: pipe)
    let ending = try await withTaskCancellationHandler {
      do throws(CompositorError) {
        let stream = MovieStream(descriptor: pipe.fileHandleForWriting.fileDescriptor, name: program.lastPathComponent)
        try await Exporter.export(composition, to: stream, settings: settings)
        try? pipe.fileHandleForWriting.close()
      } catch {
        try? pipe.fileHandleForWriting.close()
        // Closing the window breaks the pipe. This is a normal way to end, not an error.
        guard error.code == .writeFailed else {
          await end()
          throw error
        }
      }
      return await exit.wait()
    } onCancel: {
      kill(SIGTERM)
    }
    try report(ending)
  }

  private func start(reading pipe: Pipe) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = pipe
    process.terminationHandler = { [self] process in
      number.store(0, ordering: .relaxed)
      exit.give(Exit(status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal))
    }
    do {
      try process.run()
    } catch {
      throw MoviePlayer.unavailable(
        "\(program.path) cannot be started: \(error.localizedDescription)", "Choose another with --player.")
    }
    number.store(process.processIdentifier, ordering: .relaxed)
    // Only the player may keep the reading end open. Otherwise, writing would not fail after the player has exited.
    try? pipe.fileHandleForReading.close()
  }

  private func kill(_ signal: Int32) {
    let number = number.load(ordering: .relaxed)
    if number > 0 { Foundation.kill(number, signal) }
  }

  /// Asks the process to exit, kills it if it doesn't within two seconds, and returns once it has exited.
  private func end() async {
    kill(SIGTERM)
    let last = Task.detached { [self] in
      try await Task.sleep(for: .seconds(2))
      kill(SIGKILL)
    }
    _ = await exit.wait()
    last.cancel()
  }

  /// - Throws: An `ExitCode` of 69 if the player failed, after printing a message; `CancellationError`.
  private func report(_ ending: Exit) throws {
    try Task.checkCancellation()
    guard ending.isSignal || ending.status != 0 else { return }
    throw MoviePlayer.unavailable(
      "\(program.lastPathComponent) \(ending.isSignal ? "was ended by signal" : "ended with status") \(ending.status).",
      "Choose another with --player, or use compositor preview, which plays in a browser.")
  }
}
