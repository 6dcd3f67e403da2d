import CompositorAPI
import CompositorExport
import CompositorFarm
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// Which parts are there, from the folder alone; what is done with those that are not what was written.
@Suite struct StatusTests {
  private static func movie(segments: Int = 3) async throws -> PlannedMovie {
    try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 30, segments: segments)
  }

  private func copy(_ from: String, _ to: String) throws {
    try? FileManager.default.removeItem(atPath: to)
    try FileManager.default.copyItem(atPath: from, toPath: to)
  }

  @Test func status_ofNothing_isMissing() async throws {
    let movie = try await Self.movie()
    let status = try PlanStatus(of: movie.file)
    #expect(
      status.missing.description == "0-2" && status.done.description.isEmpty && status.isAudioMissing && !status.isComplete)
    let plan = movie.file.path
    #expect(
      status.commands == [
        "compositor render --plan \(plan) --segment 0-2", "compositor render --plan \(plan) --audio",
      ])
    let job = status.job
    #expect(job.segmentCount == 3 && job.hasAudio && job.isAudioMissing && job.missing == [0...2] && !job.isBatch)
    #expect(job.planPath == "plan.json" && job.partsFolderName == "plan.parts" && job.title == "movie")
    #expect(job.inputPaths == ["project.json5"])
  }

  /// A part that is there is not touched; one that is not what was written is rendered again, to the same bytes.
  @Test func parts_areRenderedOnce_andAgainIfTheyAreDamaged() async throws {
    let movie = try await Self.movie()
    try await movie.render()
    #expect(try PlanStatus(of: movie.file).isComplete)
    let joined = try Data(contentsOf: URL(filePath: try await movie.join("movie.mp4")))
    let renderer = try await movie.renderer()
    for part in movie.plan.parts {
      let before = try FileManager.default.attributesOfItem(atPath: movie.parts.path(of: part))[.systemFileNumber] as? Int
      #expect(try await renderer.render(part).alreadyExisted)
      let after = try FileManager.default.attributesOfItem(atPath: movie.parts.path(of: part))[.systemFileNumber] as? Int
      #expect(before == after)
    }
    for damage in Damage.all {
      try damage.apply(movie)
      let status = try PlanStatus(of: movie.file)
      #expect(status.missing.description == damage.missing && status.isAudioMissing == damage.losesAudio, "\(damage.name)")
      for word in damage.words {
        #expect(status.problems.contains { $0.contains(word) }, "\(damage.name): \(status.problems)")
      }
      // Nothing is written, and the error is reported.
      let error = await error { try await movie.join("broken.mp4") }
      #expect(error?.code == .partsMissing, "\(damage.name): \(error.map { "\($0)" } ?? "joined")")
      for word in damage.words { #expect(error?.message.contains(word) == true, "\(damage.name): \(error?.message ?? "")") }
      #expect(error?.recoverySuggestion?.contains("compositor render --plan") == true)
      #expect(!FileManager.default.fileExists(atPath: movie.folder.file("broken.mp4")))
      // A second run renders only what is missing.
      var rendered: [PlanPart] = []
      for part in movie.plan.parts { if try await !renderer.render(part).alreadyExisted { rendered.append(part) } }
      let expected = status.missing.numbers.map(PlanPart.segment) + (status.isAudioMissing ? [.audio] : [])
      #expect(rendered == expected, "\(damage.name)")
      #expect(try Data(contentsOf: URL(filePath: try await movie.join("movie.mp4"))) == joined, "\(damage.name)")
    }
    #expect(try movie.folder.names.allSatisfy { !$0.hasPrefix(".compositor-partial") })
  }

  private func error(_ body: () async throws -> some Any) async -> CompositorError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? CompositorError
    }
  }

  /// Ways in which a part can be something else than what was written.
  private struct Damage: Sendable {
    let name: String
    let missing: String
    let words: [String]
    var losesAudio = false
    let apply: @Sendable (PlannedMovie) throws -> Void

    static func bytes(_ path: String, _ change: (inout Data) -> Void) throws {
      var data = try Data(contentsOf: URL(filePath: path))
      change(&data)
      try data.write(to: URL(filePath: path))
    }

    static func swap(_ first: String, _ second: String) throws {
      let (one, other) = (try Data(contentsOf: URL(filePath: first)), try Data(contentsOf: URL(filePath: second)))
      try one.write(to: URL(filePath: second))
      try other.write(to: URL(filePath: first))
    }

    static let all: [Damage] = [
      Damage(name: "64 bytes are zero", missing: "1", words: ["00001.mp4 is damaged"]) { movie in
        try bytes(movie.parts.path(of: .segment(1))) { data in
          let middle = data.startIndex + data.count / 2
          data.replaceSubrange(middle..<middle + 64, with: Data(count: 64))
        }
      },
      Damage(name: "cut short", missing: "2", words: ["00002.mp4 is damaged", "bytes instead of"]) { movie in
        try bytes(movie.parts.path(of: .segment(2))) { $0.removeLast($0.count / 3) }
      },
      Damage(name: "no file", missing: "0", words: ["00000.mp4 has a receipt, but its file is gone"]) { movie in
        try FileManager.default.removeItem(atPath: movie.parts.path(of: .segment(0)))
      },
      Damage(name: "no receipt", missing: "1", words: ["00001.mp4 is missing"]) { movie in
        try FileManager.default.removeItem(atPath: movie.parts.receiptPath(of: .segment(1)))
      },
      Damage(name: "half a receipt", missing: "1", words: ["00001.mp4 is damaged", "receipt"]) { movie in
        try bytes(movie.parts.receiptPath(of: .segment(1))) { $0.removeLast($0.count / 2) }
      },
      Damage(name: "files swapped", missing: "0-1", words: ["00000.mp4 is damaged", "00001.mp4 is damaged"]) { movie in
        try swap(movie.parts.path(of: .segment(0)), movie.parts.path(of: .segment(1)))
      },
      Damage(
        name: "files and receipts swapped", missing: "0-1",
        words: ["segment 1 under another name", "segment 0 under another name"]
      ) {
        movie in
        try swap(movie.parts.path(of: .segment(0)), movie.parts.path(of: .segment(1)))
        try swap(movie.parts.receiptPath(of: .segment(0)), movie.parts.receiptPath(of: .segment(1)))
      },
      Damage(name: "of another plan", missing: "2", words: ["00002.mp4 is of another plan"]) { movie in
        try bytes(movie.parts.receiptPath(of: .segment(2))) { data in
          let text = String(decoding: data, as: UTF8.self)
          data = Data(text.replacing(movie.file.name, with: String(repeating: "0", count: 64)).utf8)
        }
      },
      Damage(name: "fewer frames", missing: "1", words: ["00001.mp4 is incomplete", "frames instead of"]) { movie in
        try bytes(movie.parts.receiptPath(of: .segment(1))) { data in
          let text = String(decoding: data, as: UTF8.self)
          data = Data(text.replacing("\"frameCount\" : 10", with: "\"frameCount\" : 9").utf8)
        }
      },
      Damage(name: "audio", missing: "", words: ["audio.mp4 is damaged"], losesAudio: true) { movie in
        try bytes(movie.parts.path(of: .audio)) { $0[$0.startIndex + $0.count / 2] ^= 1 }
      },
      Damage(
        name: "all at once", missing: "0-2", words: ["00000.mp4", "00001.mp4", "00002.mp4", "audio.mp4"], losesAudio: true
      ) {
        movie in
        for part in movie.plan.parts { try bytes(movie.parts.path(of: part)) { $0[$0.startIndex + $0.count / 2] ^= 1 } }
      },
    ]
  }

  /// A part that another encoder's settings made, with an honest receipt of its own.
  @Test func part_encodedOtherwise_isRefusedByName() async throws {
    let movie = try await Self.movie(segments: 4)
    try await movie.render()
    // The same frames by other settings of the encoder: its parameter sets differ.
    let other = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 30, segments: 4) {
      $0.video.speed = .slow
    }
    try await other.render([.segment(2)])
    try copy(other.parts.path(of: .segment(2)), movie.parts.path(of: .segment(2)))
    let receipt = try String(contentsOfFile: other.parts.receiptPath(of: .segment(2)), encoding: .utf8)
    try Data(receipt.replacing(other.file.name, with: movie.file.name).utf8).write(
      to: URL(filePath: movie.parts.receiptPath(of: .segment(2))))
    let status = try PlanStatus(of: movie.file)
    #expect(status.missing.description == "2")
    #expect(status.problems == ["00002.mp4 was encoded otherwise than the other segments"])
    let error = await error { try await movie.join("movie.mp4") }
    #expect(error?.code == .partsMissing && error?.message.contains("00002.mp4 was encoded otherwise") == true)
    // Rendered again, although its receipt and its bytes agree.
    #expect(try await !movie.renderer().render(.segment(2)).alreadyExisted)
    #expect(try PlanStatus(of: movie.file).isComplete)
    #expect(try await movie.renderer().render(.segment(2)).alreadyExisted)
    _ = try await movie.join("movie.mp4")
  }

  /// The first of two segments, made by another version: that one is the odd one, since the second would become the same again.
  @Test func part_encodedOtherwise_byAnotherVersion_hasNoSay() async throws {
    let movie = try await Self.movie(segments: 2)
    try await movie.render()
    let path = movie.parts.receiptPath(of: .segment(0))
    var receipt = try PartReceipt(contentsOf: path)
    receipt.parameters = String(repeating: "0", count: 64)
    receipt.allowedVersions = ["libx264 is 1, and 2 in the plan"]
    try receipt.write(to: path)
    #expect(try PlanStatus(of: movie.file).missing.description == "0")
    #expect(try await !movie.renderer().render(.segment(0)).alreadyExisted)
    #expect(try PlanStatus(of: movie.file).isComplete)
  }

  @Test func join_isForThePlansContainer_andLeavesFilesAlone() async throws {
    let movie = try await Self.movie()
    try await movie.render()
    #expect(await error { try await movie.join("movie.mov") }?.code == .unsupportedOutput)
    let path = movie.folder.file("there.mp4")
    try Data("mine".utf8).write(to: URL(filePath: path))
    #expect(await error { try await MovieJoiner(movie.file).join(to: path) }?.code == .outputExists)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    let part = movie.parts.path(of: .segment(0))
    #expect(await error { try await MovieJoiner(movie.file).join(to: part, overwrites: true) }?.code == .outputIsInput)
  }

  /// Two workers on one part at a time: both finish, the bytes are the same.
  @Test func part_renderedTwiceAtATime_isOnePart() async throws {
    let movie = try await Self.movie()
    let (first, second) = (try await movie.renderer(), try await movie.renderer())
    async let one = first.render(.segment(1))
    async let other = second.render(.segment(1))
    let receipts = try await [one.receipt, other.receipt]
    #expect(receipts[0].sha256 == receipts[1].sha256)
    #expect(try PlanStatus(of: movie.file).done.description == "1")
    let names = try FileManager.default.contentsOfDirectory(atPath: movie.parts.path).sorted()
    #expect(names == ["00001.json", "00001.mp4"])
  }

  /// A cancel leaves neither a part nor a receipt.
  @Test func part_canceled_leavesNothing() async throws {
    let movie = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 3000, segments: 1)
    let renderer = try await movie.renderer()
    let task = Task { try await renderer.render(.segment(0)) }
    try await Task.sleep(for: .milliseconds(150))
    task.cancel()
    let result = await task.result
    #expect(throws: CompositorError.self) { try result.get() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: movie.parts.path).isEmpty)
  }
}
