import CompositorAPI
import CompositorFilters
import CompositorPlugins
import Foundation
import CompositorMediaIO
import CompositorTestMedia
import Testing

/// Parameters of libavfilter's filters that change while a graph works.
struct FilterCommandTests {
  private static let size = PixelSize(width: 64, height: 48)

  private static let factories = Dictionary(
    AVFilterCompositors.factories().map { ($0.descriptor.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

  private func pictures(_ count: Int, _ seed: Int = 0, _ format: PixelFormat = .yuv420p) -> [Frame] {
    (0..<count).map { number in
      var frame = MutableFrame(format: format, size: Self.size, attributes: TestSurface.attributes(format))
      frame.withUnsafeMutablePlanes { planes in
        for plane in 0..<planes.count {
          for y in 0..<planes[plane].height {
            for x in 0..<format.rowBytes(plane: plane, of: Self.size) {
              let code = 30 + (x * 3 + y * 5 + plane * 40 + seed * 50 + number * 7) % 170 + (x ^ y) % 9
              planes[plane].base.storeBytes(of: UInt8(code), toByteOffset: y * planes[plane].stride + x, as: UInt8.self)
            }
          }
        }
      }
      return frame.freeze()
    }
  }

  private func request(_ inputs: [[Frame]], number: Int, _ values: ParameterValues) -> CompositionRequest {
    let context = TestSurface.context(Self.size, inputs[0][0].format)
    var request = TestSurface.request(inputs.map { $0[number] }, number: number, of: 20, context: context)
    request.instruction.parameters = values
    return request
  }

  /// Every parameter that may have keyframes, at two other values: given to a graph that works already it makes the picture that a
  /// graph with that value makes. Filters that keep pictures are left out: theirs depend on what was.
  @Test func everyParameterThatChanges_givesTheFrameOfAGraphWithThatValue() async throws {
    var tried = 0
    let context = TestSurface.context(Self.size, .yuv420p)
    for (id, factory) in Self.factories.sorted(by: { $0.key < $1.key }) where factory.descriptor.concurrency == .concurrent {
      let inputCount = FilterCatalog.filters.first { "avfilter.\($0.name)" == id }?.inputCount ?? 1
      let inputs = (0..<inputCount).map { pictures(3, $0) }
      for parameter in factory.descriptor.parameters where parameter.canChange {
        for value in Self.others(parameter) {
          let key = parameter.key
          guard let plain = try? factory.makeCompositor(parameters: [:], context: context),
            let fixed = try? factory.makeCompositor(parameters: [key: value], context: context),
            let expected = try? await fixed.compose(request(inputs, number: 1, [key: value]))
          else { continue }
          let initial = parameter.defaultValue.map { [key: $0] } ?? [:]
          do {
            _ = try await plain.compose(request(inputs, number: 0, initial))
            let changed = try await plain.compose(request(inputs, number: 1, [key: value]))
            let difference = FFmpegOracle.difference(changed, expected)
            #expect(difference == nil, "\(id) \(key) = \(value): \(difference ?? "")")
          } catch {
            Issue.record("\(id) \(key) = \(value): \(error)")
          }
          tried += 1
        }
      }
    }
    #expect(tried > 150)
    print("\(tried) values of parameters of libavfilter were given to a graph that works")
  }

  private static func others(_ parameter: ParameterDescription) -> [ParameterValue] {
    switch parameter.kind {
    case .integer(let minimum, let maximum):
      let (low, high) = (max(minimum, 0), min(maximum, 12))
      return low < high ? [.integer(low + (high - low) / 3), .integer(high)] : []
    case .number(let minimum, let maximum, _):
      let (low, high) = (max(minimum, -2), min(maximum, 4))
      return low < high ? [.number(low + (high - low) * 0.4), .number(high)] : []
    case .expression: return [.number(1.5), .number(3)]
    default: return []
    }
  }

  struct Ramp: Sendable, CustomTestStringConvertible {
    let filter: String
    let option: String
    let from: Double
    let to: Double
    /// One that the filter works in, so that no conversion is compared.
    var format = PixelFormat.yuv420p
    /// An option that follows this one: ffmpeg leaves it where it was, so its command says both.
    var follower: String?
    var testDescription: String { "\(filter) \(option)" }
  }

  static let ramps: [Ramp] = [
    Ramp(filter: "hue", option: "h", from: 0, to: 120), Ramp(filter: "hue", option: "s", from: 0, to: 3),
    Ramp(filter: "eq", option: "contrast", from: 0.5, to: 2), Ramp(filter: "eq", option: "saturation", from: 0, to: 3),
    Ramp(filter: "rotate", option: "angle", from: 0, to: 1), Ramp(filter: "unsharp", option: "la", from: 0, to: 2),
    Ramp(filter: "drawbox", option: "x", from: 0, to: 30), Ramp(filter: "lagfun", option: "decay", from: 0, to: 1),
    Ramp(filter: "gblur", option: "sigma", from: 0.5, to: 9.5, follower: "sigmaV"),
    Ramp(filter: "colorbalance", option: "rs", from: -1, to: 1, format: .rgba),
  ]

  /// A ramp, forwards, backwards and on two threads: frame n is what ffmpeg makes of it with the value of frame n.
  @Test(
    .enabled(if: FFmpegOracle.isAvailable, "ffmpeg is not installed"),
    arguments: ramps)
  func ramp_isFFmpegsFrameByFrame(_ ramp: Ramp) async throws {
    let factory = try #require(Self.factories["avfilter.\(ramp.filter)"])
    let key = try #require(
      factory.descriptor.parameters.first { $0.key == ramp.option || $0.aliases.contains(ramp.option) }
    ).key
    let isOrdered = factory.descriptor.concurrency == .inOrder
    let frames = pictures(9, 0, ramp.format)
    let context = TestSurface.context(Self.size, ramp.format)
    func value(_ number: Int) -> Double { ramp.from + (ramp.to - ramp.from) * Double(number) / 8 }
    // sendcmd gives each frame its value ahead of it.
    let commands = (0..<9).map { number in
      let both = [key, ramp.follower].compactMap { $0 }.map { "\(ramp.filter) \($0) \(value(number))" }
      return "\(max(0, Double(number) / 25 - 0.001)) \(both.joined(separator: ", "))"
    }
    let expected = try FFmpegOracle.filter(
      [frames], graph: "sendcmd=c='\(commands.joined(separator: ";"))',\(ramp.filter)=\(key)=\(value(0))")
    try #require(expected.count == 9)
    let compositor = try factory.makeCompositor(parameters: [key: .number(value(0))], context: context)
    let order = Array(0..<9) + (isOrdered ? [] : [5, 2, 8, 0])
    for number in order {
      let made = try await compositor.compose(request([frames], number: number, [key: .number(value(number))]))
      let difference = FFmpegOracle.difference(made, expected[number])
      #expect(difference == nil, "frame \(number): \(difference ?? "")")
    }
    guard !isOrdered else { return }
    try await withThrowingTaskGroup(of: (Int, Frame).self) { group in
      for number in 0..<9 {
        let request = request([frames], number: number, [key: .number(value(number))])
        group.addTask { (number, try await compositor.compose(request)) }
      }
      for try await (number, frame) in group {
        #expect(FFmpegOracle.difference(frame, expected[number]) == nil, "side by side, frame \(number)")
      }
    }
  }

  @Test func parameters_thatCanChange_areThoseThatFiltersTake() throws {
    func canChange(_ filter: String, _ key: String) throws -> Bool {
      let parameters = try #require(Self.factories["avfilter.\(filter)"]).descriptor.parameters
      return try #require(parameters.first { $0.key == key || $0.aliases.contains(key) }, "\(filter) \(key)").canChange
    }
    for (filter, key) in [("hue", "h"), ("gblur", "sigma"), ("overlay", "x"), ("eq", "gamma"), ("lagfun", "decay")] {
      #expect(try canChange(filter, key), "\(filter) \(key)")
    }
    for (filter, key) in [("xfade", "transition"), ("tmix", "weights"), ("boxblur", "luma_radius"), ("curves", "master")] {
      #expect(try !canChange(filter, key), "\(filter) \(key)")
    }
  }
}
