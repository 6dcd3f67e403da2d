/// The text over the video.
public let caption = "Two streams"
