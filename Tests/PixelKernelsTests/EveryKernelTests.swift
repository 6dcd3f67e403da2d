import CCompositorKernels
import Testing

/// Fields of the table are this far apart: the tier's name, and then one pointer for each kernel, in the order of the list.
private let pitch = MemoryLayout<UnsafeRawPointer>.stride

private let names = (0..<cpk_kernel_count).compactMap { cpk_kernel_name($0).map { String(cString: $0) } }
private var tiers: [cpk_kernels] { (0..<8).compactMap { cpk_tier($0)?.pointee } }

private let counts = [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 129, 257, 1023]

@Suite struct EveryKernelTests {
  @Test func list_ofKernels_isTheTableAndHasOneComparisonForEach() {
    #expect(names.count == cpk_kernel_count && Set(names).count == names.count)
    #expect(MemoryLayout<cpk_kernels>.size == pitch * (names.count + 1))
    let compared = Comparison.all.map(\.kernel)
    #expect(compared.count == Set(compared).count)
    #expect(Set(names).subtracting(compared).isEmpty, "without a comparison")
    #expect(Set(compared).subtracting(names).isEmpty, "compared and not listed")
    for tier in tiers { withUnsafeBytes(of: tier) { #expect($0.bindMemory(to: UInt.self).allSatisfy { $0 != 0 }) } }
  }

  @Test func everyKernel_ofEveryTier_givesTheBitsOfThePlainOne() throws {
    let plain = try #require(cpk_plain()).pointee
    var compared = 0
    let others = tiers.dropFirst()
    for name in names {
      let comparison = try #require(Comparison.all.first { $0.kernel == name })
      var equal = 0
      for count in counts {
        for input in Workspace.Input.allCases {
          let expected = comparison.result(plain, count, input)
          #expect(expected.isIntact, "\(name) \(count) \(input): wrote outside its rows")
          let contents = expected.contents
          for tier in others {
            let isEqual = comparison.result(tier, count, input).contents == contents
            #expect(isEqual, "\(name) \(count) \(input) \(String(cString: tier.tier))")
            equal += isEqual ? 1 : 0
          }
        }
      }
      if equal == counts.count * Workspace.Input.allCases.count * others.count { compared += others.count }
    }
    let listed = others.map { String(cString: $0.tier) }.joined(separator: ", ")
    print(
      "\(compared) of \(names.count * others.count) kernels × tiers give the bits of the plain version: \(names.count) kernels,",
      "tiers beside plain: \(listed.isEmpty ? "none on this machine" : listed)")
    #expect(compared == names.count * others.count)
  }

  /// A comparison that does not look at its kernel would let every tier pass.
  @Test func comparison_ofAKernelThatDoesNothing_differs() throws {
    // Called with arguments that it ignores, as the calling conventions of all our machines allow.
    let nothing: @convention(c) () -> Void = {}
    let plain = try #require(cpk_plain()).pointee
    for (index, name) in names.enumerated() {
      let comparison = try #require(Comparison.all.first { $0.kernel == name })
      var broken = plain
      withUnsafeMutableBytes(of: &broken) {
        $0.storeBytes(of: unsafeBitCast(nothing, to: UInt.self), toByteOffset: pitch * (index + 1), as: UInt.self)
      }
      #expect(comparison.result(broken, 33, .noise).contents != comparison.result(plain, 33, .noise).contents, "\(name)")
    }
  }

  @Test func fastest_ofThisMachine_isTheLastTier() throws {
    let fastest = try #require(cpk_fastest())
    let last = try #require((0..<8).compactMap { cpk_tier($0) }.last)
    #expect(fastest == last)
  }
}
