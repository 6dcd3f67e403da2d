import CCompositorPlugin
import CompositorAPI
import CompositorPluginKit
import Testing

/// What a plugin in Swift declares reaches the C interface.
@Suite struct ExportedConcurrencyTests {
  struct Plain: VideoCompositor {
    static let descriptor = CompositorDescriptor(id: "org.example.plain", name: "Plain") { $0.concurrency = .concurrent }
    init(parameters: ParameterValues, context: RenderContext) {}
    func compose(_ request: CompositionRequest) async throws -> Frame { try request.context.makeFrame(filledWith: .black) }
  }
  struct Serial: VideoCompositor {
    static let descriptor = CompositorDescriptor(id: "org.example.serial", name: "Serial") { $0.concurrency = .serial }
    init(parameters: ParameterValues, context: RenderContext) {}
    func compose(_ request: CompositionRequest) async throws -> Frame { try request.context.makeFrame(filledWith: .black) }
  }
  struct Ordered: VideoCompositor {
    static let descriptor = CompositorDescriptor(id: "org.example.ordered", name: "Ordered") { $0.concurrency = .inOrder }
    init(parameters: ParameterValues, context: RenderContext) {}
    func compose(_ request: CompositionRequest) async throws -> Frame { try request.context.makeFrame(filledWith: .black) }
  }

  @Test func everyConcurrency_isDeclared() throws {
    let table = try #require(PluginExport.export(Plain.self, Serial.self, Ordered.self))
    let plugin = table.assumingMemoryBound(to: CompositorPlugin.self).pointee
    let compositors = try #require(plugin.compositors)
    let found = (0..<Int(plugin.compositor_count)).map { compositors[$0]?.pointee.concurrency }
    #expect(found == [Int32(COMPOSITOR_CONCURRENT), Int32(COMPOSITOR_SERIAL), Int32(COMPOSITOR_IN_ORDER)])
  }
}
