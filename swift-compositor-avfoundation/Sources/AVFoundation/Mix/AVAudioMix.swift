internal import Compositor
public import Foundation

/// Volumes of a track over time.
open class AVAudioMixInputParameters: NSObject, NSCopying, NSMutableCopying {
  var volume = PropertyTimeline<Double>(default: 1)
  var number = kCMPersistentTrackID_Invalid
  var algorithm: AVAudioTimePitchAlgorithm?

  /// Parameters of no track.
  public override init() { super.init() }

  fileprivate init(of other: AVAudioMixInputParameters) {
    volume = other.volume
    number = other.number
    algorithm = other.algorithm
    super.init()
  }

  /// The track.
  open var trackID: CMPersistentTrackID { number }
  /// How pitch follows the speed; `nil` for that of the session.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { algorithm }

  /// The change of volume at a time: the one that contains it, else the next one.
  ///
  /// - Returns: False if there is none from that time on; then nothing is written to the pointers.
  open func getVolumeRamp(
    for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
    timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    guard let ramp = volume.ramps.first(where: { $0.timeRange.end > time.media }) else { return false }
    startVolume?.pointee = Float(ramp.start)
    endVolume?.pointee = Float(ramp.end)
    timeRange?.pointee = CMTimeRange(ramp.timeRange)
    return true
  }

  /// The same parameters, which do not change.
  open func copy(with zone: NSZone? = nil) -> Any { AVAudioMixInputParameters(of: self) }
  /// The same parameters, which may be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = AVMutableAudioMixInputParameters()
    (copy.volume, copy.number, copy.algorithm) = (volume, number, algorithm)
    return copy
  }
}

/// Volumes of a track over time, which may be changed.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters {
  /// Parameters of no track.
  public override init() { super.init() }

  /// Parameters of a track; of no track if there is none.
  public convenience init(track: AVAssetTrack?) {
    self.init()
    number = track?.trackID ?? kCMPersistentTrackID_Invalid
  }

  /// The track.
  open override var trackID: CMPersistentTrackID {
    get { number }
    set { number = newValue }
  }
  /// How pitch follows the speed; `nil` for that of the session.
  open override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
    get { algorithm }
    set { algorithm = newValue }
  }

  /// Sets the volume from a time on, until the next one that is set.
  open func setVolume(_ volume: Float, at time: CMTime) {
    requireSet("setVolume(\(volume), at: \(time.seconds) s)") { () throws(CompositorError) in
      try self.volume.set(Double(volume), at: time.media)
    }
  }

  /// Changes the volume over a range, which must not overlap another one. The last volume remains after it.
  open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
    requireSet("setVolumeRamp from \(timeRange.start.seconds) s") { () throws(CompositorError) in
      try volume.setRamp(from: Double(startVolume), to: Double(endVolume), timeRange: timeRange.media)
    }
  }
}

/// Stops the program with a sentence where Apple's systems raise an exception, which no program catches either.
func requireSet(_ call: String, _ change: () throws(CompositorError) -> Void) {
  do { try change() } catch { preconditionFailure("\(call): \(error.message) \(error.recoverySuggestion ?? "")") }
}

/// How the tracks of an asset are mixed.
open class AVAudioMix: NSObject, NSCopying, NSMutableCopying {
  var parameters: [AVAudioMixInputParameters] = []

  /// A mix in which all tracks play as they are.
  public override init() { super.init() }

  /// Parameters of some of the tracks; others play as they are.
  open var inputParameters: [AVAudioMixInputParameters] { parameters }

  /// The same mix, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = AVAudioMix()
    copy.parameters = parameters.map(AVAudioMixInputParameters.init(of:))
    return copy
  }

  /// The same mix, which may be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = AVMutableAudioMix()
    copy.parameters = parameters.map(AVAudioMixInputParameters.init(of:))
    return copy
  }

  /// The mix as the compositor takes it.
  var mix: AudioMix {
    AudioMix(
      inputParameters: parameters.map { parameters in
        var input = Compositor.AudioMixInputParameters(trackID: parameters.trackID)
        input.volume = parameters.volume
        return input
      })
  }
}

/// How the tracks of an asset are mixed, which may be changed.
open class AVMutableAudioMix: AVAudioMix {
  /// A mix in which all tracks play as they are.
  public override init() { super.init() }

  /// Parameters of some of the tracks.
  open override var inputParameters: [AVAudioMixInputParameters] {
    get { parameters }
    set { parameters = newValue.map(AVAudioMixInputParameters.init(of:)) }
  }
}
