import CompositorAPI

/// A fault that several checks may find. Those that find the same one are reported together.
enum PluginFault: Codable, Hashable, Sendable {
  /// A fault in the frames of a scene.
  case frame(FrameFault)
  /// The same in frames of an effect that takes a mask and got none.
  case frameWithoutMask(FrameFault)
  /// What the plugin left changed after a call.
  case violation(ContractViolation)
  /// An error that the plugin reported instead of a result.
  case error(WireError)
  /// The end of the plugin's process, and the system calls that had been denied to it.
  case exit(WorkerExitReason, deniedCalls: [String])
}

/// A fault in the frames of a scene.
enum FrameFault: Codable, Hashable, Sendable {
  /// There is no memory to check the output in.
  case noMemory
  /// A source was written to.
  case changedSource
  /// Bytes beside the output's rows were written to.
  case changedBytesBeside
  /// Not every pixel of a frame is written.
  case missingPixels
  /// Sources with other strides than usual give another frame.
  case stride(isNegative: Bool)

  /// A sentence about it.
  var text: String {
    switch self {
    case .noMemory: "There is not enough memory."
    case .changedSource: "A source's bytes have changed."
    case .changedBytesBeside: "Bytes beside the output's rows have changed."
    case .missingPixels: "Not every pixel of the output is written."
    case .stride(let isNegative): "Sources with \(isNegative ? "a negative" : "a larger") stride give another frame."
    }
  }
}

/// Why checks were skipped. Those with the same reason are reported together.
enum PluginCheckObstacle: Codable, Hashable, Sendable {
  /// A check with this title failed.
  case failed(check: String)
  /// The memory limit, in MiB, is too small for the frames of the check.
  case memoryLimit(mebibytes: UInt64, frames: Int, PixelSize, PixelFormat, needed: Int64)

  /// What to do about it, as a sentence or two.
  var text: String {
    switch self {
    case .failed(let check): "First fix the results of the check “\(check)”."
    case .memoryLimit(let limit, let frames, let size, let format, let needed):
      """
      The memory limit of \(limit) MiB is too small for the check's own \(frames) frames of \(size) \(format), which take \
      \(needed) MiB. Give a larger limit.
      """
    }
  }
}
