import CompositorAPI
import Foundation
import CompositorPlugins
import CompositorTestMedia
import Testing

/// Where the plugins are; empty where they are not.
private let folder: String =
  Frei0rSearchPath().folders.first { FileManager.default.fileExists(atPath: $0 + "/invert0r.so") } ?? ""

/// frei0r plugins that are known to behave, in this process. All others are tried in worker processes.
@Suite(.enabled(if: !folder.isEmpty, "needs frei0r-plugins"))
struct Frei0rTests {
  private func plugin(_ name: String) throws -> Frei0rPlugin { try Frei0rPlugin(path: "\(folder)/\(name).so") }

  private func gradient(_ size: PixelSize, _ seed: Int, format: PixelFormat) -> Frame {
    var frame = MutableFrame(format: format, size: size, attributes: TestSurface.attributes(format))
    frame.withUnsafeMutablePlanes { planes in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let codes = [UInt8((x * 3 + seed) & 255), UInt8((y * 5) & 255), UInt8((x + y + seed * 7) & 255), 255]
          for (index, code) in codes.enumerated() {
            planes[0].base.storeBytes(of: code, toByteOffset: y * planes[0].stride + x * 4 + index, as: UInt8.self)
          }
        }
      }
    }
    return frame.freeze()
  }

  private func render(_ plugin: Frei0rPlugin, _ frames: [Frame], parameters: ParameterValues = [:]) async throws -> Frame {
    let format = plugin.descriptor.outputFormats[0]
    let context = TestSurface.context(frames.first?.size ?? PixelSize(width: 40, height: 24), format)
    let compositor = try plugin.factory.makeCompositor(parameters: parameters, context: context)
    var request = TestSurface.request(frames, number: 1, of: 4, context: context)
    request.instruction.parameters = parameters
    return try await compositor.compose(request)
  }

  /// Sizes that are no multiples of 8 are filled up and cut again.
  @Test(arguments: [PixelSize(width: 64, height: 48), PixelSize(width: 37, height: 21), PixelSize(width: 1, height: 1)])
  func filter_invert_givesTheComplement(_ size: PixelSize) async throws {
    let plugin = try plugin("invert0r")
    let source = gradient(size, 3, format: plugin.descriptor.outputFormats[0])
    let made = try await render(plugin, [source])
    let (a, b) = ([UInt8](FFmpegOracle.bytes(of: made)), [UInt8](FFmpegOracle.bytes(of: source)))
    let isComplement = a.indices.allSatisfy { $0 % 4 == 3 ? a[$0] == b[$0] : a[$0] == 255 - b[$0] }
    #expect(isComplement)
  }

  @Test func mixer_addition_addsAndSaturates() async throws {
    let plugin = try plugin("addition")
    let size = PixelSize(width: 40, height: 24)
    let format = plugin.descriptor.outputFormats[0]
    let sources = [gradient(size, 1, format: format), gradient(size, 90, format: format)]
    let made = [UInt8](FFmpegOracle.bytes(of: try await render(plugin, sources)))
    let (a, b) = ([UInt8](FFmpegOracle.bytes(of: sources[0])), [UInt8](FFmpegOracle.bytes(of: sources[1])))
    let isSum = made.indices.allSatisfy { $0 % 4 == 3 || Int(made[$0]) == min(255, Int(a[$0]) + Int(b[$0])) }
    #expect(isSum)
  }

  @Test func parameters_haveTypesAndDefaults() throws {
    let glow = try plugin("glow").descriptor
    #expect(glow.id == "frei0r.glow")
    #expect(glow.role == .effect)
    #expect(glow.parameters.map(\.key) == ["blur"])
    #expect(glow.parameters[0].kind == .number(minimum: 0, maximum: 1, unit: ""))
    let tint = try plugin("tint0r").descriptor
    #expect(tint.parameters.map(\.kind).filter { $0 == .color }.count == 2)
    #expect(try plugin("threelay0r").descriptor.role == .effect)
  }

  @Test func parameter_thatIsSet_changesThePicture() async throws {
    let plugin = try plugin("glow")
    let source = gradient(PixelSize(width: 64, height: 48), 5, format: plugin.descriptor.outputFormats[0])
    let little = try await render(plugin, [source], parameters: ["blur": .number(0.05)])
    let much = try await render(plugin, [source], parameters: ["blur": .number(0.9)])
    let difference = FFmpegOracle.difference(little, much)
    #expect(difference != nil)
  }

  @Test func source_withoutPictures_makesOne() async throws {
    let plugin = try plugin("test_pat_B")
    #expect(plugin.descriptor.role == .compositor)
    let made = [UInt8](FFmpegOracle.bytes(of: try await render(plugin, [])))
    // Color bars: eight colors whose components are nothing or all.
    let colors = Set(stride(from: 0, to: made.count, by: 4).map { Array(made[$0..<$0 + 3]) })
    #expect(colors.count == 8, "\(colors)")
  }

  /// A filter that delays is known by its pictures to depend on those before, also where its delay is 0 until it is set.
  @Test func concurrency_isFoundByTrying() throws {
    #expect(try plugin("delay0r").descriptor.concurrency == .inOrder)
    #expect(try plugin("invert0r").descriptor.concurrency == .concurrent)
  }

  @Test func module_thatIsNone_isRefusedWithAReason() throws {
    let error = #expect(throws: CompositorError.self) { try Frei0rPlugin(path: "/usr/lib/no-such-plugin.so") }
    #expect(error?.code == .pluginFailed && error?.cause?.isEmpty == false)
  }
}
