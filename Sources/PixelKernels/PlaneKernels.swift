import CCompositorKernels

/// Arithmetic on rows and tiles of planes: one table of loops, compiled for the instructions of this machine.
///
/// Kernels allocate nothing, lock nothing and keep nothing; any thread may call. They take unaligned pointers and any count,
/// and write exactly the samples they are asked for. Every tier gives the same bits as ``plain``.
///
/// ```swift
/// PlaneKernels.fastest.mix(destination, a, b, count: width, weight: 0.25)  // ¾ a + ¼ b
/// ```
public struct PlaneKernels: Sendable {
  // The tables are constants of the C target: never written, never freed.
  nonisolated(unsafe) let table: UnsafePointer<cpk_kernels>

  init(table: UnsafePointer<cpk_kernels>) { self.table = table }

  /// The portable tier: complete, and what the others are tested against.
  public static let plain = PlaneKernels(table: cpk_plain())

  /// The tiers that this machine can run, from ``plain`` to the fastest. Chosen by the processor's features.
  public static let available: [PlaneKernels] = (0..<8).compactMap { cpk_tier($0).map(PlaneKernels.init(table:)) }

  /// The fastest tier of this machine.
  public static let fastest: PlaneKernels = PlaneKernels(table: cpk_fastest())

  /// The tier's name: `plain`, `x86-64-v3`, `x86-64-v4`, `x86-64-v4+vbmi`.
  public var tier: String { String(cString: table.pointee.tier) }
}
