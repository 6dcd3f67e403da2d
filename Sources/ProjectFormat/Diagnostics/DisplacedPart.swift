import CompositorAPI

/// What to write instead of a part of a project that is known, but not in this place or not in this form.
enum DisplacedPart {
  /// The key of an object that a string in its place probably means, by the name of its shape.
  private static let mainKeys = [
    "clip": "asset", "effectUse": "use", "audioEffectUse": "use", "title": "text", "captions": "file", "font": "family",
    "runFont": "family", "layer": "track", "layerText": "string", "layerImage": "file", "effectMask": "asset",
  ]

  /// Advice on a string in place of an object, such as `effects: ["gaussian-blur"]`.
  static func advice(onText text: String, for shape: ObjectShape) -> Advice? {
    guard let key = mainKeys[shape.name], shape.hasKey(key) else { return nil }
    return .write(.object(key: key, text))
  }

  /// Advice on an object in place of a string, such as `font: { family: "Inter", size: 40 }` of a title.
  static func advice(onObjectForText node: JSON5Node) -> Advice? {
    guard case .object(let members) = node.value else { return nil }
    let names = ["family", "name", "file", "src", "path", "text", "string", "id"]
    let written = names.lazy.compactMap { key in text(of: members.first { $0.key == key }?.value) }
    guard let name = written.first else { return nil }
    let size = members.first { $0.key == "size" }.flatMap { digits(of: $0.value) }
    guard let size else { return .write(.string(name)) }
    return "Write \(quoted(name)) here, and beside it size: \(size)."
  }

  /// Advice on the radii of corners in the form of other programs: one number for all, or an object with names of corners.
  static func advice(onRadii node: JSON5Node) -> Advice? {
    var radii = ["0", "0", "0", "0"]
    switch node.value {
    case .object(let members):
      let names = ["topleft", "topright", "bottomright", "bottomleft"]
      for (index, name) in names.enumerated() {
        guard let member = members.first(where: { $0.key.lowercased() == name }), let radius = length(of: member.value) else {
          continue
        }
        radii[index] = radius
      }
    default:
      guard let radius = length(of: node) else { return nil }
      radii = Array(repeating: radius, count: 4)
    }
    return Advice("List the radii clockwise from the top left: [\(radii.joined(separator: ", "))].")
  }

  /// Advice on padding as a list, in the order of CSS.
  static func advice(onPadding node: JSON5Node) -> Advice? {
    guard case .array(let elements) = node.value, (1...4).contains(elements.count) else { return nil }
    let lengths = elements.compactMap(length)
    guard lengths.count == elements.count else { return nil }
    guard lengths.count > 1 else { return Advice("Write one length: \(lengths[0]).") }
    let (top, right) = (lengths[0], lengths[1])
    let (bottom, left) = (lengths.count > 2 ? lengths[2] : top, lengths.count > 3 ? lengths[3] : right)
    return Advice("Write the sides by name: { top: \(top), right: \(right), bottom: \(bottom), left: \(left) }.")
  }

  /// A length as it is written; `nil` for other values.
  private static func length(of node: JSON5Node) -> String? {
    switch node.value {
    case .number(let digits): digits
    case .string(let text): quoted(text)
    default: nil
    }
  }

  /// Advice on a key that belongs elsewhere.
  ///
  /// - Parameters:
  ///   - member: The unknown key with its value.
  ///   - members: All keys of its object.
  ///   - shape: The object's shape.
  static func advice(on member: JSON5Member, beside members: [JSON5Member], in shape: ObjectShape) -> String? {
    switch (shape.name, member.key) {
    case ("project", _): return adviceOnProject(member)
    case ("output", "width"), ("output", "height"), ("asset", "width"), ("asset", "height"): return adviceOnSide(members)
    case ("output", "file"), ("output", "filename"), ("output", "fileName"), ("output", "path"), ("output", "name"),
      ("output", "output"):
      let path = text(of: member.value) ?? "movie.mp4"
      return "Remove it: the path of the output, \(quoted(path)), is an option of the render."
    case ("track", "asset"), ("track", "at"), ("track", "in"), ("track", "duration"), ("track", "speed"):
      let asset = text(of: members.first { $0.key == "asset" }?.value) ?? "NAME"
      return "It is a key of a clip: clips: [{ asset: \(quoted(asset)) }]."
    default: return nil
    }
  }

  /// Advice on one side of a size that is one key.
  private static func adviceOnSide(_ members: [JSON5Member]) -> String {
    let sides = ["width", "height"].map { side in members.first { $0.key == side }.flatMap { digits(of: $0.value) } }
    guard let width = sides[0], let height = sides[1] else {
      return "Write both sides as one key: size: \"1920x1080\"."
    }
    return "Write size: \"\(width)x\(height)\" instead of width and height."
  }

  private static func adviceOnProject(_ member: JSON5Member) -> String? {
    let file = text(of: member.value)
    switch member.key.lowercased() {
    case "clips", "clip", "scenes", "segments":
      let asset = text(of: (member.value.elements.first ?? member.value).member("asset")) ?? "NAME"
      return "Clips belong to a track: tracks: [{ clips: [{ asset: \(quoted(asset)) }] }]."
    case "music", "song", "soundtrack", "voice", "voiceover", "narration", "sound":
      return adviceOnMusic(member.key, file ?? "song.mp3")
    case "audio" where file != nil: return adviceOnMusic("music", file ?? "")
    case "transition", "transitions":
      return "A transition belongs to the clip that begins with it: "
        + "{ asset: \"NAME\", transition: { type: \"dissolve\", duration: \"1s\" } }."
    case "chapters", "cover", "metadata": return "It is a key of the output: output: { \(member.key): … }."
    default: return nil
    }
  }

  private static func adviceOnMusic(_ name: String, _ file: String) -> String {
    "Music is a clip on a track of its own: assets: { \(name): \(quoted(file)) }, "
      + "tracks: [ …, { clips: [{ asset: \(quoted(name)) }] }]."
  }

  /// Advice on the name of an asset that doesn't exist.
  ///
  /// - Parameter sameFile: The name of an asset of the file that is written instead.
  static func advice(onAsset written: String, sameFile: String?) -> String? {
    if let sameFile { return "Write \(quoted(sameFile)), the asset of this file." }
    guard written.contains("/") || written.contains(".") else { return nil }
    let file = written.fileName
    let stem = file.split(separator: ".").first.map(String.init) ?? file
    let name = String(stem.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    let key = name.first.map { $0.isNumber } == false ? name : "clip"
    return "A clip names an asset: assets: { \(key): \(quoted(written)) }, and here \"\(key)\"."
  }

  private static func text(of node: JSON5Node?) -> String? {
    if case .string(let text)? = node?.value { text } else { nil }
  }

  private static func digits(of node: JSON5Node) -> String? {
    switch node.value {
    case .number(let digits): digits
    case .string(let text) where Int(text) != nil: text
    default: nil
    }
  }
}

extension TimelineReader {
  /// The error for a path in place of an asset's name; `nil` for other names.
  func misnamed(_ value: ProjectValue, _ names: [String]) throws(CompositorError) -> CompositorError? {
    let name = try value.string()
    guard suggestion(for: name, among: names) == nil else { return nil }
    let path = try ProjectReader(directory: directory).path(value)
    let same = names.first { header.assets[$0] == .file(path: path) }
    if let same { value.offer(same) }
    return DisplacedPart.advice(onAsset: name, sameFile: same).map {
      value.error("There is no asset \(quoted(name)).", recoverySuggestion: $0)
    }
  }
}
