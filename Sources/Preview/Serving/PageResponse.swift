import Foundation

/// A response that ends its connection.
struct PageResponse: Sendable {
  var status: Int
  var type: String
  var body: [UInt8]
  var headers: [String: String] = [:]

  init(_ status: Int, type: String = "text/plain; charset=utf-8", body: [UInt8], headers: [String: String] = [:]) {
    (self.status, self.type, self.body, self.headers) = (status, type, body, headers)
  }

  init(_ status: Int, _ text: String, headers: [String: String] = [:]) {
    self.init(status, body: Array((text + "\n").utf8), headers: headers)
  }

  /// The response to a request that cannot be served; `nil` for errors of its connection.
  init?(refusing error: any Error) {
    switch error {
    case RequestHead.Mistake.malformed: self.init(400, "This is not a request of HTTP/1.1.")
    case RequestHead.Mistake.incomplete: self.init(408, "The request took too long.")
    case RequestHead.Mistake.tooLarge: self.init(431, "The request is too large.")
    case WebSocketHandshake.Mistake.malformed: self.init(400, "This is not a request for a WebSocket.")
    case WebSocketHandshake.Mistake.unsupportedVersion:
      let version = WebSocketHandshake.version
      self.init(426, "WebSockets have version \(version) here.", headers: ["Sec-WebSocket-Version": version])
    default: return nil
    }
  }

  static let phrases = [
    200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 426: "Upgrade Required", 431: "Request Header Fields Too Large", 503: "Service Unavailable",
  ]

  /// Headers of every response: nothing is loaded from elsewhere or cached, and other pages cannot embed the page.
  static func protection(host: String?) -> [String: String] {
    // 'self' does not cover WebSockets in every browser.
    let sockets = host.map { " ws://\($0)" } ?? ""
    return [
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'\(sockets); "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
      "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
    ]
  }

  /// The whole response. With `HEAD`, the body is omitted but its length is stated.
  ///
  /// - Parameter host: The host that the request named, if it may be repeated.
  func bytes(host: String?, isHead: Bool) -> Data {
    var lines = ["HTTP/1.1 \(status) \(PageResponse.phrases[status] ?? "Status")"]
    var all = PageResponse.protection(host: host)
    all["Content-Type"] = type
    all["Content-Length"] = "\(body.count)"
    all["Connection"] = "close"
    all.merge(headers) { _, own in own }
    lines += all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    var data = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    if !isHead { data.append(contentsOf: body) }
    return data
  }
}

/// The files of the page, which are part of the program.
enum PageFiles {
  /// The file at a path; `nil` unless the path matches exactly.
  static func response(for path: String) -> PageResponse? {
    guard let file = files[path] else { return nil }
    return PageResponse(200, type: file.type, body: file.bytes)
  }

  private static let script = "text/javascript; charset=utf-8"
  private static let files: [String: (type: String, bytes: [UInt8])] = [
    "/": ("text/html; charset=utf-8", PackageResources.index_html),
    "/preview.css": ("text/css; charset=utf-8", PackageResources.preview_css),
    "/preview.js": (script, PackageResources.preview_js),
    "/connection.js": (script, PackageResources.connection_js),
    "/transport.js": (script, PackageResources.transport_js),
    "/picture.js": (script, PackageResources.picture_js),
    "/audio.js": (script, PackageResources.audio_js),
    "/timeline.js": (script, PackageResources.timeline_js),
    "/costs.js": (script, PackageResources.costs_js),
    "/diagnostics.js": (script, PackageResources.diagnostics_js),
    "/scopes.js": (script, PackageResources.scopes_js),
    "/keys.js": (script, PackageResources.keys_js),
    "/timecode.js": (script, PackageResources.timecode_js),
    "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
  ]
}
