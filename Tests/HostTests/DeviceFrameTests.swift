import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorPlugins
import CompositorValidation
import CompositorTestMedia
import Foundation
import Synchronization
import Testing

/// Frames in the memory of a device: how often they are copied, and what its failures do.
@Suite struct DeviceFrameTests {
  private static let frames = 30

  /// Notes where the frames are that it is given, and draws nothing.
  private struct Watcher: FrameOverlay {
    func appearance(at time: MediaTime) -> Int? { 1 }
    func draw(_ appearance: Int, over frame: consuming Frame, context: RenderContext) throws -> Frame {
      #expect(frame.device == nil)
      return frame
    }
  }

  /// One second of a clip whose frame n has the luma 16 + n.
  private func edit(_ device: TestDevice, _ change: (inout Instruction) -> Void) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    try edit.registry.register(CompositorFactory(DeviceLift.self, device: device))
    let track = try edit.addTrack([("a", .seconds(0, 1), .seconds(0, 1))])
    var instruction = Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: track)])
    change(&instruction)
    edit.instructions = [instruction]
    return edit
  }

  private func lumas(_ edit: TestEdit, overlays: [any FrameOverlay] = []) async throws -> [Int] {
    let scheduler = try FrameScheduler(
      try RenderPlan(edit.validated()), settings: RenderSettings(threadCount: 2, overlays: overlays))
    let lumas = Mutex<[Int]>([])
    try await scheduler.render(0..<Self.frames) { rendered in
      #expect(rendered.frame.device == nil)
      lumas.withLock { $0.append(Int(rendered.frame.firstLuma)) }
    }
    return lumas.withLock { $0 }
  }

  private func expected(_ lifts: Int) -> [Int] { (0..<Self.frames).map { 16 + $0 + 10 * lifts } }

  @Test func eachSourceGoesUpOnceAndEachResultComesDownOnce() async throws {
    let device = TestDevice()
    let edit = try edit(device) { $0.compositor = DeviceLift.descriptor.id }
    #expect(try await lumas(edit) == expected(1))
    #expect(device.copies.uploads == Self.frames)
    #expect(device.copies.downloads == Self.frames && device.copies.waits == Self.frames)
  }

  @Test func compositorsOfOneDeviceInARowCopyNothingBetween() async throws {
    let device = TestDevice()
    let edit = try edit(device) { instruction in
      let lift = EffectReference(DeviceLift.descriptor.id)
      instruction.layers[0].effects = [lift, lift]
      instruction.compositor = lift.compositor
      instruction.effects = [lift, lift]
    }
    #expect(try await lumas(edit) == expected(5))
    #expect(device.copies.uploads == Self.frames && device.copies.downloads == Self.frames)
  }

  @Test func compositorsAndTitlesOfTheHostGetFramesInItsMemory() async throws {
    let device = TestDevice()
    let layers = try edit(device) { $0.layers[0].effects = [EffectReference(DeviceLift.descriptor.id)] }
    #expect(try await lumas(layers) == expected(1))
    #expect(device.copies.uploads == Self.frames && device.copies.downloads == Self.frames)
    let titled = try edit(device) { $0.compositor = DeviceLift.descriptor.id }
    #expect(try await lumas(titled, overlays: [Watcher(), Watcher()]) == expected(1))
    #expect(device.copies.uploads == 2 * Self.frames && device.copies.downloads == 2 * Self.frames)
  }

  @Test(arguments: [true, false]) func aFailingDeviceEndsInOneError(failsUploads: Bool) async throws {
    let device = TestDevice()
    let edit = try edit(device) { $0.compositor = DeviceLift.descriptor.id }
    device.fail(uploads: failsUploads, downloads: !failsUploads)
    let error = try #require(await #expect(throws: CompositorError.self) { try await lumas(edit) })
    #expect(error.code == .deviceFailed && error.message.contains("“test:0”"))
    #expect(error.cause?.contains("Lost") == true)
    #expect(error.location.time == .zero)
  }

  @Test func readersAtTheSameTimeShareOneDownload() async throws {
    let device = TestDevice()
    let frame = try gray(on: device)
    await withTaskGroup(of: UInt8.self) { group in
      for _ in 0..<8 { group.addTask { frame.firstLuma } }
      for await luma in group { #expect(luma == 90) }
    }
    #expect(device.copies.downloads == 1)
    let first = try frame.downloaded(), second = try frame.downloaded(for: "a test", pool: FramePool())
    #expect(first.isSameMemory(as: second) && !first.isSameMemory(as: frame))
    #expect(first.device == nil && frame.device == device.id)
  }

  @Test func anUploadIsSharedUntilTheFrameIsWrittenAgain() throws {
    let device = TestDevice(), pool = FramePool()
    var made = try pool.makeFrame(format: .yuv420p, size: PixelSize(width: 16, height: 16))
    made.fill(codes: [90, 128, 128, 255])
    let frame = made.freeze()
    let first = try frame.uploaded(to: device), second = try frame.uploaded(to: device)
    #expect(first.isSameMemory(as: second))
    #expect(device.copies.uploads == 1)
    var again = try (consume frame).makeMutable(pool: pool)
    again.fill(codes: [91, 128, 128, 255])
    #expect(try again.freeze().uploaded(to: device).firstLuma == 91)
    #expect(device.copies.uploads == 2 && pool.copyCount == 0)
  }

  @Test func drawingOverAFrameOfADeviceLeavesItAsItIs() throws {
    let device = TestDevice(), pool = FramePool()
    let frame = try gray(on: device)
    var drawn = try frame.makeMutable(pool: pool)
    drawn.fill(codes: [20, 128, 128, 255])
    #expect(drawn.freeze().firstLuma == 20 && frame.firstLuma == 90)
    #expect(device.copies.downloads == 1)
  }

  @Test func aFactoryWithoutItsDeviceIsRefused() {
    var registry = CompositorRegistry.builtIn
    for refused in [CompositorFactory(DeviceLift.self), CompositorFactory(DeviceLift.self, device: TestDevice("other:1"))] {
      let error = #expect(throws: CompositorError.self) { try registry.register(refused) }
      #expect(error?.code == .invalidValue && error?.message.contains("“test:0”") == true)
    }
  }

  @Test func theExplanationNamesOnlyMemoryThatIsNotTheHosts() throws {
    let device = TestDevice()
    let onDevice = try EditExplanation(edit(device) { $0.compositor = DeviceLift.descriptor.id }.validated())
    #expect(onDevice.instructions[0].residency == ["test.device-lift": "test:0"])
    #expect(onDevice.description.contains("residency: test.device-lift: device test:0"))
    let inMemory = try EditExplanation(edit(device) { _ in }.validated())
    #expect(inMemory.instructions[0].residency.isEmpty)
    // Programs read the same as people.
    let encoded = try [onDevice, inMemory].map { explanation in
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(explanation.instructions[0])) as? [String: Any]
    }
    #expect(encoded[0]?["residency"] as? [String] == ["test.device-lift: device test:0"])
    #expect(encoded[1]?["residency"] == nil && encoded[1]?["parameters"] as? [String] == [])
  }

  private func gray(on device: TestDevice) throws -> Frame {
    var pixels = MutableFrame(format: .yuv420p, size: PixelSize(width: 16, height: 16))
    pixels.fill(codes: [90, 128, 128, 255])
    return try pixels.freeze().uploaded(to: device)
  }
}
