// PixelKernels
