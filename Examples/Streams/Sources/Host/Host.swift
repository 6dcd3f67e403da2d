/// The size of the stage.
public let stageSize = (width: 640, height: 360)
