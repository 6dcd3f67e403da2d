internal import Foundation

// Keys of attachments, and their values.

/// The part of the image to be shown: a dictionary.
public nonisolated(unsafe) let kCVImageBufferCleanApertureKey: CFString = "CVCleanAperture"
/// Its width.
public nonisolated(unsafe) let kCVImageBufferCleanApertureWidthKey: CFString = "Width"
/// Its height.
public nonisolated(unsafe) let kCVImageBufferCleanApertureHeightKey: CFString = "Height"
/// The distance of its center from that of the image.
public nonisolated(unsafe) let kCVImageBufferCleanApertureHorizontalOffsetKey: CFString = "HorizontalOffset"
/// The distance of its center from that of the image.
public nonisolated(unsafe) let kCVImageBufferCleanApertureVerticalOffsetKey: CFString = "VerticalOffset"
/// The number of fields: 1 or 2.
public nonisolated(unsafe) let kCVImageBufferFieldCountKey: CFString = "CVFieldCount"
/// The order of two fields.
public nonisolated(unsafe) let kCVImageBufferFieldDetailKey: CFString = "CVFieldDetail"
/// The shape of a pixel: a dictionary.
public nonisolated(unsafe) let kCVImageBufferPixelAspectRatioKey: CFString = "CVPixelAspectRatio"
/// The width of a pixel, in a unit of its height's.
public nonisolated(unsafe) let kCVImageBufferPixelAspectRatioHorizontalSpacingKey: CFString = "HorizontalSpacing"
/// The height of a pixel, in a unit of its width's.
public nonisolated(unsafe) let kCVImageBufferPixelAspectRatioVerticalSpacingKey: CFString = "VerticalSpacing"
/// The size on screen: a dictionary.
public nonisolated(unsafe) let kCVImageBufferDisplayDimensionsKey: CFString = "CVDisplayDimensions"
/// Its width.
public nonisolated(unsafe) let kCVImageBufferDisplayWidthKey: CFString = "Width"
/// Its height.
public nonisolated(unsafe) let kCVImageBufferDisplayHeightKey: CFString = "Height"
/// The exponent of a transfer function that is a power: a number.
public nonisolated(unsafe) let kCVImageBufferGammaLevelKey: CFString = "CVImageBufferGammaLevel"
/// An ICC profile: data.
public nonisolated(unsafe) let kCVImageBufferICCProfileKey: CFString = "CVImageBufferICCProfile"
/// The color space: a `CGColorSpace`.
public nonisolated(unsafe) let kCVImageBufferCGColorSpaceKey: CFString = "CGColorSpace"
/// The matrix of Y′CbCr.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
/// ITU-R BT.709.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// ITU-R BT.601.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
/// SMPTE 240M.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// ITU-R BT.2020.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"
/// The primaries.
public nonisolated(unsafe) let kCVImageBufferColorPrimariesKey: CFString = "CVImageBufferColorPrimaries"
/// ITU-R BT.709.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
/// EBU Tech. 3213: 625 lines.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_EBU_3213: CFString = "EBU_3213"
/// SMPTE C: 525 lines.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_SMPTE_C: CFString = "SMPTE_C"
/// P22 phosphors.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_P22: CFString = "P22"
/// P3 with the white of cinemas.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_DCI_P3: CFString = "DCI_P3"
/// P3 with the white of displays.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_P3_D65: CFString = "P3_D65"
/// ITU-R BT.2020.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
/// The transfer function.
public nonisolated(unsafe) let kCVImageBufferTransferFunctionKey: CFString = "CVImageBufferTransferFunction"
/// ITU-R BT.709.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
/// SMPTE 240M.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// A power, whose exponent is attached, too.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_UseGamma: CFString = "UseGamma"
/// IEC 61966-2-1.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_sRGB: CFString = "IEC_sRGB"
/// ITU-R BT.2020.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_ITU_R_2020: CFString = "ITU_R_2020"
/// SMPTE ST 428-1: cinema.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_SMPTE_ST_428_1: CFString = "SMPTE_ST_428_1"
/// SMPTE ST 2084: perceptual quantization.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"
/// ITU-R BT.2100: hybrid log-gamma.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
/// Light itself.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_Linear: CFString = "Linear"
/// Where chroma samples are, of progressive images or top fields.
public nonisolated(unsafe) let kCVImageBufferChromaLocationTopFieldKey: CFString = "CVImageBufferChromaLocationTopField"
/// Where chroma samples are, of bottom fields.
public nonisolated(unsafe) let kCVImageBufferChromaLocationBottomFieldKey: CFString = "CVImageBufferChromaLocationBottomField"
/// On the left column, between two rows.
public nonisolated(unsafe) let kCVImageBufferChromaLocation_Left: CFString = "Left"
/// Between columns and rows.
public nonisolated(unsafe) let kCVImageBufferChromaLocation_Center: CFString = "Center"
/// On the left column and the top row.
public nonisolated(unsafe) let kCVImageBufferChromaLocation_TopLeft: CFString = "TopLeft"
/// Between columns, on the top row.
public nonisolated(unsafe) let kCVImageBufferChromaLocation_Top: CFString = "Top"
/// Whether every pixel is opaque.
public nonisolated(unsafe) let kCVImageBufferAlphaChannelIsOpaque: CFString = "AlphaChannelIsOpaque"
/// Whether colors are multiplied by alpha.
public nonisolated(unsafe) let kCVImageBufferAlphaChannelModeKey: CFString = "AlphaChannelMode"
/// They are not.
public nonisolated(unsafe) let kCVImageBufferAlphaChannelMode_StraightAlpha: CFString = "StraightAlpha"
/// They are.
public nonisolated(unsafe) let kCVImageBufferAlphaChannelMode_PremultipliedAlpha: CFString = "PremultipliedAlpha"
/// The mastering display, SMPTE ST 2086: data.
public nonisolated(unsafe) let kCVImageBufferMasteringDisplayColorVolumeKey: CFString = "MasteringDisplayColorVolume"
/// The light levels, CTA-861.3: data.
public nonisolated(unsafe) let kCVImageBufferContentLightLevelInfoKey: CFString = "ContentLightLevelInfo"
