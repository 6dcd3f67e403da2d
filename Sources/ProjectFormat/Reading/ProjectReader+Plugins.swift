import CompositorAPI
import CompositorPlugins

extension ProjectSchema {
  static let plugin = ObjectShape(
    "plugin", "a plugin",
    [
      KeyShape("file", .text, required: true, "The plugin's file (.so), relative to the project."),
      KeyShape(
        "sha256", .text,
        "The SHA-256 that the file must have, 64 hexadecimal digits. A file with another one is not opened."
      ),
      KeyShape(
        "memory", .integer(64...1_048_576),
        "The limit of its memory, in MiB; by default 2048. A limit of the render takes precedence."),
      KeyShape(
        "deadline", .time,
        "The time limit of a call to it, in s or ms; by default \"10s\". A limit of the render takes precedence."
      ),
    ])
}

extension ProjectReader {
  /// An element of `plugins`: a path, or an object.
  func pluginFile(_ value: ProjectValue) throws(CompositorError) -> PluginFile {
    if value.isText { return PluginFile(try path(value)) }
    let object = try value.object(ProjectSchema.plugin)
    return PluginFile(
      try path(try object.required("file")), sha256: try object.read("sha256", digest),
      memoryLimit: try object.integer("memory").map { UInt64($0) << 20 },
      deadline: try object.read("deadline", deadline))
  }

  private func digest(_ value: ProjectValue) throws(CompositorError) -> String {
    let text = try value.string().lowercased()
    let digits = text.hasPrefix("sha256:") ? String(text.dropFirst(7)) : text
    guard digits.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw value.error(
        "This is not a SHA-256, which has 64 hexadecimal digits.",
        advice: "Copy it from \(operation: .inspectPlugin).")
    }
    return digits
  }

  private func deadline(_ value: ProjectValue) throws(CompositorError) -> Duration {
    let time = try value.time()
    return try value.placing { () throws(CompositorError) in
      let suggestion = "Write seconds, such as \"30s\"."
      guard let time = try time.time(atKnownFrameRate: nil) else {
        throw CompositorError(
          .invalidValue, "The deadline of a plugin is not in frames: it doesn't depend on the movie.",
          recoverySuggestion: suggestion)
      }
      guard (0.1...3600).contains(time.seconds) else {
        throw CompositorError(
          .invalidValue, "The deadline of a plugin is from 0.1s to 3600s.", recoverySuggestion: suggestion)
      }
      return .milliseconds(Int64((time.seconds * 1000).rounded(.up)))
    }
  }
}
