import CompositorAPI
import CompositorPlayback
import CompositorTestSupport
import CompositorValidation
import Testing

/// The examples of docs/player.md, as they stand there.
@Suite(.enabled(if: hasFFmpeg)) struct ExampleTests {
  func printFrames(of composition: ValidatedComposition) async throws -> [Int] {
    var printed: [Int] = []
    let player = try Player(composition, settings: PlayerSettings(maximumSize: PixelSize(width: 1280, height: 720)))
    player.play()
    for await shown in player.frames {
      print("\(shown.time.seconds) s, made in \(shown.cost.total)")
      printed.append(shown.index)
      if shown.time + shown.duration >= player.endTime { break }
    }
    await player.close()
    return printed
  }

  @Test func framesAsTheyAreDue_areInOrderAndEndWithTheLast() async throws {
    let printed = try await printFrames(of: try NumberedClip(count: 12).composition())
    #expect(printed == printed.sorted() && printed.last == 11 && Set(printed).count == printed.count)
  }
}
