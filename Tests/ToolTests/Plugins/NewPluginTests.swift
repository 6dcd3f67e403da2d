import CompositorPlugins
import Foundation
import Testing

/// What `plugins new` writes in languages other than Swift: built by its own Makefile, checked, rendered.
@Suite(.serialized) struct NewPluginTests {
  private static func isInstalled(_ program: String) -> Bool {
    (try? ToolRun.program("sh", "-c", "command -v \(program)").status) == 0
  }
  private static let compilers = [("c", "cc"), ("c++", "c++"), ("rust", "rustc")]
  private static let languages = compilers.filter { isInstalled($0.1) && isInstalled("make") }.map(\.0)
  private static let missing = compilers.filter { !languages.contains($0.0) }.map(\.0)

  /// Makes the plugin of a template; returns its folder.
  private static func made(_ language: String, _ scratch: Scratch, name: String) throws -> URL {
    let result = try ToolRun.compositor(["plugins", "new", name, "--language", language], in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    let folder = scratch.folder.appending(path: name)
    let built = try ToolRun.run(URL(filePath: "/usr/bin/env"), ["make", "-C", folder.path, "COMPOSITOR=\(ToolRun.tool.path)"])
    try #require(built.status == 0, "\(built.output)\(built.errors)")
    #expect(!built.errors.contains("warning"), "\(built.errors)")
    return folder
  }

  /// The same example in each language gives the same frames.
  @Test(.enabled(if: languages.count > 1, "there is only one compiler of c, c++ and rust")) func examples_drawTheSame() throws {
    if !Self.missing.isEmpty { print("no compiler for \(Self.missing.joined(separator: ", "))") }
    let scratch = try Scratch()
    var sums: Set<String> = []
    for language in Self.languages {
      let folder = try Self.made(language, scratch, name: "glow-\(language.replacing("+", with: "p"))")
      for target in ["test", "demo"] {
        let run = try ToolRun.run(
          URL(filePath: "/usr/bin/env"), ["make", "-C", folder.path, target, "COMPOSITOR=\(ToolRun.tool.path)"])
        #expect(run.status == 0, "\(language): \(run.output)\(run.errors)")
      }
      sums.insert(
        try ToolRun.program(
          "ffmpeg", "-v", "error", "-i", folder.appending(path: "demo.mp4").path, "-map", "v", "-f", "md5", "-"
        ).output)
    }
    #expect(sums.count == 1 && sums.first?.hasPrefix("MD5=") == true, "\(sums)")
  }

  /// Every struct of the header for C is in that for Rust, with every field at the same place.
  @Test(.enabled(if: languages.contains("rust"), "rustc is not on the path")) func rustHeader_hasTheLayoutOfTheHeader() throws {
    let text = RustHeader.text
    var (c, rust) = ("#include <stdio.h>\n#include <stddef.h>\n#include \"compositor_plugin.h\"\nint main(void) {\n", "")
    var (count, structs) = (0, 0)
    for match in text.matches(of: /(?s)pub struct (Compositor\w+) \{(.*?)\n\}/) {
      let name = match.1
      structs += 1
      c += "printf(\"\(name) %zu\\n\", sizeof(\(name)));\n"
      rust += "println!(\"\(name) {}\", std::mem::size_of::<\(name)>());\n"
      for field in match.2.matches(of: /(?m)^    pub (\w+):/) {
        count += 1
        c += "printf(\"\(name).\(field.1) %zu\\n\", offsetof(\(name), \(field.1)));\n"
        rust += "println!(\"\(name).\(field.1) {}\", std::mem::offset_of!(\(name), \(field.1)));\n"
      }
    }
    let header = try String(contentsOf: PluginWorkshop.header, encoding: .utf8)
    #expect(structs == header.matches(of: /(?m)^(?:typedef )?struct Compositor\w+ \{/).count && structs > 15 && count > 150)
    for name in header.matches(of: /COMPOSITOR_[A-Z_0-9]+(?= = )/).map(\.0) {
      #expect(text.contains("const \(name): i32"), "\(name)")
    }
    let scratch = try Scratch()
    let files = [
      try scratch.file("layout.c", c + "return 0; }\n"), try scratch.file("compositor_plugin.rs", text),
      try scratch.file(
        "layout.rs",
        """
        mod compositor_plugin;
        use compositor_plugin::*;
        fn main() {
            let old = CompositorParameter { struct_size: std::mem::offset_of!(CompositorParameter, numbers), ..CompositorParameter::ZERO };
            assert!(!compositor_has!(&old, CompositorParameter, numbers));
            assert!(compositor_has!(&old, CompositorParameter, string));
        \(rust)}

        """),
    ]
    let programs = ["c", "rust"].map { scratch.folder.appending(path: $0).path }
    let builds = [
      ["cc", "-I", PluginWorkshop.header.deletingLastPathComponent().path, "-o", programs[0], files[0].path],
      ["rustc", "--edition", "2021", "-D", "warnings", "-o", programs[1], files[2].path],
    ]
    for build in builds {
      let result = try ToolRun.run(URL(filePath: "/usr/bin/env"), build)
      try #require(result.status == 0, "\(result.errors)")
    }
    let layouts = try programs.map { try ToolRun.run(URL(filePath: $0), []).output }
    #expect(layouts[0] == layouts[1] && layouts[0].split(separator: "\n").count == count + structs)
  }
}
