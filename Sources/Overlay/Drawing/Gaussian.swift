import CompositorAPI
import CompositorPlatform

/// e^(−x²/2)
func gaussian(_ x: Double) -> Double { exp(-x * x / 2) }
