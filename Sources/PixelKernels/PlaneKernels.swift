import CCompositorKernels

/// Arithmetic on rows and tiles of planes: a table of functions, compiled for each instruction set.
///
/// Kernels are stateless; they neither allocate nor lock, and may be called from any thread. They take unaligned pointers and
/// any count, and write exactly the requested samples. Every tier gives the same bits as ``plain``.
///
/// ```swift
/// PlaneKernels.fastest.mix(destination, a, b, count: width, weight: 0.25)  // ¾ a + ¼ b
/// ```
public struct PlaneKernels: Sendable {
  // The tables are constants of the C target: never written, never freed.
  nonisolated(unsafe) let table: UnsafePointer<cpk_kernels>

  init(table: UnsafePointer<cpk_kernels>) { self.table = table }

  /// The portable tier: complete, and the reference for tests of the others.
  public static let plain = PlaneKernels(table: cpk_plain())

  /// The tiers that this machine supports, from ``plain`` to the fastest.
  public static let available: [PlaneKernels] = (0..<8).compactMap { cpk_tier($0).map(PlaneKernels.init(table:)) }

  /// The fastest tier of this machine.
  public static let fastest: PlaneKernels = PlaneKernels(table: cpk_fastest())

  /// The tier's name: `plain`, `x86-64-v3`, `x86-64-v4`, `x86-64-v4+vbmi` or `aarch64-neon`.
  public var tier: String { String(cString: table.pointee.tier) }
}
