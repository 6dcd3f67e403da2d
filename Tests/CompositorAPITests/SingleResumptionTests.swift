import CompositorAPI
import Foundation
import Testing

/// The first of several results, for one task that waits.
@Suite(.timeLimit(.minutes(1))) struct SingleResumptionTests {
  @Test func results_beforeTheWait_areKeptAndTheFirstCounts() async {
    let answer = SingleResumption<Int, Never>()
    #expect(answer.give(1))
    #expect(!answer.give(2))
    #expect(await answer.wait() == 1)
    #expect(!answer.give(3))
  }

  @Test func results_duringTheWait_resumeItOnce() async {
    for _ in 0..<200 {
      let answer = SingleResumption<Int, Never>()
      async let waited = answer.wait()
      let first = await withTaskGroup(of: Int?.self) { group -> [Int] in
        for number in 0..<8 { group.addTask { answer.give(number) ? number : nil } }
        var first: [Int] = []
        for await number in group { first += number.map { [$0] } ?? [] }
        return first
      }
      #expect(first.count == 1)
      #expect(await waited == first.first)
    }
  }

  @Test func aResult_thatIsNil_isAResult() async {
    let answer = SingleResumption<Int?, Never>()
    answer.give(nil)
    answer.give(1)
    #expect(await answer.wait() == nil)
  }

  @Test func aResult_ofAThreadOrADeadline_isWaitedFor() async {
    let answer = SingleResumption<String, Never>()
    Thread.detachNewThread { answer.give("thread") }
    #expect(await answer.wait(ifCanceled: "canceled") == "thread")
    let late = SingleResumption<String, Never>()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { late.give("deadline") }
    #expect(await late.wait(ifCanceled: "canceled") == "deadline")
  }

  @Test func cancellation_beforeOrDuringTheWait_givesItsResult() async {
    for isBefore in [true, false] {
      let answer = SingleResumption<String, Never>()
      let task = Task {
        if isBefore { while !Task.isCancelled { await Task.yield() } }
        return await answer.wait(ifCanceled: "canceled")
      }
      if !isBefore { try? await Task.sleep(for: .milliseconds(10)) }
      task.cancel()
      #expect(await task.value == "canceled")
      #expect(!answer.give("late"))
    }
  }

  @Test func anError_thatIsFirst_isThrown() async throws {
    struct Failure: Error {}
    for isBefore in [true, false] {
      let answer = SingleResumption<Int, any Error>()
      if isBefore { answer.give(.failure(Failure())) }
      let waited = Task { try await answer.wait() }
      if !isBefore { answer.give(.failure(Failure())) }
      #expect(!answer.give(.success(1)))
      await #expect(throws: Failure.self) { try await waited.value }
    }
    let answer = SingleResumption<Int, any Error>()
    answer.give(.success(1))
    #expect(!answer.give(.failure(Failure())))
    #expect(try await answer.wait() == 1)
  }

  @Test func aWait_withoutAFallback_outlastsCancellation() async {
    let answer = SingleResumption<Void, Never>()
    let task = Task { await answer.wait() }
    task.cancel()
    try? await Task.sleep(for: .milliseconds(10))
    #expect(answer.give(()))
    await task.value
  }
}
