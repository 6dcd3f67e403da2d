import CompositorPlugins
import Foundation
import Testing

/// The list of system calls, which is the filter: it has every call of the kernel's own list, on both machines, each with what becomes
/// of it and why. That each denied call is denied is for ``ConfinedPluginTests``.
struct CallTableTests {
  private static let headers = ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm-generic/unistd.h"]

  /// The calls that a header of the kernel defines; `nil` where it is not installed.
  private static func calls(_ header: String) -> [String: Int32]? {
    guard let text = try? String(contentsOfFile: header, encoding: .utf8) else { return nil }
    var calls: [String: Int32] = [:]
    for line in text.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^#define __NR(3264)?_(\w+)\s+(\d+)\s*$/) else { continue }
      calls[String(match.2)] = Int32(match.3)
    }
    return calls
  }

  /// Names of the shared header that mean a call of 32 bits, or another name of one of 64.
  private static func isForeign(_ name: String) -> Bool {
    let old = ["clock_", "timer", "fcntl", "stat", "fstat", "trunc", "ftrunc", "sendfile"]
    return name.hasSuffix("_time64") || name.hasSuffix("64") && old.contains { name.hasPrefix($0) }
      || ["llseek", "mmap2", "fstatat", "syscalls", "arch_specific_syscall", "sync_file_range2"].contains(name)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: headers[0]), "needs the kernel's headers for x86-64"),
    arguments: [0, 1])
  func everyCallOfTheKernel_isInTheList(_ machine: Int) throws {
    let kernel = try #require(Self.calls(Self.headers[machine])).filter { !Self.isForeign($0.key) }
    #expect(kernel.count > 280)
    let own = Dictionary(CallRule.all.map { ($0.name, $0.numbers[machine]) }) { first, _ in first }
    for (name, number) in kernel.sorted(by: { $0.value < $1.value }) {
      #expect(own[name] == number, "\(name): \(String(describing: own[name])) instead of \(number)")
    }
  }

  @Test func list_hasOneAnswerForEachCall_withAReason() {
    let whole = CallRule.all.filter { $0.when.isEmpty }
    #expect(Set(whole.map(\.name)).count == whole.count)
    for machine in [0, 1] {
      let numbers = whole.map { $0.numbers[machine] }.filter { $0 >= 0 }
      #expect(Set(numbers).count == numbers.count && numbers.count > 280)
    }
    #expect(CallRule.all.allSatisfy { !$0.reason.isEmpty })
    for call in whole.sorted(by: { $0.name < $1.name }) {
      let uses = CallRule.all.filter { $0.name == call.name && !$0.when.isEmpty }.map { "denied: \($0.when)" }
      let denial = call.error == 0 ? "denied, ends the process" : "denied, error \(call.error)"
      let answer = ([call.isAllowed ? "allowed" : denial] + uses).joined(separator: "; ")
      print("| \(call.name) | \(call.numbers[0]) | \(call.numbers[1]) | \(answer) | \(call.reason) |")
    }
  }

  /// What somebody thought of, each of which let a plugin out or let it take what is not its own.
  @Test func list_hasNoneOfTheKnownWaysOut() {
    let allowed = Set(CallRule.all.filter(\.isAllowed).map(\.name))
    let partly = Set(CallRule.all.filter { !$0.when.isEmpty }.map(\.name))
    for name in [
      "fork", "vfork", "clone3", "execve", "execveat", "ptrace", "socket", "socketpair", "connect", "memfd_create", "io_setup",
      "io_uring_setup", "timer_create", "signalfd4", "unshare", "setns", "mount", "bpf", "userfaultfd", "perf_event_open",
      "keyctl",
      "openat2", "creat", "truncate", "ftruncate", "unlink", "rename", "chmod", "flock", "setsid", "setuid", "seccomp",
      "splice",
      "vmsplice", "sched_setscheduler", "process_vm_readv", "pidfd_getfd", "shmget", "mq_open", "msgget", "remap_file_pages",
    ] {
      #expect(!allowed.contains(name), "\(name)")
    }
    #expect(
      partly == [
        "clone", "close_range", "fcntl", "getsockopt", "ioctl", "kill", "mmap", "open", "openat", "prctl", "prlimit64",
        "sched_setaffinity", "sendmsg", "sendto", "setpriority", "tgkill",
      ])
  }
}
