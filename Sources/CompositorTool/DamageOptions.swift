public import ArgumentParser
import CompositorMediaIO

/// What becomes of damaged sources.
struct DamageOptions: ParsableArguments {
  @Option(
    help: """
      If frames or audio are missing from a source: fail ends with an error, keep holds the last good frame, leaves silence, and \
      names and counts what is missing.
      """)
  var damaged: DamagePolicy = .fail
}

extension DamagePolicy: ExpressibleByArgument {}
