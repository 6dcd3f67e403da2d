import CompositorAPI

/// `compositor_plugin.h` as a module of Rust: every struct, constant and comment, under the same names.
///
/// It is translated whenever it is needed, so that it always agrees with the header. The translation knows the constructs of
/// that header only.
package enum RustHeader {
  /// The contents of `compositor_plugin.rs`.
  package static var text: String {
    var translation = RustTranslation(PluginHeader.text)
    return translation.translated()
  }

  static let start = """
    //! compositor_plugin.h, translated by `compositor plugins new --language rust`. Names and comments are those of the header.
    #![allow(dead_code, unused_macros)]

    use std::ffi::{c_char, c_void};

    /// A table that points to other tables, and is never written to.
    #[repr(transparent)]
    pub struct Table<T>(pub T);
    unsafe impl<T> Sync for Table<T> {}

    /// A string for a table: `text(b"glow\\0")`.
    pub const fn text(bytes: &'static [u8]) -> *const c_char { bytes.as_ptr() as *const c_char }

    #[doc(hidden)]
    pub const fn byte_count<S, F>(_: fn(&S) -> &F) -> usize { std::mem::size_of::<F>() }

    /// Whether `*pointer`, which is a struct of the type, is long enough for its field.
    macro_rules! compositor_has {
        ($pointer:expr, $type:ident, $field:ident) => {
            (*$pointer).struct_size
                >= std::mem::offset_of!($type, $field) + $crate::compositor_plugin::byte_count(|value: &$type| &value.$field)
        };
    }
    #[allow(unused_imports)]
    pub(crate) use compositor_has;

    """
}

/// Translates the header from its start to its end.
private struct RustTranslation {
  private let tokens: [RustToken]
  private var position = 0
  private var result = RustHeader.start

  init(_ header: String) { tokens = RustToken.all(of: header) }

  mutating func translated() -> String {
    while position < tokens.count {
      let token = tokens[position]
      switch token.kind {
      case .comment: emit(token)
      case .directive: directive(token.text)
      case .code: declaration()
      }
      position += 1
    }
    return result
  }

  private mutating func emit(_ comment: RustToken) {
    result += comment.isFirstOfLine ? "\(comment.isAfterBlank ? "\n" : "")\(comment.text)\n" : " \(comment.text)\n"
  }

  /// `#define NAME 1`; the other directives are for C alone.
  private mutating func directive(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, words[0] == "#define", let value = Int32(words[2]) else { return }
    result += "pub const \(words[1]): i32 = \(value);\n"
  }

  private mutating func declaration() {
    switch tokens[position].text {
    case "enum": constants()
    case "struct": structure(named: tokens[position + 1].text)
    case "typedef" where tokens[position + 1].text == "struct" && tokens[position + 3].text == "{":
      position += 1
      structure(named: tokens[position + 1].text)
    case "typedef" where tokens[position + 1].text != "struct": functionType()
    default: skip(to: ";")
    }
  }

  private mutating func skip(to end: String) {
    while position < tokens.count, tokens[position].text != end { position += 1 }
  }

  /// `enum { A = 0, /* a */ B = 1 };`
  private mutating func constants() {
    position += 2
    while tokens[position].text != "}" {
      let token = tokens[position]
      if token.kind == .comment {
        emitInner(token, indented: "")
      } else if token.text != "," {
        result += "pub const \(token.text): i32 = \(tokens[position + 2].text);\n"
        position += 2
      }
      position += 1
    }
    skip(to: ";")
  }

  /// `struct X { … };` with the position at `struct`.
  private mutating func structure(named name: String) {
    result += "#[repr(C)]\n#[derive(Clone, Copy)]\npub struct \(name) {\n"
    position += 3
    while tokens[position].text != "}" {
      if tokens[position].kind == .comment {
        emitInner(tokens[position], indented: "    ")
        position += 1
      } else {
        field()
      }
    }
    skip(to: ";")
    result += "}\nimpl \(name) {\n    /// Zero in every field.\n    pub const ZERO: Self = unsafe { std::mem::zeroed() };\n}\n"
  }

  /// A comment after a declaration belongs to its line.
  private mutating func emitInner(_ comment: RustToken, indented indent: String) {
    if !comment.isFirstOfLine, result.hasSuffix("\n") {
      result.removeLast()
      result += " \(comment.text)\n"
    } else {
      result += "\(indent)\(comment.text)\n"
    }
  }

  /// A declaration of one or more fields, up to its semicolon.
  private mutating func field() {
    var code: [String] = []
    while tokens[position].text != ";" {
      if tokens[position].kind == .code { code.append(tokens[position].text) }
      position += 1
    }
    position += 1
    for field in RustField.all(in: code) { result += "    pub \(field.name): \(field.type),\n" }
  }

