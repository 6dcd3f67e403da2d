import CompositorAPI
import CompositorPlugins
import CompositorTestSupport
import Foundation
import Testing

/// The bytes of a plugin that were read first are those that every worker runs.
@Suite struct ReplacedPluginTests {
  private func bytes(of frame: Frame) -> [UInt8] {
    frame.withUnsafePlanes { planes in
      (0..<planes.count).flatMap { plane in
        (0..<planes[plane].height).flatMap { y in
          (0..<planes[plane].width).map { x in
            planes[plane].base.load(fromByteOffset: y * planes[plane].stride + x, as: UInt8.self)
          }
        }
      }
    }
  }

  /// A plugin that is replaced while it is in use: a worker that starts later runs the same bytes as the first.
  @Test func file_replacedDuringARender_isNotUsedByLaterWorkers() async throws {
    let folder = try TemporaryFolder()
    let compiler = PluginCompiler(in: folder.url)
    let plugin = try compiler.hostile("CRASH", fromFrame: 1)
    let isolation = PluginIsolation(program: BuiltTool.url.path, workerCount: 1, isQuiet: true)
    let isolated = try IsolatedPlugin(.binary(path: plugin.path), isolation: isolation)
    let digest = try PluginTrust.digest(of: plugin.path)
    #expect(isolated.digest == digest)
    let factory = try #require(isolated.factories.first)
    let context = RenderContext(size: PixelSize(width: 64, height: 36), outputFormat: .yuv420p)
    let composer = try factory.makeCompositor(parameters: [:], context: context)
    func frame(_ index: Int64) async throws -> Frame {
      var instruction = Instruction(timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)))
      instruction.compositor = factory.descriptor.id
      return try await composer.compose(
        CompositionRequest(
          time: MediaTime(value: index, timescale: 25), instruction: instruction, sources: [:], context: context))
    }
    let before = try await frame(0)
    // The same path, another plugin.
    let other = try compiler.compile(PluginCompiler.fixtures.appending(path: "early.c"), name: "other")
    try FileManager.default.removeItem(at: plugin)
    try FileManager.default.moveItem(at: other, to: plugin)
    await #expect(throws: CompositorError.self) { try await frame(1) }
    let after = try await frame(0)
    #expect(bytes(of: after) == bytes(of: before))
    #expect(try PluginTrust.digest(of: plugin.path) != digest)
  }
}
