/// What is said over it.
public let caption = "Two streams"
