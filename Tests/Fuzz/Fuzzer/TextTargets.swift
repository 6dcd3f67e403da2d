import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorProjectFormat

// A mistake in a text ends in an error with a message; everything else that happens is a finding: libFuzzer keeps inputs that
// crash, hang or take too much memory.

/// A folder with nothing in it: a project finds no files, whatever it names.
private let emptyFolder: String = {
  let folder = FileManager.default.temporaryDirectory.appending(path: "compositor-fuzz-\(UUID().uuidString)")
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  } catch {
    print("compositor-fuzz: no folder for paths of projects: \(error)")
    exit(73)
  }
  return folder.path + "/"
}()

func fuzzProject(_ bytes: UnsafeRawBufferPointer) -> CInt {
  do throws(CompositorError) {
    let project = try ProjectFile(String(decoding: bytes, as: UTF8.self), directory: emptyFolder)
    let catalog = MediaCatalog()
    let edit = try project.edit(catalog: catalog)
    _ = CompositionValidator.validate(edit, catalog: catalog)
  } catch {
    precondition(!error.message.isEmpty)
  }
  return 0
}

/// The bytes are what is between the brackets of `titles: [ … ]`.
func fuzzTitles(_ bytes: UnsafeRawBufferPointer) -> CInt {
  let text = """
    { version: 1, output: { size: "64x36", frameRate: 30 },
      assets: { a: { generate: "color", color: "#204060", size: "64x36", duration: "1s" } },
      tracks: [{ clips: [{ asset: "a" }] }], titles: [
    """
  do throws(CompositorError) {
    let project = try ProjectFile(text + String(decoding: bytes, as: UTF8.self) + "] }", directory: emptyFolder)
    let catalog = MediaCatalog()
    _ = try CompositionValidator.validate(project.edit(catalog: catalog), catalog: catalog).get()
  } catch {
    precondition(!error.message.isEmpty)
  }
  return 0
}
