import CompositorAPI
import CompositorExport
import CompositorMediaWriting
import Testing

@Suite struct OutputNameTests {
  @Test(arguments: MovieContainer.allCases) func name_ofEveryContainer_saysWhetherThereIsVideo(
    _ container: MovieContainer
  ) throws {
    let path = "out/holiday.\(container.rawValue.uppercased())"
    let expected: OutputName = container.isAudioOnly ? .audio(path: path, container) : .movie(path: path, container)
    #expect(try OutputName(path: path) == expected)
  }

  @Test(arguments: ["holiday", "holiday.txt", "out/.mp4/holiday", "still.png", "%d-%d.png"]) func name_ofNoOutput_isRefused(
    _ path: String
  ) {
    #expect { try OutputName(path: path) } throws: { ($0 as? CompositorError)?.code == .unsupportedOutput }
  }
}
