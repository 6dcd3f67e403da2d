public import CompositorPlugins
public import CompositorAPI
public import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
public import CompositorOverlay
public import CompositorTimeline

extension ProjectFile {
  /// The project as an edit: what it leaves open (canvas, frame rate, lengths of clips) is asked of the media.
  ///
  /// - Parameters:
  ///   - catalog: Learns the project's assets of titles. A project of other variables replaces them, so that projects that are
  ///     rendered at the same time need a catalog each.
  ///   - fonts: Loaded fonts for assets of titles, for many variants of one project; nil loads them where there are any.
  ///   - registry: All compositors that the project may name: parameters are checked where they are written, colors and files may be
  ///     written as those of built-in compositors (`"#ff8800"`, paths relative to the project). With nil, the default, that is true of
  ///     built-in compositors alone, and others are left to validation.
  /// - Throws: What the catalog throws for media, located at the clip that needs it; `.invalidValue` with `file:line:column`
  ///   where clips, transitions and effects do not go together; `.invalidProject` for parameters;
  ///   `.compositorNotFound` for a compositor that isn't in `registry`.
  public func edit(
    catalog: MediaCatalog, fonts: FontLibrary? = nil, registry: CompositorRegistry? = nil
  ) throws(CompositorError) -> Edit {
    do {
      return try timeline(catalog: catalog, fonts: fonts, registry: registry).edit(catalog: catalog)
    } catch {
      throw locating(error)
    }
  }

  /// Checks that the project's codec can hold its pictures, as far as that does not depend on the file's name.
  ///
  /// - Throws: What ``CompositorMediaIO/VideoEncodingSettings/validate(for:)`` throws, at the key that says the codec or the color.
  public func checkDelivery(of composition: ValidatedComposition) throws(CompositorError) {
    var video = output.video
    if !output.choosesVideoCodec { video.codec = VideoEncodingSettings.usualCodec(for: composition) }
    do {
      try video.validate(for: composition)
    } catch {
      throw error.locating(ErrorLocation(path: output.choosesVideoCodec ? "output.video.codec" : "output.format"))
    }
  }

  /// The project as a timeline, with canvas, frame rate and times settled.
  ///
  /// - Throws: What the catalog throws for the first clip with a picture, where the project leaves canvas or rate open;
  ///   `.invalidProject` for a time that does not exist at the rate.
  public func timeline(
    catalog: MediaCatalog, fonts: FontLibrary? = nil, registry: CompositorRegistry? = nil
  ) throws(CompositorError) -> Timeline {
    let titles = try TitleAssets(self, fonts: fonts)
    // Titles may be the first picture themselves; then they follow what the project says alone.
    try titles.provide(to: catalog, canvas: output.size ?? OutputDefaults.usualCanvas, frameRate: output.frameRate)
    let defaults = try OutputDefaults(draft, catalog: catalog)
    try titles.provide(to: catalog, canvas: defaults.canvas, frameRate: defaults.frameRate)
    var timeline = try settled(canvas: defaults.canvas, frameRate: defaults.frameRate, registry)
    if isMadeUp { try timeline.giveStillsDuration(catalog: catalog) }
    return timeline
  }

  /// Whether anything in it has keyframes.
  package var hasKeyframes: Bool { draft.hasKeyframes }

  /// The same for a catalog that knows the project's titles already.
  func placedTimeline(catalog: MediaCatalog) throws(CompositorError) -> Timeline {
    let defaults = try OutputDefaults(draft, catalog: catalog)
    return try settled(canvas: defaults.canvas, frameRate: defaults.frameRate, nil)
  }

  /// The timeline at a canvas and a frame rate. The document is read again only if something in it depends on what media and plugins said.
  private func settled(
    canvas: PixelSize, frameRate: Rational, _ registry: CompositorRegistry?
  ) throws(CompositorError) -> Timeline {
    guard awaitsMedia || (awaitsPlugins && registry != nil) else {
      var timeline = draft
      (timeline.canvas, timeline.frameRate) = (canvas, frameRate)
      return timeline
    }
    let root = ProjectValue.root(of: document, text)
    let reader = ProjectReader(directory: directory, registry: registry)
    return try reader.timeline(root, try reader.header(root), canvas: canvas, frameRate: frameRate)
  }

  /// The same error with the place in the text that its key path names.
  package func locating(_ error: CompositorError) -> CompositorError {
    guard let written = error.location.path else { return error }
    let ofOutput = ["audio.", "video."]
    let path = path(ofTitle: written) ?? (ofOutput.contains { written.hasPrefix($0) } ? "output." + written : written)
    var location = error.location
    location.path = path
    if isMadeUp {
      location.path = nil
    } else if let offset = document.offset(ofPath: path) {
      let place = "\(text.name):\(text.position(ofByte: offset))"
      // A source's own name says more than the project's; the project's place is then said in words.
      location.file = location.file.map { $0.hasPrefix("\(text.name):") ? $0 : "\(place): \($0)" } ?? place
    }
    var message = error.message
    if let origin = document.node(atPath: path)?.variableOrigin, !message.hasSuffix(origin) { message += origin }
    return CompositorError(
      error.code, message, recoverySuggestion: error.recoverySuggestion, cause: error.cause, at: location,
      systemErrorNumber: error.systemErrorNumber)
  }
}

extension JSON5Node {
  /// The first byte of the value at a key path such as `tracks[0].clips[2].in`; of the nearest value around it if the
  /// key isn't there. Nil if the path leads to an element that isn't there.
  package func offset(ofPath path: String) -> Int? { node(atPath: path)?.offset }

  /// The value at a key path, or the nearest one around it; `nil` as for ``offset(ofPath:)``.
  func node(atPath path: String) -> JSON5Node? {
    var node = self
    let steps = path.split { $0 == "." || $0 == "[" }
    for step in steps {
      if step.hasSuffix("]") {
        guard case .array(let elements) = node.value, let index = Int(step.dropLast()), elements.indices.contains(index)
        else { return nil }
        node = elements[index]
      } else if case .object(let members) = node.value {
        guard let member = members.first(where: { $0.key == step }) else { return node }
        node = member.value
      } else {
        return node
      }
    }
    return node
  }
}
