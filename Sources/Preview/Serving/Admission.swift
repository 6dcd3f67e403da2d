/// Decides which requests are served.
///
/// A page of another site can reach every port of this machine: with a form, an image or a WebSocket, or through a host name
/// that resolves to 127.0.0.1. A request must therefore name this machine as its host, a WebSocket must come from a page of
/// this server, and everything needs the token, which such a page cannot know.
package struct Admission: Sendable {
  /// The decision on a request.
  package enum Verdict: Equatable {
    /// Served. `isByLink`: the token was in the URL, and the response sets a cookie.
    case admitted(isByLink: Bool)
    /// 403: it names another host or comes from another site.
    case forbidden
    /// 401: the token is missing or wrong.
    case unauthorized
  }

  /// The required token.
  package let token: AccessToken
  /// The server's port.
  package let port: UInt16

  package init(token: AccessToken, port: UInt16) { (self.token, self.port) = (token, port) }

  /// This machine's names for itself, with the port.
  package var hosts: [String] {
    let names = ["127.0.0.1", "localhost", "[::1]"]
    return names.map { "\($0):\(port)" } + (port == 80 ? names : [])
  }

  /// The name contains the port because cookies are shared by all ports of a host.
  package var cookieName: String { "compositor_preview_\(port)" }

  /// Decides on a request.
  package func verdict(on head: RequestHead) -> Verdict {
    guard let host = head.headers["host"]?.lowercased(), hosts.contains(host) else { return .forbidden }
    if let origin = head.headers["origin"], origin.lowercased() != "http://\(host)" { return .forbidden }
    // Browsers always state the origin of a WebSocket.
    if head.isUpgrade, head.headers["origin"] == nil { return .forbidden }
    if let cookie = head.cookies[cookieName], token.matches(cookie) { return .admitted(isByLink: false) }
    if let header = head.headers["x-preview-token"], token.matches(header) { return .admitted(isByLink: false) }
    if head.path == "/", let query = head.query["token"], token.matches(query) { return .admitted(isByLink: true) }
    return .unauthorized
  }

  /// The cookie that replaces the token in the URL: sent only by pages of this server, and inaccessible to scripts.
  package var cookie: String { "\(cookieName)=\(token.text); Path=/; HttpOnly; SameSite=Strict" }
}
