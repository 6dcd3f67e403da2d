import CompositorAPI
import CompositorHost
import Testing

/// Parts of titles that are never seen: layers, words, letters, and animations that never begin.
struct UnseenPartTests {
  private static let text = "position: [160, 90], content: { text: { string: 'one two three four', font: { size: 20 }"
  private static let box = "bounds: [9, 9], position: [9, 9], backgroundColor: 'red'"
  private static let clear = "bounds: [9, 9], position: [9, 9], backgroundColor: '#ff000080'"
  private static let low = "{ position: [160, 150], content: { text: { string: 'low', font: { size: 20 } } } }"
  private static let bar = "bounds: [300, 40], position: [160, 150], backgroundColor: 'black'"

  @Test(arguments: [
    // A layer, in a group that begins later and runs faster.
    (
      "{ start: '1s', duration: '1s', layer: { sublayers: [{ timing: { beginTime: '0.5s', speed: 2 }, sublayers: [{ timing: { beginTime: '1.2s' }, bounds: [9, 9], position: [9, 9], backgroundColor: 'red' }] }, { bounds: [9, 9], position: [9, 9], backgroundColor: 'blue' }] } }",
      "titleNotSeen", "at 1.1 s of the title, which lasts 1 s"
    ),
    // An animation in a group that is shorter.
    (
      "{ duration: '2s', layer: { bounds: [9, 9], position: [9, 9], backgroundColor: 'red', animations: [{ group: [{ property: 'opacity', to: 0, beginTime: '1s' }], duration: '0.5s' }] } }",
      "rampOutsideRange", "animation of opacity"
    ),
    (
      "{ duration: '1s', layer: { \(text), animators: [{ by: 'word', delay: '0.4s', animations: [{ property: 'opacity', from: 0 }] }] } } } }",
      "titleNotSeen", "1 of the 4 words"
    ),
    (
      "{ duration: '0.5s', layer: { \(text), animators: [{ by: 'word', animations: [{ property: 'opacity', from: 0, beginTime: '0.5s' }] }] } } } }",
      "titleNotSeen", "“one” begins at 0.5 s of the title, which lasts 0.5 s"
    ),
    (
      "{ duration: '1s', layer: { \(text), animators: [{ by: 'character', delay: '0.1s', animations: [{ property: 'transform.translation', from: [0, 9] }] }] } } } }",
      "rampOutsideRange", "5 of the 15 letters"
    ),
    // The same while letters are scrambled, letters that are scrambled until the end, and an animator that hides them all the time.
    (
      "{ duration: '1s', layer: { \(text), animators: [{ delay: '0.1s', scramble: {}, animations: [{ property: 'opacity', from: 0, duration: '0.05s' }] }] } } } }",
      "titleNotSeen", "5 of the 15 letters of the text “one two three four” are never seen"
    ),
    (
      "{ duration: '1s', layer: { \(text), animators: [{ delay: '0.05s', scramble: {} }] } } } }", "rampOutsideRange",
      "5 of the 15 letters of the text “one two three four” never settle: “e” would settle at 1 s of the title, which lasts 1 s"
    ),
    (
      "{ duration: '1s', layer: { \(text), animators: [{ by: 'word', scramble: { duration: '3s', spacing: 'natural' } }] } } } }",
      "rampOutsideRange", "No word of the text “one two three four” ever settles"
    ),
    (
      "{ layer: { \(text), animators: [{ animations: [{ property: 'opacity', values: [0] }] }] } } } }", "titleNotSeen",
      "their animator keeps their opacity at 0"
    ),
    // The layer ends before its title does.
    (
      "{ duration: '2s', layer: { sublayers: [{ \(text), animators: [{ delay: '0.05s', scramble: {} }] } }, timing: { duration: '1s' } }] } }",
      "rampOutsideRange",
      "5 of the 15 letters of the text “one two three four” never settle: “e” would settle at 1 s of the title, in which its layer is shown until 1 s"
    ),
    (
      "{ duration: '2s', layer: { sublayers: [{ \(text), animators: [{ delay: '0.1s', animations: [{ property: 'opacity', from: 0, duration: '0.05s' }] }] } }, timing: { duration: '1s' } }] } }",
      "titleNotSeen", "of the title, in which its layer is shown until 1 s"
    ),
    (
      "{ duration: '2s', layer: { sublayers: [{ \(text) } }, timing: { duration: '1s' }, animations: [{ property: 'text.reveal', from: 0, to: 1, duration: '1.5s' }] }] } }",
      "titleNotSeen", "would end at 1.5 s of the title, in which its layer is shown until 1 s"
    ),
    // Under a layer of its title.
    ("{ layer: { sublayers: [\(low), { \(bar) }] } }", "titleNotSeen", "an opaque layer of the same title lies above it"),
    ("{ layer: { sublayers: [\(low), { \(bar), cornerRadius: 8 }] } }", "titleNotSeen", "an opaque layer of the same title"),
    (
      "{ layer: { sublayers: [\(low), { bounds: [300, 60], position: [160, 150], content: { gradient: { colors: ['red', 'blue'] } }, cornerRadii: [20, 0, 9, 0] }] } }",
      "titleNotSeen", "an opaque layer of the same title"
    ),
    (
      "{ layer: { sublayers: [\(low), { bounds: [300, 99], position: [160, 140], transform: { rotationZ: 5 }, backgroundColor: 'black' }] } }",
      "titleNotSeen", "an opaque layer of the same title"
    ),
    (
      "{ layer: { sublayers: [\(low), { bounds: [320, 70], position: [160, 145], content: { video: true } }] } }",
      "titleNotSeen", "an opaque layer of the same title"
    ),
    (
      "{ duration: '1s', layer: { \(text) } }, animations: [{ property: 'text.reveal', from: 0, to: 1, duration: '2s' }] } }",
      "titleNotSeen", "Only 8 of the 18 characters"
    ),
    // Transparent, outside and cropped to nothing beside others.
    (
      "{ layer: { sublayers: [{ bounds: [9, 9], position: [-99, 9], backgroundColor: 'red' }, { \(text) } } }] } }",
      "titleNotSeen", "outside of the canvas"
    ),
    (
      "{ layer: { sublayers: [{ bounds: [9, 9], position: [9, 9], backgroundColor: 'red', opacity: 0, animations: [{ property: 'opacity', to: 0 }] }, { \(text) } } }] } }",
      "titleNotSeen", "transparent or hidden"
    ),
    (
      "{ layer: { sublayers: [{ content: { gradient: { colors: ['red', 'blue'] } } }, { \(text) } } }] } }",
      "titleNotSeen", "no bounds"
    ),
    (
      "{ layer: { bounds: [9, 9], position: [9, 9], sublayers: [{ bounds: [4, 4], backgroundColor: 'red' }], content: { emitter: {} } } }",
      "titleNotSeen", "birthRate is 0"
    ),
    // Of the whole title: no bounds, no copies, no size, a mask in coordinates of the canvas.
    ("{ layer: { position: [160, 90], backgroundColor: 'red' } }", "titleNotSeen", "no bounds"),
    // Parts of a flexible layout that get no room.
    (
      "{ layer: { sublayers: [{ layout: { left: 9, top: 9 }, flex: {}, sublayers: [{ layout: { grow: 1 }, backgroundColor: 'red' }, { layout: { width: 9, height: 9 }, backgroundColor: 'red' }] }] } }",
      "titleNotSeen", "its width is 0"
    ),
    (
      "{ layer: { sublayers: [{ layout: { left: 9, top: 9, width: 90, height: 60 }, flex: { alignItems: 'center' }, sublayers: [{ layout: { width: 60 }, backgroundColor: 'red' }, { layout: { width: 9, height: 9 }, backgroundColor: 'red' }] }] } }",
      "titleNotSeen", "its height is 0"
    ),
    (
      "{ layer: { bounds: [99, 50], position: [160, 90], content: { replicator: { instanceCount: 0 } }, sublayers: [{ bounds: [9, 9], backgroundColor: 'red' }] } }",
      "titleNotSeen", "instanceCount is 0"
    ),
    (
      "{ layer: { position: [160, 90], content: { text: { string: 'abc', font: { size: 0 } } } } }", "titleNotSeen",
      "size of its font is 0"
    ),
    (
      "{ layer: { bounds: [99, 50], position: [160, 90], backgroundColor: 'red', mask: { bounds: [9, 9], position: [160, 90], backgroundColor: 'black' } } }",
      "titleNotSeen", "outside of its mask"
    ),
    // Bounds that cut off all of a group, and none.
    (
      "{ layer: { sublayers: [{ bounds: [50, 50], position: [160, 90], masksToBounds: true, sublayers: [{ bounds: [20, 20], position: [100, 25], backgroundColor: 'red' }] }, { \(text) } } }] } }",
      "titleNotSeen", "masksToBounds"
    ),
    (
      "{ layer: { sublayers: [{ position: [160, 90], masksToBounds: true, sublayers: [{ bounds: [20, 20], backgroundColor: 'red' }] }] } }",
      "titleNotSeen", "masksToBounds"
    ),
    // The mask of a group, beside another layer.
    (
      "{ layer: { sublayers: [{ mask: { bounds: [9, 9], position: [300, 9], backgroundColor: 'black' }, sublayers: [{ bounds: [9, 9], position: [9, 9], backgroundColor: 'red' }] }, { \(text) } } }] } }",
      "titleNotSeen", "outside of its mask"
    ),
    (
      "{ layer: { \(text), animators: [{ by: 'word', delay: '0.2s' }] } } } }", "effectUnchanging", "it has no animations"
    ),
    // Settings that change nothing for what is or isn't beside them.
    (
      "{ layer: { \(box), transitionSource: { \(box) } } }", "effectUnchanging",
      "transitionSource changes nothing: no animation of the layer is a transition"
    ),
    (
      "{ layer: { \(box), timing: { duration: '1s', repeatDuration: '2s', repeatCount: 3 } } }", "effectUnchanging",
      "repeatCount changes nothing beside repeatDuration"
    ),
    (
      "{ layer: { \(box), animations: [{ group: [{ property: 'position.x', to: 9, repeatDuration: 'forever', repeatCount: 2 }], duration: '1s' }] } }",
      "effectUnchanging", "repeatCount changes nothing beside repeatDuration"
    ),
    (
      "{ layer: { \(text), animators: [{ by: 'word', range: [4, 2], animations: [{ property: 'opacity', from: 0 }] }] } } } }",
      "effectUnchanging", "its range begins at 4, but the text “one two three four” has 4 words, numbered from 0"
    ),
    (
      "{ layer: { \(text), animators: [{ by: 'line', range: [1, 2], animations: [{ property: 'opacity', from: 0 }] }] } } } }",
      "effectUnchanging", "its range begins at 1, but the text “one two three four” has 1 line, numbered from 0"
    ),
    // Effects without the setting that they need.
    ("{ layer: { \(box), shadows: [{ color: 'blue' }] } }", "effectUnchanging", "it lies exactly behind the layer"),
    ("{ layer: { \(box), shadows: [{ isInner: true }] } }", "effectUnchanging", "it lies exactly outside of the layer"),
    ("{ layer: { \(box), shadows: [{ radius: 4, opacity: 0 }] } }", "effectUnchanging", "it is transparent"),
    ("{ layer: { \(box), filters: { glowIntensity: 2 } } }", "effectUnchanging", "without glowRadius there is no glow"),
    ("{ layer: { \(box), transform: { translationZ: 50 } } }", "effectUnchanging", "there is no perspective"),
    (
      "{ layer: { \(text), animators: [{ animations: [{ property: 'transform.translation.z', from: 50 }] }] } } } }",
      "effectUnchanging", "there is no perspective"
    ),
    ("{ layer: { \(box), motionBlur: { exposure: '20ms' } } }", "effectUnchanging", "nothing of the title moves"),
    ("{ layer: { \(text), pathOffset: 9 } } } }", "effectUnchanging", "the text has no path"),
    ("{ layer: { \(text), hyphenates: true, language: 'en' } } } }", "effectUnchanging", "the lines of the text don't wrap"),
    (
      "{ layer: { \(text) } }, animations: [{ property: 'text.pathOffset', to: 9 }] } }", "effectUnchanging",
      "the text has no path"
    ),
    (
      "{ layer: { position: [160, 90], content: { text: { string: 'one', font: { size: 20 }, writingMode: 'vertical-rl', path: 'M 0 0 L 99 0' } } } }",
      "effectUnchanging",
      "only horizontal lines lie on a path"
    ),
    (
      "{ layer: { position: [9, 9], content: { shape: { path: { circle: { center: [0, 0], radius: 9 } } } }, backdropFilters: { blurRadius: 3 } } }",
      "effectUnchanging", "the layer has no bounds"
    ),
    (
      "{ layer: { \(box), backdropFilters: { blurRadius: 3 } } }", "effectUnchanging", "the background of the layer is opaque"
    ),
    (
      "{ layer: { bounds: [99, 50], position: [160, 90], content: { gradient: { colors: ['red', 'blue'] } }, backdropFilters: { blurRadius: 3 } } }",
      "effectUnchanging", "the gradient of the layer is opaque"
    ),
    (
      "{ layer: { bounds: [99, 50], position: [160, 90], masksToBounds: true, sublayers: [{ \(clear), backdropFilters: { blurRadius: 3 } }] } }",
      "effectUnchanging", "nothing lies below the layer"
    ),
  ])
  func part_thatIsNeverSeen_isWarnedOf(title: String, code: String, why: String) throws {
    // An opaque one hides the title below it, which is said, too.
    let found = try UnseenTitleTests.diagnostics(title).filter { $0.path != "titles[0]" }
    #expect(found.count == 1 && found.first?.code.rawValue == code, "\(found)")
    #expect(found.first?.message.contains(why) == true, "\(found)")
    #expect(found.first?.path?.hasPrefix("titles[1].layer") == true && found.first?.recoverySuggestion != nil, "\(found)")
  }