  /// `typedef const A *(*B)(const C *c);`
  private mutating func functionType() {
    position += 1
    var code: [String] = []
    while tokens[position].text != ";" {
      if tokens[position].kind == .code { code.append(tokens[position].text) }
      position += 1
    }
    guard let field = RustField.all(in: code).first else { return }
    result += "pub type \(field.name) = \(field.type);\n"
  }
}

/// A field, or a parameter of a function.
private struct RustField {
  var name: String
  var type: String

  private static let types = [
    "int32_t": "i32", "int64_t": "i64", "uint8_t": "u8", "size_t": "usize", "ptrdiff_t": "isize", "double": "f64",
    "float": "f32",
    "char": "c_char", "void": "c_void",
  ]
  private static let keywords: Set<String> = ["self", "type", "in", "ref", "move", "match", "use"]

  /// The fields of a declaration without its semicolon: `double minimum, maximum`, `int32_t (*render)(void *instance)`.
  static func all(in code: [String]) -> [RustField] {
    if let open = code.indices.first(where: { code[$0] == "(" && $0 + 1 < code.count && code[$0 + 1] == "*" }) {
      return [function(code, open)]
    }
    let parts = code.split(separator: ",").map(Array.init)
    guard let first = parts.first else { return [] }
    let own = declarator(first)
    // The others of the list have the same base.
    let others = parts.dropFirst().map { part in
      declarator(first.prefix { types[$0] != nil || $0 == "const" || isTypeName($0) } + part)
    }
    return [own] + others
  }

  private static func isTypeName(_ word: String) -> Bool { word.hasPrefix("Compositor") }

  /// `const char *const *names`, `double part[4]`.
  private static func declarator(_ code: some Collection<String>) -> RustField {
    var (base, type, name, count, isConstant) = ("", "", "", "", false)
    for word in code {
      switch word {
      case "const": isConstant = true
      case "*":
        type = (isConstant ? "*const " : "*mut ") + (type.isEmpty ? base : type)
        isConstant = false
      case "[", "]": break
      default:
        if base.isEmpty {
          base = types[word] ?? word
        } else if name.isEmpty {
          name = word
        } else {
          count = word
        }
      }
    }
    if type.isEmpty { type = base }
    return RustField(name: keywords.contains(name) ? name + "_" : name, type: count.isEmpty ? type : "[\(type); \(count)]")
  }

  /// - Parameter open: The index of the parenthesis before the name.
  private static func function(_ code: [String], _ open: Int) -> RustField {
    let result = declarator(Array(code[..<open]) + [""])
    let parameters = code[(open + 5)...].dropLast().split(separator: ",").map { declarator($0) }
    let list = parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
    let arrow = result.type == "c_void" ? "" : " -> \(result.type)"
    return RustField(name: code[open + 2], type: "Option<unsafe extern \"C\" fn(\(list))\(arrow)>")
  }
}

/// A comment, a line of the preprocessor, a word or a character of the header.
private struct RustToken {
  enum Kind { case comment, directive, code }
  var kind: Kind
  var text: String
  var isFirstOfLine: Bool
  var isAfterBlank: Bool

  static func all(of header: String) -> [RustToken] {
    var tokens: [RustToken] = []
    var rest = header[...]
    var (newLines, isForCPlusPlus) = (2, false)
    while let character = rest.first {
      if character.isWhitespace {
        if character.isNewline { newLines += 1 }
        rest = rest.dropFirst()
        continue
      }
      let text: Substring
      let kind: Kind
      if rest.hasPrefix("/*"), let end = rest.firstRange(of: "*/") {
        (kind, text) = (.comment, rest[..<end.upperBound])
      } else if character == "#" {
        (kind, text) = (.directive, directive(rest))
      } else if character.isLetter || character.isNumber || character == "_" {
        (kind, text) = (.code, rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      } else {
        (kind, text) = (.code, rest.prefix(1))
      }
      // What only C++ reads.
      if text == "#ifdef __cplusplus" { isForCPlusPlus = true }
      if !isForCPlusPlus {
        tokens.append(
          RustToken(kind: kind, text: String(text), isFirstOfLine: newLines > 0, isAfterBlank: newLines > 1))
      }
      if text == "#endif" { isForCPlusPlus = false }
      newLines = 0
      rest = rest[text.endIndex...]
    }
    return tokens
  }

  /// A line, with those that it goes on in, up to a comment.
  private static func directive(_ rest: Substring) -> Substring {
    var end = rest.startIndex
    while end < rest.endIndex {
      if rest[end].isNewline, rest[..<end].last != "\\" { break }
      if rest[end...].hasPrefix("/*") { break }
      end = rest.index(after: end)
    }
    let line = rest[..<end]
    let length = line.reversed().drop { $0 == " " }.count
    return line.prefix(length)
  }
}
