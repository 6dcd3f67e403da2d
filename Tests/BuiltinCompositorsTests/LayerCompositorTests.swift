import BuiltinCompositors
import CompositorAPI
import Testing

private let second = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
private let half = MediaTime(value: 1, timescale: 2)

private func source(_ trackID: TrackID, _ frame: Frame) -> SourceFrame {
  SourceFrame(
    trackID: trackID, frame: frame, presentationTime: .zero, duration: .indefinite, requestedTime: .zero)
}

@Test func compose_noSources_isTheBackgroundBlack() throws {
  let recorder = RouteRecorder()
  let context = RenderContext(size: PixelSize(width: 33, height: 17), observer: recorder)
  let request = CompositionRequest(
    time: .zero, instruction: Instruction(timeRange: second, layers: [LayerInstruction(trackID: 1)]), sources: [:],
    context: context)
  let frame = try LayerCompositor(context: context).compose(request)
  for (plane, expected) in [(0, UInt8(16)), (1, 128), (2, 128)] {
    for y in 0..<frame.format.planeSize(plane, of: frame.size).height {
      frame.withRow(y, plane: plane, as: UInt8.self) { row in
        #expect((0..<row.count).allSatisfy { row[$0] == expected })
      }
    }
  }
  #expect(recorder.routes == [.general])
}

@Test func compose_sourceFillsTheCanvas_isHandedOn() throws {
  let recorder = RouteRecorder()
  let context = RenderContext(size: PixelSize(width: 33, height: 17), observer: recorder)
  let white = try context.makeFrame(filledWith: .white)
  let request = CompositionRequest(
    time: half, instruction: Instruction(timeRange: second, layers: [LayerInstruction(trackID: 1)]),
    sources: [1: source(1, white)], context: context)
  let frame = try LayerCompositor(context: context).compose(request)
  #expect(frame.isSameMemory(as: white))
  #expect(recorder.routes == [.passthrough])
}