  @Test(arguments: [
    // Layers for a moment, switched by animations, or of a template without a text.
    "{ layer: { sublayers: [{ timing: { beginTime: '1s', duration: '1f' }, bounds: [9, 9], position: [9, 9], backgroundColor: 'red' }, { \(text) } } }] } }",
    "{ layer: { sublayers: [{ content: { text: { string: '' } } }, { bounds: [9, 9], position: [9, 9] }, { isHidden: true, bounds: [9, 9], backgroundColor: 'red' }, { \(text) } } }] } }",
    "{ duration: '3s', layer: { bounds: [9, 9], position: [9, 9], backgroundColor: 'red', opacity: 0, animations: [{ property: 'opacity', to: 1, beginTime: '1s', duration: '2f' }] } }",
    // Animations that are cut off, repeat, play backward, or end with the title.
    "{ duration: '1s', layer: { bounds: [9, 9], position: [9, 9], backgroundColor: 'red', animations: [{ property: 'position.x', to: 99, duration: '5s' }] } }",
    "{ duration: '1s', layer: { bounds: [9, 9], position: [9, 9], backgroundColor: 'red', animations: [{ property: 'opacity', to: 0, beginTime: '0.5s', duration: '0.5s' }] } }",
    // Words that come and go, the last of them early enough; reveal of a share that is meant.
    "{ duration: '2s', layer: { \(text), animators: [{ by: 'word', delay: '0.4s', animations: [{ property: 'opacity', values: [0, 1, 0], duration: '0.2s', fillMode: 'both' }] }] } } } }",
    "{ duration: '2s', layer: { \(text) } }, animations: [{ property: 'text.reveal', from: 0, to: 0.5, duration: '1s', fillMode: 'both' }] } }",
    "{ duration: '2s', layer: { \(text), color: '#ffffff00', animators: [{ by: 'word', delay: '0.4s', animations: [{ property: 'text.color', to: 'white', fillMode: 'both' }] }] } } } }",
    "{ duration: '1s', layer: { content: { replicator: { instanceCount: 3, instanceDelay: '-1s' } }, sublayers: [{ bounds: [9, 9], position: [9, 9], backgroundColor: 'red', timing: { beginTime: '1.5s' } }] } }",
    // Bounds that cut off a part, or that what is cut off moves into.
    "{ layer: { bounds: [50, 50], position: [160, 90], masksToBounds: true, sublayers: [{ bounds: [20, 20], position: [55, 25], backgroundColor: 'red' }] } }",
    "{ layer: { bounds: [50, 50], position: [160, 90], masksToBounds: true, sublayers: [{ bounds: [20, 20], position: [100, 25], backgroundColor: 'red', animations: [{ property: 'position.x', to: 25, duration: '2s' }] }] } }",
    // Masks that cover a corner, move over it, are blurred into it, or hide what they cover; fonts and copies that grow.
    "{ layer: { bounds: [99, 50], position: [160, 90], backgroundColor: 'red', mask: { bounds: [9, 9], position: [103, 50], backgroundColor: 'black' } } }",
    "{ layer: { bounds: [99, 50], position: [160, 90], backgroundColor: 'red', mask: { bounds: [9, 9], position: [160, 25], backgroundColor: 'black', animations: [{ property: 'position.x', to: 50, duration: '4s' }] } } }",
    "{ layer: { bounds: [99, 50], position: [160, 90], backgroundColor: 'red', mask: { bounds: [9, 9], position: [110, 25], backgroundColor: 'black', filters: { blurRadius: 9 } } } }",
    "{ layer: { bounds: [99, 50], position: [160, 90], backgroundColor: 'red', maskMode: 'inverted-alpha', mask: { bounds: [9, 9], position: [150, 25], backgroundColor: 'black' } } }",
    "{ layer: { position: [160, 90], content: { text: { string: 'abc', font: { size: 0 } } }, animations: [{ property: 'text.fontSize', to: 30, duration: '1s' }] } }",
    "{ layer: { content: { replicator: { instanceCount: 0 } }, sublayers: [{ bounds: [9, 9], position: [9, 9], backgroundColor: 'red' }], animations: [{ property: 'instanceCount', to: 3, duration: '1s' }] } }",
    // A transition with and without a source, an easing of the whole beside those of its parts, a range of the last words.
    "{ layer: { \(box), transitionSource: { \(box) }, animations: [{ transition: { kind: 'push' }, duration: '1s' }] } }",
    "{ layer: { \(box), animations: [{ transition: { kind: 'push' }, duration: '1s' }] } }",
    "{ layer: { \(box), animations: [{ property: 'position.x', values: [9, 99], easing: 'ease', easings: ['linear'], duration: '1s' }] } }",
    "{ layer: { \(box), timing: { duration: '1s', repeatDuration: '2s' }, animations: [{ property: 'opacity', to: 0.5, repeatCount: 2 }] } }",
    "{ layer: { \(text), animators: [{ by: 'word', range: [3, 9], animations: [{ property: 'opacity', from: 0 }] }] } } } }",
    // Shadows that are seen through the layer or inside it, a glow that grows, depths that are seen or sort, and blur of what moves.
    "{ layer: { bounds: [9, 9], position: [9, 9], backgroundColor: '#ff000080', shadows: [{ color: 'blue' }] } }",
    "{ layer: { \(box), shadows: [{ radius: 1 }, { offset: [1, 0], isInner: true }] } }",
    "{ layer: { \(box), filters: { glowIntensity: 2 }, animations: [{ property: 'filters.glowRadius', to: 9, duration: '1s' }] } }",
    "{ layer: { perspective: 900, sublayers: [{ \(box), transform: { translationZ: 50 } }] } }",
    "{ layer: { sublayers: [{ \(box), transform: { translationZ: 50 } }, { \(box) }] } }",
    "{ layer: { \(box), motionBlur: { exposure: '20ms' }, animations: [{ property: 'position.x', to: 99, duration: '1s' }] } }",
    "{ layer: { \(text), path: 'M -50 0 L 50 0', pathOffset: 9 } } } }",
    // Letters that settle in time; texts under layers that don't cover them, or not all the time.
    "{ duration: '2s', layer: { \(text), animators: [{ delay: '0.05s', scramble: {}, animations: [{ property: 'opacity', from: 0, duration: '0.05s' }] }] } } } }",
    "{ duration: '2s', layer: { \(text), animators: [{ delay: '0.05s', scramble: { spacing: 'natural' } }] } } } }",
    "{ layer: { sublayers: [{ \(bar) }, \(low)] } }",
    "{ layer: { sublayers: [\(low), { \(bar), opacity: 0.9 }] } }",
    "{ layer: { sublayers: [\(low), { bounds: [30, 30], position: [160, 150], backgroundColor: 'black', cornerRadius: 15 }] } }",
    "{ layer: { sublayers: [\(low), { bounds: [300, 40], position: [160, 150], content: { gradient: { colors: ['red', '#0000ff80'] } } }] } }",
    "{ layer: { sublayers: [\(low), { \(bar), blendMode: 'multiply' }] } }",
    "{ layer: { sublayers: [\(low), { \(bar), timing: { beginTime: '1s' } }] } }",
    "{ layer: { sublayers: [\(low), { \(bar), animations: [{ property: 'position.x', to: 600, duration: '4s' }] }] } }",
    "{ layer: { sublayers: [\(low), { bounds: [20, 40], position: [160, 150], backgroundColor: 'black' }] } }",
    // Glass over the movie, over a layer of its group, and in a group that isn't composed on its own.
    "{ layer: { \(clear), backdropFilters: { blurRadius: 3 } } }",
    "{ layer: { bounds: [99, 50], position: [160, 90], masksToBounds: true, sublayers: [{ \(box) }, { \(clear), backdropFilters: { blurRadius: 3 } }] } }",
    "{ layer: { \(box), opacity: 0.9, backdropFilters: { blurRadius: 3 } } }",
    "{ layer: { \(box), backdropFilters: { blurRadius: 3 }, animations: [{ property: 'backgroundColor', to: '#ff000080' }] } }",
    "{ layer: { \(clear), content: { gradient: { colors: ['red', '#0000ff80'] } }, backdropFilters: { blurRadius: 3 } } }",
    "{ layer: { opacity: 0.5, sublayers: [{ \(clear), backdropFilters: { blurRadius: 3 } }] } }",
  ])
  func part_thatIsSeen_isNot(title: String) throws {
    #expect(try UnseenTitleTests.diagnostics(title).isEmpty)
  }
}
