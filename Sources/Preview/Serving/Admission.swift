/// Decides who is served.
///
/// A page of another site can reach every port of this machine: by a form, by an image, by a WebSocket, and by a name of its own that it
/// lets resolve to 127.0.0.1. So a request has to name this machine as its host, a WebSocket has to come from a page of this server, and
/// everything needs the token, which such a page cannot know.
package struct Admission: Sendable {
  /// How a request is answered.
  package enum Verdict: Equatable {
    /// It is served. `isByLink`: it brought the token in its address, and is given a cookie.
    case admitted(isByLink: Bool)
    /// 403: it names another host, or comes from another site.
    case forbidden
    /// 401: it does not know the token.
    case unauthorized
  }

  /// What has to be known.
  package let token: AccessToken
  /// Where the server listens.
  package let port: UInt16

  package init(token: AccessToken, port: UInt16) { (self.token, self.port) = (token, port) }

  /// The names that this machine has for itself, with the port.
  package var hosts: [String] {
    let names = ["127.0.0.1", "localhost", "[::1]"]
    return names.map { "\($0):\(port)" } + (port == 80 ? names : [])
  }

  /// Cookies are shared by all ports of a host: the name says whose it is.
  package var cookieName: String { "compositor_preview_\(port)" }

  /// How a request is answered.
  package func verdict(on head: RequestHead) -> Verdict {
    guard let host = head.headers["host"]?.lowercased(), hosts.contains(host) else { return .forbidden }
    if let origin = head.headers["origin"], origin.lowercased() != "http://\(host)" { return .forbidden }
    // Browsers always say where a WebSocket comes from.
    if head.isUpgrade, head.headers["origin"] == nil { return .forbidden }
    if let cookie = head.cookies[cookieName], token.matches(cookie) { return .admitted(isByLink: false) }
    if let header = head.headers["x-preview-token"], token.matches(header) { return .admitted(isByLink: false) }
    if head.path == "/", let query = head.query["token"], token.matches(query) { return .admitted(isByLink: true) }
    return .unauthorized
  }

  /// The cookie that stands for the token from now on: sent by pages of this server only, and out of reach of scripts.
  package var cookie: String { "\(cookieName)=\(token.text); Path=/; HttpOnly; SameSite=Strict" }
}
