internal import Foundation

// Attributes of buffers and pools.

/// The pixel format: a number, or a list of them.
public nonisolated(unsafe) let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The allocator.
public nonisolated(unsafe) let kCVPixelBufferMemoryAllocatorKey: CFString = "MemoryAllocator"
/// Pixels per row.
public nonisolated(unsafe) let kCVPixelBufferWidthKey: CFString = "Width"
/// Rows.
public nonisolated(unsafe) let kCVPixelBufferHeightKey: CFString = "Height"
/// Columns to the left of the image. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferExtendedPixelsLeftKey: CFString = "ExtendedPixelsLeft"
/// Rows above the image. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferExtendedPixelsTopKey: CFString = "ExtendedPixelsTop"
/// Columns to the right of the image. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferExtendedPixelsRightKey: CFString = "ExtendedPixelsRight"
/// Rows below the image. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferExtendedPixelsBottomKey: CFString = "ExtendedPixelsBottom"
/// The alignment of rows in bytes, a power of 2. Rows are aligned to 64 bytes in any case.
public nonisolated(unsafe) let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
/// The alignment of planes in bytes. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferPlaneAlignmentKey: CFString = "PlaneAlignment"
/// Whether a bitmap context can use it. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// Whether an image can be made of it. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// Whether OpenGL can use it. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferOpenGLCompatibilityKey: CFString = "OpenGLCompatibility"
/// Whether OpenGL ES can use it. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferOpenGLESCompatibilityKey: CFString = "OpenGLESCompatibility"
/// Whether Metal can use it. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
/// Properties of a surface that devices share. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// Attachments of new buffers that are passed on.
public nonisolated(unsafe) let kCVBufferPropagatedAttachmentsKey: CFString = "PropagatedAttachments"
/// Attachments of new buffers that are not passed on.
public nonisolated(unsafe) let kCVBufferNonPropagatedAttachmentsKey: CFString = "NonPropagatedAttachments"
/// How many buffers a pool keeps memory for.
public nonisolated(unsafe) let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
/// How many seconds free memory is kept. It has no effect.
public nonisolated(unsafe) let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
/// How many buffers of a pool may be in use.
public nonisolated(unsafe) let kCVPixelBufferPoolAllocationThresholdKey: CFString = "AllocationThreshold"
