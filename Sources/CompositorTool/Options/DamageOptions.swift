public import ArgumentParser
import Compositor

/// Options for damaged sources.
struct DamageOptions: ParsableArguments {
  @Option(
    help: """
      What to do if frames or audio are missing from a source: fail ends with an error; keep holds the last good frame, inserts silence, \
      and reports how much is missing.
      """)
  var damaged: DamagePolicy = .fail
}

extension DamagePolicy: ExpressibleByArgument {}
