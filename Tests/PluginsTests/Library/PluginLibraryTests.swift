import CompositorAPI
import Foundation
import CompositorPlugins
import CompositorTestSupport
import Testing

@Suite struct PluginLibraryTests {
  @Test func searchPath_followsItsOrderAndOverride() {
    let own = PluginSearchPath(environment: ["HOME": "/home/ada"])
    #expect(
      own.folders == [
        "/home/ada/.local/share/compositor/plugins", "/usr/local/lib/compositor/plugins", "/usr/lib/compositor/plugins",
      ])
    #expect(PluginSearchPath(environment: ["HOME": "/h", "XDG_DATA_HOME": "/data"]).folders[0] == "/data/compositor/plugins")
    #expect(PluginSearchPath(environment: ["COMPOSITOR_PLUGIN_PATH": "/a:/b", "HOME": "/h"]).folders == ["/a", "/b"])
    #expect(PluginSearchPath(environment: ["COMPOSITOR_PLUGIN_PATH": ""]).folders.isEmpty)
  }

  /// Programs that are no workers: what they send is not believed, and none keeps the host waiting.
  @Test(arguments: [
    ("exit 0", CompositorError.Code.pluginFailed),
    ("head -c 4096 /dev/urandom >&3; sleep 60", .pluginFailed),
    // A header that announces more than any message has, and one that announces a payload which never comes.
    (
      #"printf 'COMP\100\002\000\000\377\377\377\377\377\377\377\177\000\000\000\000\000\000\000\000' >&3; sleep 60"#,
      .pluginFailed
    ),
    (
      #"printf 'COMP\100\002\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >&3; exit 0"#,
      .pluginFailed
    ),
    (
      #"printf 'COMP\100\002\000\000\004%b\377\377\377\377' '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >&3; sleep 60"#,
      .pluginFailed
    ),
    ("sleep 60", .compositorTimedOut),
  ])
  func workerThatSpeaksNonsense_isNotBelieved(_ script: String, _ code: CompositorError.Code) throws {
    let folder = try TemporaryFolder()
    let program = URL(filePath: folder.file("worker"))
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    var library = PluginLibrary(
      PluginOptions(isolation: PluginIsolation(program: program.path, deadline: .milliseconds(500))))
    let start = ContinuousClock.now
    let error = #expect(throws: CompositorError.self) { try library.open("/plugins/x.so") }
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.location.file == "/plugins/x.so")
    // Generous, because a busy machine is slow too; without a deadline it would be a minute.
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  /// A digest is that of the bytes that were loaded, not of those which are in the file by now.
  @Test func fileThatIsOpen_isComparedWithWhatWasLoaded() throws {
    let folder = try TemporaryFolder()
    let compiler = PluginCompiler(in: folder.url)
    let plugin = try compiler.hostile("PRINT", fromFrame: 1000)
    let other = try compiler.compile(PluginCompiler.fixtures.appending(path: "early.c"), name: "other")
    let (loaded, replaced) = (try PluginTrust.digest(of: plugin.path), try PluginTrust.digest(of: other.path))
    for trusted in [[], [PluginTrust.digest(loaded)]] as [Set<PluginTrust>] {
      let file = folder.url.appending(path: trusted.isEmpty ? "isolated.so" : "trusted.so")
      try FileManager.default.copyItem(at: plugin, to: file)
      let isolation = PluginIsolation(program: BuiltTool.url.path, workerCount: 1, isQuiet: true)
      var library = PluginLibrary(PluginOptions(trusted: trusted, isolation: isolation))
      try library.open(file.path)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.copyItem(at: other, to: file)
      try library.open(PluginFile(file.path, sha256: loaded))
      let error = #expect(throws: CompositorError.self) { try library.open(PluginFile(file.path, sha256: replaced)) }
      #expect(error?.code == .pluginFailed && error?.message.contains(loaded) == true, "\(String(describing: error))")
      guard trusted.isEmpty else { continue }
      try library.open(PluginFile(file.path, memoryLimit: isolation.memoryLimit))
      let limits = #expect(throws: CompositorError.self) { try library.open(PluginFile(file.path, memoryLimit: 1 << 30)) }
      #expect(limits?.code == .invalidValue, "\(String(describing: limits))")
    }
  }

  @Test func workerThatIsNotThere_isSaidSo() throws {
    var library = PluginLibrary(PluginOptions(isolation: PluginIsolation(program: "/nowhere/compositor")))
    let error = #expect(throws: CompositorError.self) { try library.open("/plugins/x.so") }
    #expect(error?.code == .resourceExhausted)
    #expect(error?.recoverySuggestion?.contains("compositor") == true)
  }
}
