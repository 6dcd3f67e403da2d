import Compositor

var movie = Timeline()  // size and rate of the first clip
movie.append("a.mp4", from: .seconds(1), for: .seconds(4))
movie.append("b.mp4", for: .seconds(4), transition: .dissolve(.seconds(1)))
movie.overlay(.title("My first movie"), for: .seconds(3))
