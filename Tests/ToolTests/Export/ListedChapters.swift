import Foundation

/// The chapters of a file, as ffprobe lists them.
struct ListedChapters: Decodable {
  struct Entry: Decodable {
    let start_time: String
    let tags: [String: String]

    var title: String { tags["title"] ?? "" }
  }
  let chapters: [Entry]

  /// - Parameter name: A file of the scratch folder.
  static func entries(of name: String, in scratch: Scratch) throws -> [Entry] {
    let result = try ToolRun.program("ffprobe", "-v", "error", "-show_chapters", "-of", "json", try scratch.file(name).path)
    return try JSONDecoder().decode(ListedChapters.self, from: Data(result.output.utf8)).chapters
  }
}
