// Keyboard shortcuts, as in editing programs.

export const shortcuts = [
  { keys: ['Space', 'K'], does: 'Play or pause; K pauses', on: ['Space'], run: ({ transport }) => transport.toggle() },
  { on: ['k'], run: ({ transport }) => transport.pause() },
  { keys: ['L'], does: 'Play; again: 2 ×, 4 ×', on: ['l'], run: ({ transport }) => transport.shuttle(1) },
  { keys: ['J'], does: 'Play backward; again: 2 ×, 4 ×', on: ['j'], run: ({ transport }) => transport.shuttle(-1) },
  { keys: ['←', '→'], does: 'One frame; with Shift one second', on: ['ArrowLeft'], run: (page, shift) => page.step(-1, shift) },
  { on: ['ArrowRight'], run: (page, shift) => page.step(1, shift) },
  { keys: ['Home', 'End'], does: 'To the start, to the end', on: ['Home'], run: ({ transport }) => transport.seek(0) },
  { on: ['End'], run: ({ transport }) => transport.seek(transport.grid.count - 1) },
  { keys: ['I', 'O'], does: 'In point, out point: playing stays between them', on: ['i'], run: ({ transport }) => transport.setIn() },
  { on: ['o'], run: ({ transport }) => transport.setOut() },
  { keys: ['X'], does: 'Clear in and out points', on: ['x'], run: ({ transport }) => transport.clearRange() },
  { keys: ['M'], does: 'Mute', on: ['m'], run: page => page.toggleMute() },
  { keys: ['F'], does: 'Full screen', on: ['f'], run: page => page.toggleFullScreen() },
  { keys: ['?'], does: 'This list', on: ['?'], run: page => page.showHelp() },
]

/** Listens for shortcuts. Controls keep their own keys: Space and Enter on buttons, arrows on the volume and in choices. */
export function listenForKeys(page) {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
    const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key
    const target = event.target instanceof Element ? event.target : document.body
    const isMoving = key.startsWith('Arrow') || key === 'Home' || key === 'End'
    if (isMoving && target.matches('input:not(#scrubber)')) return
    if (key === 'Space' && target.matches('button, input[type=radio]')) return
    const shortcut = shortcuts.find(({ on }) => on.includes(key))
    if (!shortcut) return
    event.preventDefault()
    shortcut.run(page, event.shiftKey)
  })
}

/** The list of shortcuts for people. */
export function describeKeys(list) {
  for (const { keys, does } of shortcuts) {
    if (!keys) continue
    const term = document.createElement('dt')
    for (const key of keys) term.append(Object.assign(document.createElement('kbd'), { textContent: key }), ' ')
    list.append(term, Object.assign(document.createElement('dd'), { textContent: does }))
  }
}
