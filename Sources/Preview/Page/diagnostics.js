// The project's diagnostics: a list whose items lead to their position in the movie.

/** Number of characters of a line that fit beside the video. */
const mostColumns = 30
const names = { error: 'Error', warning: 'Warning' }

/** Shows diagnostics. Dispatches `open` events, whose `detail` is the diagnostic. */
export class Diagnostics extends EventTarget {
  constructor({ list, none, verdict }) {
    super()
    Object.assign(this, { list, none, verdict })
    this.items = []
  }

  show(project) {
    const focused = this.items.findIndex(item => item.contains(document.activeElement))
    this.diagnostics = project.diagnostics
    this.items = project.diagnostics.map((diagnostic, index) => this.item(diagnostic, index))
    this.list.replaceChildren(...this.items)
    // Keep the focus in the list.
    if (focused >= 0) this.items[Math.min(focused, this.items.length - 1)]?.querySelector('button')?.focus()
    this.none.hidden = this.items.length > 0
    this.showVerdict(project)
  }

  showVerdict(project) {
    const count = severity => project.diagnostics.filter(diagnostic => diagnostic.severity === severity).length
    const [errors, warnings] = [count('error'), count('warning')]
    const say = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`
    const parts = [errors && say(errors, 'error'), warnings && say(warnings, 'warning')].filter(Boolean)
    this.verdict.textContent = parts.join(', ') || 'Valid'
    this.verdict.dataset.severity = errors ? 'error' : warnings ? 'warning' : 'none'
    this.verdict.hidden = false
  }

  item(diagnostic, index) {
    const item = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = `diagnostic ${diagnostic.severity}`
    const head = line('span', 'head', names[diagnostic.severity] ?? diagnostic.severity)
    if (diagnostic.line) head.append(line('span', 'place', `${nameOf(diagnostic.file)}:${diagnostic.line}:${diagnostic.column ?? 1}`, diagnostic.file))
    if (diagnostic.time !== undefined) head.append(line('span', 'place', `${diagnostic.time.toFixed(3)} s`))
    button.append(head, line('span', 'message', diagnostic.message))
    if (diagnostic.text !== undefined) button.append(excerpt(diagnostic))
    if (diagnostic.cause) button.append(line('span', 'quiet', `Likely cause: ${diagnostic.cause}`))
    if (diagnostic.recoverySuggestion) button.append(line('span', 'suggestion', diagnostic.recoverySuggestion))
    button.addEventListener('click', () => this.dispatchEvent(new CustomEvent('open', { detail: diagnostic })))
    button.dataset.index = index
    item.append(button)
    return item
  }

  /** Scrolls an item into view and focuses it. */
  focus(index) {
    const button = this.items[index]?.querySelector('button')
    button?.scrollIntoView({ block: 'nearest' })
    button?.focus()
  }
}

/** A file's name without its folder, which is the same for most. */
function nameOf(path) { return path.split('/').pop() }

function line(tag, name, text, title) {
  const element = document.createElement(tag)
  element.className = name
  element.textContent = text
  if (title) element.title = title
  return element
}

/** The line of the project with a caret below the column. Tabs are kept to align the caret. */
function excerpt({ text, line: number, column }) {
  const label = `${number} | `
  const characters = [...text]
  // Indentation would push the rest out of a narrow panel; of a long line, the part around the caret is shown.
  const indentation = text.length - text.trimStart().length
  const place = Math.max(0, (column ?? 1) - 1)
  let start = Math.min(indentation, place)
  if (place - start > mostColumns - 8) start = place - Math.floor(mostColumns / 3)
  const shown = characters.slice(start, start + mostColumns)
  const head = start > indentation ? '…' : ''
  const tail = start + mostColumns < characters.length ? '…' : ''
  const before = characters.slice(start, place).map(character => character === '\t' ? '\t' : ' ').join('')
  const caret = ' '.repeat(label.length + head.length) + before + '^'
  return line('code', 'excerpt', `${label}${head}${shown.join('')}${tail}\n${caret}`)
}
