import CompositorAPI
import ForeignCompositors
import Foundation
import MediaIO
import Testing

/// Parameters of libavfilter's filters that change while a graph works.
struct FilterCommandTests {
  private static let size = PixelSize(width: 64, height: 48)
  private static let context = TestSurface.context(size, .yuv420p)

  private static let factories = Dictionary(
    AVFilterCompositors.factories().map { ($0.descriptor.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

  private func pictures(_ count: Int, _ seed: Int = 0) -> [Frame] {
    (0..<count).map { number in
      var frame = MutableFrame(format: .yuv420p, size: Self.size, attributes: TestSurface.attributes(.yuv420p))
      frame.withUnsafeMutablePlanes { planes in
        for plane in 0..<3 {
          for y in 0..<planes[plane].height {
            for x in 0..<planes[plane].width {
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
    var request = TestSurface.request(inputs.map { $0[number] }, number: number, of: 20, context: Self.context)
    request.instruction.parameters = values
    return request
  }

  /// Every parameter that may have keyframes, at two other values: given to a graph that works already it makes the picture that a
  /// graph with that value makes. Filters that keep pictures are left out: theirs depend on what was.
  @Test func everyParameterThatChanges_givesTheFrameOfAGraphWithThatValue() async throws {
    var tried = 0
    for (id, factory) in Self.factories.sorted(by: { $0.key < $1.key }) where factory.descriptor.concurrency == .concurrent {
      let inputCount = FilterCatalog.filters.first { "avfilter.\($0.name)" == id }?.inputCount ?? 1
      let inputs = (0..<inputCount).map { pictures(3, $0) }
      for parameter in factory.descriptor.parameters where parameter.canChange {
        for value in Self.others(parameter) {
          let key = parameter.key
          guard let plain = try? factory.makeCompositor(parameters: [:], context: Self.context),
            let fixed = try? factory.makeCompositor(parameters: [key: value], context: Self.context),
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

  static let ramps: [(String, String, Double, Double)] = [
    ("hue", "h", 0, 120), ("hue", "s", 0, 3), ("eq", "contrast", 0.5, 2), ("eq", "saturation", 0, 3),
    ("rotate", "angle", 0, 1),
    ("unsharp", "la", 0, 2), ("drawbox", "x", 0, 30), ("lagfun", "decay", 0, 1),
  ]

  /// A ramp, forwards, backwards and on two threads: frame n is what ffmpeg makes of it with the value of frame n.
  @Test(
    .enabled(if: FFmpegOracle.isAvailable, "ffmpeg is not installed"),
    arguments: ramps)
  func ramp_isFFmpegsFrameByFrame(_ filter: String, _ option: String, _ from: Double, _ to: Double) async throws {
    let factory = try #require(Self.factories["avfilter.\(filter)"])
    let key = try #require(factory.descriptor.parameters.first { $0.key == option || $0.aliases.contains(option) }).key
    let isOrdered = factory.descriptor.concurrency == .inOrder
    let frames = pictures(9)
    func value(_ number: Int) -> Double { from + (to - from) * Double(number) / 8 }
    // sendcmd gives each frame its value ahead of it.
    let commands = (0..<9).map { "\(Double($0) / 25 - 0.001 < 0 ? 0 : Double($0) / 25 - 0.001) \(filter) \(key) \(value($0))" }
    let expected = try FFmpegOracle.filter(
      [frames], graph: "sendcmd=c='\(commands.joined(separator: ";"))',\(filter)=\(key)=\(value(0))")
    try #require(expected.count == 9)
    let compositor = try factory.makeCompositor(parameters: [key: .number(value(0))], context: Self.context)
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
