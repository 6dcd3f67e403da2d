/// What an audio processor is called and what can be set on it.
public struct AudioProcessorDescriptor: Hashable, Sendable, Codable {
  /// The name that edits and projects use, in reverse domain order: `org.example.robot`.
  public var id: AudioProcessorID
  /// The name that people read.
  public var name: String
  /// The version, `major.minor.patch`.
  public var version: String
  /// What it does, one sentence.
  public var summary: String
  /// Its parameters; none of them changes over time.
  public var parameters: [ParameterDescription]

  /// Describes a processor.
  public init(
    id: AudioProcessorID, name: String, version: String = "1.0.0", summary: String, parameters: [ParameterDescription] = []
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.summary = summary
    self.parameters = parameters
  }

  /// The parameters as those of a compositor, for whoever checks values against a schema.
  package var schema: CompositorDescriptor {
    CompositorDescriptor(
      id: CompositorID(rawValue: id.rawValue), name: name, version: version, summary: summary, parameters: parameters)
  }
}

extension AudioProcessorID: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

/// The samples that an instance of a processor gets. They do not change during its life.
public struct AudioProcessingContext: Hashable, Sendable {
  /// Samples a second.
  public var sampleRate: Int
  /// Channels, 1 … 8, in the usual order of that number (2: left, right; 6: 5.1).
  public var channelCount: Int
  /// The most samples of a block.
  public var maximumCount: Int

  /// Describes samples.
  public init(sampleRate: Int, channelCount: Int, maximumCount: Int = 1024) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumCount = maximumCount
  }
}

/// An instance that changes samples. It has one owner and is called on one thread at a time.
///
/// Blocks come in order, without gaps, all of the same length, whatever length a mix is asked for in: what an instance makes depends on
/// the samples and on nothing else.
public protocol AudioBlockProcessor: AnyObject {
  /// How many samples later its output is than its input, ≥ 0; constant. The host takes the delay away. Default 0.
  var latency: Int { get }
  /// For how many samples it can be heard after its input has ended, ≥ 0, delay left out; the host goes on with silence for so long.
  /// Default 0.
  var tail: Int { get }
  /// Changes a block in place.
  ///
  /// - Parameters:
  ///   - channels: Planar samples, nominally −1 … 1; valid during the call.
  ///   - count: Samples of each channel, at most the context's.
  ///   - position: The first sample's place in the composition, in samples from time 0.
  /// - Throws: What went wrong; the export ends with it.
  func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) throws
  /// Forgets all samples: the next block does not follow the last one. Default: nothing.
  func reset()
}

extension AudioBlockProcessor {
  /// No delay.
  public var latency: Int { 0 }
  /// No tail.
  public var tail: Int { 0 }
  /// Nothing to forget.
  public func reset() {}
}

/// An audio processor as a type of the program.
///
/// ```swift
/// final class Tremolo: AudioProcessor {
///   static let descriptor = AudioProcessorDescriptor(
///     id: "org.example.tremolo", name: "Tremolo", summary: "Makes it louder and softer, four times a second.")
///   private let rate: Double
///
///   init(parameters: ParameterValues, context: AudioProcessingContext) { rate = Double(context.sampleRate) }
///
///   func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) {
///     for channel in channels {
///       for index in 0..<count { channel[index] *= Float(0.75 + 0.25 * sin(8 * .pi * Double(position + Int64(index)) / rate)) }
///     }
///   }
/// }
/// ```
public protocol AudioProcessor: AudioBlockProcessor, SendableMetatype {
  /// What it is called and what can be set on it.
  static var descriptor: AudioProcessorDescriptor { get }
  /// Makes an instance.
  ///
  /// - Parameter parameters: Values by key, checked against the descriptor, with defaults filled in.
  /// - Throws: For values that it cannot use.
  init(parameters: ParameterValues, context: AudioProcessingContext) throws
}

/// A processor that gives samples when it has them: as many as it was given in all, each at its own place, but later.
package protocol BufferingAudioProcessor: AudioBlockProcessor {
  /// Takes the next block.
  func send(_ channels: [UnsafeMutablePointer<Float>], count: Int) throws(CompositorError)
  /// Gives up to `count` samples that are ready, to the beginning of `channels`.
  func receive(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) -> Int
}

/// Makes the instances of one processor, whatever it comes from.
public struct AudioProcessorFactory: Sendable {
  /// What it is called and what can be set on it.
  public let descriptor: AudioProcessorDescriptor
  /// Where it comes from. Equal origins with equal IDs are the same processor.
  public let origin: CompositorFactory.Origin
  private let make: @Sendable (ParameterValues, AudioProcessingContext) throws -> any AudioBlockProcessor

  /// A factory of a Swift type's instances.
  public init(_ type: any AudioProcessor.Type) {
    descriptor = type.descriptor
    origin = .type(ObjectIdentifier(type), name: String(describing: type))
    make = { try type.init(parameters: $0, context: $1) }
  }

  /// A factory of a plugin's processors.
  ///
  /// - Parameters:
  ///   - plugin: The plugin, as people name it: a path, or a collection's name.
  ///   - make: Makes an instance; called on any thread.
  public init(
    _ descriptor: AudioProcessorDescriptor, plugin: String,
    make: @escaping @Sendable (ParameterValues, AudioProcessingContext) throws -> any AudioBlockProcessor
  ) {
    self.descriptor = descriptor
    origin = .plugin(plugin)
    self.make = make
  }

  /// Makes an instance.
  ///
  /// - Parameter parameters: Values by key; absent ones have their defaults.
  /// - Throws: Whatever the processor throws for parameters that it cannot use, with its name.
  public func makeProcessor(
    parameters: ParameterValues, context: AudioProcessingContext
  ) throws(CompositorError) -> any AudioBlockProcessor {
    var values = parameters
    for description in descriptor.parameters {
      for alias in description.aliases {
        guard let value = values.removeValue(forKey: alias), values[description.key] == nil else { continue }
        values[description.key] = value
      }
      if values[description.key] == nil { values[description.key] = description.defaultValue }
    }
    do {
      return try make(values, context)
    } catch let error as CompositorError {
      throw error.locating(ErrorLocation(compositor: CompositorID(rawValue: descriptor.id.rawValue)))
    } catch {
      throw CompositorError(
        .invalidParameter, "The audio processor “\(descriptor.id)” cannot be made.",
        recoverySuggestion: "Check its parameters.", cause: "\(error)")
    }
  }
}

/// Makes the processors that an audio mix names: a registry.
public protocol AudioProcessorProvider: Sendable {
  /// The processor of a name; nil where there is none.
  func audioProcessor(_ id: AudioProcessorID) -> AudioProcessorFactory?
}

extension AudioMix {
  /// Every processor that the mix names.
  public var processorIDs: Set<AudioProcessorID> {
    Set((processors + inputParameters.flatMap(\.processors)).map(\.processor))
  }
}
