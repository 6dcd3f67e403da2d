import CCompositorKernels

/// One kernel of the list, and how to call it for comparing: with everything that its parameters may be.
struct Comparison {
  /// The kernel's name in the list.
  let kernel: String
  /// Calls the kernel of one tier, and no other one.
  let run: (cpk_kernels, Workspace) -> Void

  init(_ kernel: String, _ run: @escaping (_ kernels: cpk_kernels, _ rows: Workspace) -> Void) {
    (self.kernel, self.run) = (kernel, run)
  }

  static var all: [Comparison] { planes + filters + masks + light + convert + effect + general + measure + overlay + surface }

  /// What a tier gives for a number of samples.
  func result(_ kernels: cpk_kernels, _ count: Int, _ input: Workspace.Input) -> Workspace {
    let rows = Workspace(count: count, input: input)
    run(kernels, rows)
    return rows
  }
}
