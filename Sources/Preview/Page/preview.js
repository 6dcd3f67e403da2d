// The page: dispatches the server's messages to its parts, and user input to the transport.

import { Audio } from './audio.js'
import { Connection } from './connection.js'
import { Costs } from './costs.js'
import { Diagnostics } from './diagnostics.js'
import { describeKeys, listenForKeys } from './keys.js'
import { Picture } from './picture.js'
import { Scopes } from './scopes.js'
import { Timeline } from './timeline.js'
import { Transport } from './transport.js'

const element = id => document.getElementById(id)
// The token is in a cookie now and need not stay visible.
if (location.search) history.replaceState(null, '', '/')

const connection = new Connection()
const picture = new Picture(element('picture'), connection)
const audio = new Audio(connection)
const transport = new Transport(connection, picture, audio)
const timeline = new Timeline({
  tracks: element('tracks'), diagram: element('diagram'), playhead: element('playhead'), frames: element('frames'), levels: element('levels'),
})
const costs = new Costs({
  canvas: element('costs'), table: element('cost-table'), where: element('cost-where'), legend: element('legend'), timeline,
})
const diagnostics = new Diagnostics({
  list: element('diagnostics'), none: element('no-diagnostics'), verdict: element('verdict'),
})
const scopes = new Scopes({ choices: element('scopes'), image: element('scope'), connection })
const light = matchMedia('(prefers-color-scheme: light)')
let project = null
let hasPicture = false

// Messages of the server

const receivers = {
  project: header => {
    const isFirst = project === null
    project = header
    element('name').textContent = header.name
    document.title = `${header.name} – compositor preview`
    diagnostics.show(header)
    costs.setMovie(header)
    timeline.duration = header.duration
    timeline.clearLevels()
    timeline.clearFrames()
    // Without a new timeline the last one stays, dimmed like the video.
    element('diagram').classList.toggle('is-stale', !header.hasDiagram)
    element('stage').classList.toggle('is-invalid', !header.isValid)
    if (header.isValid) element('stage').style.setProperty('--aspect', `${header.width} / ${header.height}`)
    if (isFirst) picture.blacken(header.width, header.height)
    transport.setMovie(header)
    if (isFirst && header.isValid) returnToPosition(header)
    if (header.isValid) hasPicture = true
    notice(header.isValid ? '' : whyNoPicture(header, hasPicture))
    element('scrubber').max = Math.max(0, header.frameCount - 1)
    element('duration').textContent = transport.grid.timecode(header.frameCount)
    element('levels').closest('.strip').hidden = !header.hasAudio
    if (header.hasAudio) connection.send({ type: 'levels' })
    element('frames').closest('.strip').hidden = !header.isValid
    if (header.isValid) connection.send({ type: 'strip' })
    say(`${header.name}: ${element('verdict').textContent}`)
  },
  diagram: ({ svg }) => timeline.show(svg),
  frame: (header, bytes) => {
    if (header.generation !== project?.generation) return connection.send({ type: 'ack', frame: header.frame })
    picture.take(header, bytes, frame => transport.wish(frame))
  },
  seeked: header => transport.seeked(header),
  audio: (header, bytes) => audio.take(header, bytes),
  costs: header => { if (header.generation === project?.generation) costs.setRows(header.rows) },
  scope: (header, bytes) => scopes.take(header, bytes),
  strip: (header, bytes) => { if (header.generation === project?.generation) timeline.takeFrame(header, bytes) },
  levels: (header, bytes) => { if (header.generation === project?.generation) timeline.takeLevels(header, bytes) },
  state: () => {},
  failure: ({ message, recoverySuggestion }) => {
    notice([message, recoverySuggestion].filter(Boolean).join(' '))
    say(message)
  },
}

connection.addEventListener('message', ({ detail: { header, bytes } }) => receivers[header.type]?.(header, bytes))
connection.addEventListener('open', () => {
  document.body.classList.remove('is-alone')
  sendView()
  if (scopes.chosen) scopes.choose()
})
connection.addEventListener('close', () => {
  transport.stop()
  transport.canPlay = false
  transport.changed()
  document.body.classList.add('is-alone')
  notice('The preview has ended, or cannot be reached. Waiting for it.')
  say('The preview cannot be reached.')
})

function sendView() {
  connection.send({
    type: 'view', width: Math.round(element('diagram').clientWidth), theme: light.matches ? 'light' : 'dark',
  })
}
light.addEventListener('change', () => {
  sendView()
  costs.draw()
  timeline.drawLevels()
})
let resizing = 0
addEventListener('resize', () => {
  clearTimeout(resizing)
  resizing = setTimeout(sendView, 200)
})

// Display

function notice(text) {
  element('notice').textContent = text
  element('notice').hidden = !text
}

/** Without a valid project, no frame can be composed. The last good one stays, if there is one. */
function whyNoPicture({ diagnostics }, hasLast) {
  const error = diagnostics.find(({ severity }) => severity === 'error')
  const place = error?.line ? `line ${error.line}: ` : ''
  const reason = error ? ` ${place}${error.message}` : ''
  return (hasLast ? 'The last good picture, because the project has an error.' : 'No picture yet, because the project has an error.') + reason
}

