// swift-testing looks for this module in files that import it beside one called CoreGraphics. It has nothing to add here.
