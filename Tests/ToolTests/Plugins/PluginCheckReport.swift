/// What `plugins check --json` prints.
struct PluginCheckReport: Decodable {
  struct Line: Decodable {
    var check: String
    var outcome: String
    var detail: String
  }
  struct Compositor: Decodable {
    var id: String
    var lines: [Line]
  }
  var compositors: [Compositor]
}