/** Where the playhead was when the page was reloaded, by project. */
const positionKey = () => `compositor position ${project.name}`

/** Goes back to the time at which the page was left. */
function returnToPosition(header) {
  const seconds = Number.parseFloat(sessionStorage.getItem(positionKey()))
  if (seconds > 0 && seconds < header.duration) transport.seekTime(seconds)
}

addEventListener('pagehide', () => {
  if (project?.isValid) sessionStorage.setItem(positionKey(), String(transport.shownTime))
})

/** Announces events (not frames) to screen readers. */
function say(text) { element('status').textContent = text }

picture.addEventListener('painted', ({ detail: frame }) => {
  if (project?.isValid) notice('')
  costs.add(frame)
  element('scale').textContent = frame.scale
  element('dropped').textContent = transport.dropped
  element('late').textContent = transport.late
  showRate()
})

transport.addEventListener('move', () => {
  const frame = transport.isPlaying ? transport.grid.index(transport.shownTime) : transport.frame
  timeline.move(transport.shownTime)
  const scrubber = element('scrubber')
  if (Number(scrubber.value) !== frame) scrubber.value = frame
  element('timecode').textContent = transport.grid.timecode(frame)
  // Read out on request, not with each frame.
  if (!transport.isPlaying) scrubber.setAttribute('aria-valuetext', transport.grid.spoken(frame))
})

transport.addEventListener('change', () => {
  const { isPlaying, canPlay } = transport
  document.body.classList.toggle('is-playing', isPlaying)
  element('play').setAttribute('aria-label', isPlaying ? 'Pause' : 'Play')
  element('play').title = isPlaying ? 'Pause (Space)' : 'Play (Space)'
  showRate()
  for (const id of ['first', 'back', 'reverse', 'play', 'forward', 'last', 'in', 'out', 'scrubber']) element(id).disabled = !canPlay
  const hasRange = transport.inPoint !== null || transport.outPoint !== null
  element('clear-range').disabled = !hasRange
  const { first, last } = transport.bounds
  const count = Math.max(1, transport.grid.count)
  const range = element('range')
  range.hidden = !hasRange
  range.style.left = `${first / count * 100}%`
  range.style.right = `${(1 - (last + 1) / count) * 100}%`
})

/** The playback rate, or whether the frame under the playhead is still loading. */
function showRate() {
  const isNear = transport.flying?.isAnswered && picture.shown?.index !== transport.position
  element('rate').textContent = transport.isPlaying ? `${transport.rate} ×` : isNear ? 'nearby' : 'paused'
}

// A few updates per second are enough for numbers.
setInterval(() => {
  costs.refresh()
  const shown = picture.shown
  if (shown) costs.describe(shown.instruction, shown)
}, 200)

// User input

const page = {
  transport,
  step: (direction, isSecond) =>
    transport.step(direction * (isSecond ? Math.max(1, Math.round(1 / transport.grid.frameDuration)) : 1)),
  toggleMute: () => {
    audio.setMuted(!audio.isMuted)
    element('mute').setAttribute('aria-pressed', audio.isMuted)
    say(audio.isMuted ? 'Muted' : 'Not muted')
  },
  toggleFullScreen: () => {
    if (document.fullscreenElement) document.exitFullscreen()
    else element('stage').requestFullscreen().catch(() => {})
  },
  showHelp: () => element('help').showModal(),
}
/** Seek tolerance in seconds; most movies have a key frame that near. */
const dragTolerance = 10
const clicks = {
  play: () => transport.toggle(),
  reverse: () => transport.shuttle(-1),
  first: () => transport.seek(0),
  last: () => transport.seek(transport.grid.count - 1),
  back: () => transport.step(-1),
  forward: () => transport.step(1),
  in: () => transport.setIn(),
  out: () => transport.setOut(),
  'clear-range': () => transport.clearRange(),
  mute: page.toggleMute,
  'help-open': page.showHelp,
}
for (const [id, act] of Object.entries(clicks)) element(id).addEventListener('click', act)
element('scrubber').addEventListener('input', ({ target }) => transport.seek(Number(target.value), { tolerance: dragTolerance }))
element('scrubber').addEventListener('change', ({ target }) => transport.seek(Number(target.value)))
element('volume').addEventListener('input', ({ target }) => audio.setVolume(Number(target.value) / 100))
timeline.addEventListener('seek', ({ detail }) => { if (transport.canPlay) transport.seekTime(detail.seconds, detail.isDrag ? { tolerance: dragTolerance } : {}) })
timeline.addEventListener('diagnostic', ({ detail }) => diagnostics.focus(detail))
diagnostics.addEventListener('open', ({ detail }) => {
  if (detail.time === undefined) return
  if (transport.canPlay) transport.seekTime(detail.time)
  else timeline.move(detail.time)
})
describeKeys(element('keys'))
listenForKeys(page)
transport.changed()

/** State for measuring scripts: what is shown, played and counted. */
window.preview = { transport, picture, audio, timeline, get project() { return project } }
