/// What an edit is made from. Media files have no text whose places messages could name, and their output follows them.
package enum ProjectOrigin: Hashable, Sendable {
  /// A project's text, in a file or on standard input.
  case project
  /// A media file, by its path, that is played whole as a project of one clip.
  case media(String)
  /// Media files that are joined without a project.
  case joinedMedia

  /// Whether media files are played as they are, rather than as a project says.
  package var isMedia: Bool {
    switch self {
    case .media, .joinedMedia: true
    case .project: false
    }
  }
}
