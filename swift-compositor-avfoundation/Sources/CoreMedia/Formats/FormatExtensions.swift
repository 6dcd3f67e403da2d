internal import CoreVideo
public import Foundation

/// The name of the codec.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_FormatName: CFString = "FormatName"
/// Bits of a pixel.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_Depth: CFString = "Depth"
/// Bits of a component.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_BitsPerComponent: CFString = "BitsPerComponent"
/// The part of the image to be shown.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_CleanAperture: CFString = "CVCleanAperture"
/// The shape of a pixel.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_PixelAspectRatio: CFString = "CVPixelAspectRatio"
/// The number of fields.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_FieldCount: CFString = "CVFieldCount"
/// The order of two fields.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_FieldDetail: CFString = "CVFieldDetail"
/// The primaries.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_ColorPrimaries: CFString = "CVImageBufferColorPrimaries"
/// The transfer function.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_TransferFunction: CFString = "CVImageBufferTransferFunction"
/// The matrix of Y′CbCr.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_YCbCrMatrix: CFString = "CVImageBufferYCbCrMatrix"
/// Whether Y′CbCr has full range.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_FullRangeVideo: CFString = "FullRangeVideo"
/// Whether there is alpha.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_ContainsAlphaChannel: CFString = "ContainsAlphaChannel"
/// Whether colors are multiplied by alpha.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_AlphaChannelMode: CFString = "AlphaChannelMode"
/// What the file says beside it, by names of atoms.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: CFString =
  "SampleDescriptionExtensionAtoms"
/// ITU-R BT.709.
public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
/// ITU-R BT.2020.
public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
/// P3 with the white of displays.
public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_P3_D65: CFString = "P3_D65"
/// SMPTE C.
public nonisolated(unsafe) let kCMFormatDescriptionColorPrimaries_SMPTE_C: CFString = "SMPTE_C"
/// ITU-R BT.709.
public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
/// ITU-R BT.2100: hybrid log-gamma.
public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
/// SMPTE ST 2084: perceptual quantization.
public nonisolated(unsafe) let kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"
/// ITU-R BT.709.
public nonisolated(unsafe) let kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// ITU-R BT.601.
public nonisolated(unsafe) let kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
/// ITU-R BT.2020.
public nonisolated(unsafe) let kCMFormatDescriptionYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"

extension CMFormatDescription {
  /// What a description says beside types and size.
  public struct Extensions {
    let values: [String: Any]

    /// A name under which something is said.
    public struct Key: RawRepresentable, Hashable, Sendable {
      /// The name.
      public let rawValue: String
      /// A key by its name.
      public init(rawValue: String) { self.rawValue = rawValue }
      /// The name of the codec.
      public static let formatName = Key(rawValue: "FormatName")
      /// Bits of a pixel.
      public static let depth = Key(rawValue: "Depth")
      /// Bits of a component.
      public static let bitsPerComponent = Key(rawValue: "BitsPerComponent")
      /// The shape of a pixel.
      public static let pixelAspectRatio = Key(rawValue: "CVPixelAspectRatio")
      /// The part of the image to be shown.
      public static let cleanAperture = Key(rawValue: "CVCleanAperture")
      /// The primaries.
      public static let colorPrimaries = Key(rawValue: "CVImageBufferColorPrimaries")
      /// The transfer function.
      public static let transferFunction = Key(rawValue: "CVImageBufferTransferFunction")
      /// The matrix of Y′CbCr.
      public static let yCbCrMatrix = Key(rawValue: "CVImageBufferYCbCrMatrix")
      /// Whether Y′CbCr has full range.
      public static let fullRangeVideo = Key(rawValue: "FullRangeVideo")
    }

    /// What is said under a key.
    public struct Value: Equatable, CustomStringConvertible {
      /// The value as it is stored.
      public let propertyListRepresentation: AnyObject

      init(_ value: AnyObject) { propertyListRepresentation = value }

      /// Whether the stored values are equal.
      public static func == (left: Value, right: Value) -> Bool {
        (left.propertyListRepresentation as? NSObject)?.isEqual(right.propertyListRepresentation) ?? false
      }
      /// The stored value as text.
      public var description: String { "\(propertyListRepresentation)" }

      /// Primaries.
      public static func colorPrimaries(_ colorPrimaries: ColorPrimaries) -> Value {
        Value(NSString(string: colorPrimaries.rawValue))
      }
      /// A transfer function.
      public static func transferFunction(_ transferFunction: TransferFunction) -> Value {
        Value(NSString(string: transferFunction.rawValue))
      }
      /// A matrix.
      public static func yCbCrMatrix(_ yCbCrMatrix: YCbCrMatrix) -> Value { Value(NSString(string: yCbCrMatrix.rawValue)) }
      /// Text.
      public static func string(_ string: CFString) -> Value { Value(string) }
      /// A number.
      public static func number<Number: BinaryInteger>(_ number: Number) -> Value { Value(NSNumber(value: Int64(number))) }

      /// Names of primaries.
      public struct ColorPrimaries: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// Primaries by their name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// ITU-R BT.709.
        public static let itu_R_709_2 = ColorPrimaries(rawValue: "ITU_R_709_2")
        /// ITU-R BT.2020.
        public static let itu_R_2020 = ColorPrimaries(rawValue: "ITU_R_2020")
        /// P3 with the white of displays.
        public static let p3_D65 = ColorPrimaries(rawValue: "P3_D65")
        /// SMPTE C.
        public static let smpte_C = ColorPrimaries(rawValue: "SMPTE_C")
      }

      /// Names of transfer functions.
      public struct TransferFunction: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// A transfer function by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// ITU-R BT.709.
        public static let itu_R_709_2 = TransferFunction(rawValue: "ITU_R_709_2")
        /// ITU-R BT.2100: hybrid log-gamma.
        public static let itu_R_2100_HLG = TransferFunction(rawValue: "ITU_R_2100_HLG")
        /// SMPTE ST 2084: perceptual quantization.
        public static let smpte_ST_2084_PQ = TransferFunction(rawValue: "SMPTE_ST_2084_PQ")
      }

      /// Names of matrices.
      public struct YCbCrMatrix: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// A matrix by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// ITU-R BT.709.
        public static let itu_R_709_2 = YCbCrMatrix(rawValue: "ITU_R_709_2")
        /// ITU-R BT.601.
        public static let itu_R_601_4 = YCbCrMatrix(rawValue: "ITU_R_601_4")
        /// ITU-R BT.2020.
        public static let itu_R_2020 = YCbCrMatrix(rawValue: "ITU_R_2020")
      }
    }

    /// What is said under a key; `nil` if nothing is.
    public subscript(key: Key) -> Value? { values[key.rawValue].map { Value($0 as AnyObject) } }

    /// The number of entries.
    public var count: Int { values.count }
    /// Whether nothing is said.
    public var isEmpty: Bool { values.isEmpty }
  }
}
