import CCompositorKernels
import KernelDriver

/// Fields of a table are this far apart: the tier's name, and then one pointer for each kernel, in the order of the list.
private let pitch = MemoryLayout<UnsafeRawPointer>.stride
private let counts = [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 129, 257, 1023]

private let names = (0..<cpk_kernel_count).compactMap { cpk_kernel_name($0).map { String(cString: $0) } }
private let tiers = (0..<8).compactMap { cpk_tier($0)?.pointee }

/// The comparisons of the test suite in the order of the list of kernels; nil after saying which kernels have none.
private func listedComparisons() -> [Comparison]? {
  let found = names.map { name in Comparison.all.first { $0.kernel == name } }
  for (name, comparison) in zip(names, found) where comparison == nil {
    print("\(name): no comparison in Tests/PixelKernelsTests")
  }
  let listed = found.compactMap { $0 }
  return listed.count == cpk_kernel_count ? listed : nil
}

/// Numbers of samples and kinds of input with which a kernel of a table gives other bits than that of another one.
private func differences(_ comparison: Comparison, _ table: cpk_kernels, from reference: cpk_kernels) -> [String] {
  var found: [String] = []
  for count in counts {
    for input in Workspace.Input.allCases {
      let expected = comparison.result(reference, count, input)
      if !expected.isIntact { found.append("\(count) samples: wrote outside of its rows") }
      if comparison.result(table, count, input).contents != expected.contents {
        found.append("\(count) samples, input \(input.number)")
      }
    }
  }
  return found
}

extension Workspace.Input {
  fileprivate var number: Int { Workspace.Input.allCases.firstIndex(of: self) ?? -1 }
}

private func name(of table: cpk_kernels) -> String { table.tier.map { String(cString: $0) } ?? "?" }

/// Every kernel of every tier against the plain one.
private func compare() -> Int32 {
  guard let comparisons = listedComparisons() else { return 1 }
  var equal = 0
  for tier in tiers.dropFirst() {
    for comparison in comparisons {
      let found = differences(comparison, tier, from: tiers[0])
      equal += found.isEmpty ? 1 : 0
      for difference in found { print("\(name(of: tier)): \(comparison.kernel): \(difference)") }
    }
  }
  let others = tiers.dropFirst()
  var list = others.isEmpty ? "none" : ""
  for tier in others { list += (list.isEmpty ? "" : ", ") + name(of: tier) }
  print("\(equal) of \(names.count * others.count) kernels × tiers give the bits of the plain version:")
  print("\(names.count) kernels, \(counts.count * Workspace.Input.allCases.count) runs each; tiers beside plain: \(list)")
  let isFastest = cpk_fastest().map { name(of: $0.pointee) } == tiers.last.map(name(of:))
  if !isFastest { print("the last tier is not the one that is chosen") }
  return others.isEmpty || !isFastest || equal != names.count * others.count ? 1 : 0
}

/// Differences that were made on purpose have to be found, or comparing says nothing.
private func findPlanted() -> Int32 {
  guard let comparisons = listedComparisons() else { return 1 }
  // Called with arguments that it ignores, as the calling conventions of all our machines allow.
  let nothing: @convention(c) () -> Void = {}
  var idle = 0
  for (index, comparison) in comparisons.enumerated() {
    var broken = tiers[0]
    withUnsafeMutableBytes(of: &broken) {
      $0.storeBytes(of: unsafeBitCast(nothing, to: UInt.self), toByteOffset: pitch * (index + 1), as: UInt.self)
    }
    let isFound = comparison.result(broken, 33, .noise).contents != comparison.result(tiers[0], 33, .noise).contents
    idle += isFound ? 1 : 0
    if !isFound { print("\(comparison.kernel): not noticed when it does nothing") }
  }
  print("planted: \(idle) of \(names.count) kernels that do nothing are found")
  guard let fused = driver_fused_tier()?.pointee else {
    print("planted: this machine cannot run fused products and sums")
    return 1
  }
  var list = "", found = 0
  for comparison in comparisons where !differences(comparison, fused, from: tiers[0]).isEmpty {
    list += " " + comparison.kernel
    found += 1
  }
  print("planted: fused products and sums are found in \(found) kernels:\(list)")
  return idle == names.count && found > 0 ? 0 : 1
}

/// A number for what a table gives of every kernel, count and input, and the audio kernels, to be compared with another machine's.
private func printDigests(of table: cpk_kernels) -> Int32 {
  guard let comparisons = listedComparisons() else { return 1 }
  for comparison in comparisons {
    printDigests(of: comparison.kernel) { comparison.result(table, $0, $1) }
  }
  for comparison in AudioComparison.all {
    printDigests(of: comparison.functions[0]) { count, input in
      let rows = Workspace(count: count, input: input)
      comparison.run(rows)
      return rows
    }
  }
  return 0
}

private func printDigests(of kernel: String, _ result: (Int, Workspace.Input) -> Workspace) {
  for count in counts {
    for input in Workspace.Input.allCases {
      print("\(kernel) \(count) \(input.number) \(fingerprint(result(count, input).contents))")
    }
  }
}

/// FNV-1a.
private func fingerprint(_ bytes: [UInt8]) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

/// Called by `main` with what is to be done; gives the program's status.
@_cdecl("driver_run") public func run(_ mode: UnsafePointer<CChar>) -> Int32 {
  switch String(cString: mode) {
  case "compare": return compare()
  case "planted": return findPlanted()
  case "digests": return printDigests(of: tiers[0])
  case "fused-digests": return printDigests(of: driver_fused_tier()?.pointee ?? tiers[0])
  case "kernels": for name in names { print(name) }
  case "functions": for comparison in AudioComparison.all { for function in comparison.functions { print(function) } }
  default:
    print("unknown mode")
    return 64
  }
  return 0
}
