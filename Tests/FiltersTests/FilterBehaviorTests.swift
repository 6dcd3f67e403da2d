import CompositorAPI
import CompositorFilters
import CompositorPlugins
import CompositorMediaIO
import CompositorTestMedia
import Testing

/// The table of filters whose pictures do not depend on those before, by experiment.
struct FilterBehaviorTests {
  private static let size = PixelSize(width: 64, height: 48)

  @Test func patientFilters_withAndWithoutAPast_giveTheSamePictures() throws {
    let filters = FilterCatalog.filters.filter {
      FilterBehavior.patient.contains($0.name) && FilterBehavior.unsuitability(of: $0.name) == nil
    }
    #expect(filters.count > 80)
    var tried = 0
    for filter in filters {
      // Some do not work without further options.
      guard let experienced = try? graph(filter), let fresh = try? graph(filter) else { continue }
      for number in 0..<4 { _ = try picture(experienced, filter, number) }
      let (after, alone) = (try picture(experienced, filter, 4), try picture(fresh, filter, 4))
      guard let after, let alone else {
        Issue.record("\(filter.name) gives no picture")
        continue
      }
      let difference = FFmpegOracle.difference(after, alone)
      #expect(difference == nil, "\(filter.name)")
      tried += 1
    }
    #expect(tried > 80)
  }

  @Test func behavior_ofGraphs_isThatOfTheLeastPatientFilter() {
    #expect(FilterBehavior(graph: "gblur=sigma=2,hflip") == .frameByFrame)
    #expect(FilterBehavior(graph: "gblur=sigma=2,hqdn3d") == .inOrder)
    #expect(FilterBehavior(graph: "hue=h=t*10") == .frameByFrame)
    #expect(FilterBehavior(graph: "hue=h=n*10") == .inOrder)
    #expect(FilterBehavior(graph: "geq=lum='random(1)*255'") == .inOrder)
    #expect(FilterBehavior(filter: "xfade") == .sinceStart)
  }

  /// Options for filters that do nothing without them.
  private static let arguments = ["colorspace": "colorspace=all=bt709:iall=bt601-6-625"]

  private func graph(_ filter: FilterDescription) throws -> FilterGraph {
    try FilterGraph(
      Self.arguments[filter.name] ?? filter.name,
      surface: FilterSurface(
        format: .yuv444p, size: Self.size, attributes: TestSurface.attributes(.yuv444p), ticksPerSecond: 25),
      inputCount: filter.inputCount)
  }

  private func picture(_ graph: FilterGraph, _ filter: FilterDescription, _ number: Int) throws -> Frame? {
    for input in 0..<filter.inputCount { try graph.push(noise(number * 2 + input), input: input, tick: Int64(number)) }
    var last: Frame?
    while let (frame, tick) = try graph.pull() { if tick == number { last = frame } }
    return last
  }

  private func noise(_ seed: Int) -> Frame {
    var frame = MutableFrame(format: .yuv444p, size: Self.size, attributes: TestSurface.attributes(.yuv444p))
    var state = UInt32(truncatingIfNeeded: seed &* 2_654_435_761 &+ 1)
    frame.withUnsafeMutablePlanes { planes in
      for plane in 0..<3 {
        for y in 0..<planes[plane].height {
          for x in 0..<planes[plane].width {
            state = state &* 1_664_525 &+ 1_013_904_223
            let code = 40 + (x * 2 + y + seed * 9) % 120 + Int(state >> 28)
            planes[plane].base.storeBytes(of: UInt8(code), toByteOffset: y * planes[plane].stride + x, as: UInt8.self)
          }
        }
      }
    }
    return frame.freeze()
  }
}
