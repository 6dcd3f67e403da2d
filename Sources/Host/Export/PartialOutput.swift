import CompositorAPI
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An output in the making, under a hidden name in the folder that it will stand in. The final name appears at once, with the
/// complete file, or not at all.
///
/// The hidden name holds the process number, so that a later run can sweep what a killed one left.
struct PartialOutput: Sendable {
  /// A hidden folder of the process's own; finished files are moved out of it one by one.
  let folder: String
  private let destination: String
  private let overwrites: Bool

  private static let marker = ".compositor-partial"
  private static let counter = Atomic<Int>(0)

  /// Sweeps what killed processes left in the folder, then makes a hidden folder there.
  ///
  /// - Throws: `.writeFailed` where the folder cannot be written to.
  init(in destination: String, overwrites: Bool) throws(CompositorError) {
    PartialOutput.sweep(destination)
    let number = PartialOutput.counter.add(1, ordering: .relaxed).newValue
    self.folder = "\(destination)/\(PartialOutput.marker)-\(getpid())-\(number)"
    self.destination = destination
    self.overwrites = overwrites
    guard mkdir(folder, 0o700) == 0 else {
      throw PartialOutput.failure(errno, "The folder cannot be written to.", file: destination)
    }
  }

  /// Where the file for a final path is to be written.
  func path(for final: String) -> String { "\(folder)/\(OutputName.name(of: final))" }

  /// Gives finished files, which are on the disk by now, their final names.
  ///
  /// - Throws: `.outputExists` where a name was taken meanwhile, `.writeFailed`. Files named so far are taken back then.
  func commit(_ finals: [String]) throws(CompositorError) {
    var done: [String] = []
    do throws(CompositorError) {
      for final in finals {
        try publish(path(for: final), as: final)
        done.append(final)
      }
      try synchronize(destination)
    } catch {
      if !overwrites { done.forEach { unlink($0) } }
      throw error
    }
    discard()
  }

  /// Removes what was written. Safe to call more than once.
  func discard() { PartialOutput.remove(folder) }

  private func publish(_ partial: String, as final: String) throws(CompositorError) {
    try synchronize(partial)
    if overwrites {
      guard rename(partial, final) == 0 else { throw Self.failure(errno, "The output cannot be named.", file: final) }
      return
    }
    // A link never replaces, unlike a rename.
    if link(partial, final) == 0 { return }
    let number = errno
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(number) else {
      throw Self.failure(number, "The output cannot be named.", file: final)
    }
    // A file system without hard links: claim the name, then replace the claim.
    let claim = open(final, O_CREAT | O_EXCL | O_WRONLY, 0o600)
    guard claim >= 0 else { throw Self.failure(errno, "The output cannot be named.", file: final) }
    close(claim)
    guard rename(partial, final) == 0 else {
      let number = errno
      unlink(final)
      throw Self.failure(number, "The output cannot be named.", file: final)
    }
  }

  private func synchronize(_ path: String) throws(CompositorError) {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw Self.failure(errno, "The output cannot be opened again.", file: path) }
    defer { close(descriptor) }
    // Some file systems cannot make a folder durable, and say so by EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure(errno, "The output cannot be made durable.", file: path)
    }
  }

  private static func failure(_ number: Int32, _ what: String, file: String) -> CompositorError {
    if number == EEXIST {
      return CompositorError(
        .outputExists, "The output exists already.", remedy: "Choose another name, or ask for it to be overwritten.",
        at: ErrorLocation(file: file))
    }
    let remedy = number == ENOSPC || number == EDQUOT ? "Make room on the disk." : "Check the folder's permissions."
    return CompositorError(
      .writeFailed, what, remedy: remedy, cause: systemMessage(number), at: ErrorLocation(file: file))
  }

  // MARK: Sweeping

  /// Removes hidden folders whose process is gone.
  private static func sweep(_ destination: String) {
    for name in names(in: destination) where name.hasPrefix(marker + "-") {
      let parts = name.dropFirst(marker.count + 1).split(separator: "-")
      guard parts.count == 2, let process = pid_t(parts[0]), process > 0, Int(parts[1]) != nil else { continue }
      // Only "no such process" says that it is gone; "not permitted" says that it is somebody else's.
      if kill(process, 0) == -1, errno == ESRCH { remove("\(destination)/\(name)") }
    }
  }

  /// Removes a hidden folder and the files in it, as far as that is possible.
  private static func remove(_ folder: String) {
    for name in names(in: folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
