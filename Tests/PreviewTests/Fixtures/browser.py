"""Drives a headless Chromium over the DevTools protocol, with Python's standard library alone.

    browser.py SCENARIO URL [ARGUMENT...]

Each scenario prints one object of JSON: what was seen. What it should have been is for the caller to say.
"""
import base64, json, os, shutil, socket, struct, subprocess, sys, tempfile, threading, time, urllib.request


class WebSocket:
    """The client's side of RFC 6455, as far as the DevTools protocol needs it."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        status = self.file.readline()
        if b" 101 " not in status:
            raise RuntimeError(f"no WebSocket: {status!r}")
        while self.file.readline().strip():
            pass

    def send(self, text):
        data = text.encode()
        mask = os.urandom(4)
        if len(data) < 126:
            head = struct.pack("!BB", 0x81, 0x80 | len(data))
        elif len(data) < 65536:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, len(data))
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, len(data))
        body = bytes(byte ^ mask[index & 3] for index, byte in enumerate(data))
        self.socket.sendall(head + mask + body)

    def receive(self):
        message = b""
        while True:
            first, second = self.file.read(2)
            length = second & 127
            if length == 126:
                length, = struct.unpack("!H", self.file.read(2))
            elif length == 127:
                length, = struct.unpack("!Q", self.file.read(8))
            payload = self.file.read(length)
            if first & 15 in (0, 1, 2):
                message += payload
                if first & 128:
                    return message.decode()
            elif first & 15 == 8:
                raise RuntimeError("the browser closed the connection")


class Browser:
    """A headless Chromium with a profile of its own."""

    def __init__(self, size=(1280, 800)):
        self.profile = tempfile.mkdtemp(prefix="compositor-preview-")
        program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])))
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0",
             "--autoplay-policy=no-user-gesture-required", "--no-first-run", "--disable-background-networking",
             f"--user-data-dir={self.profile}", f"--window-size={size[0]},{size[1]}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        name = os.path.join(self.profile, "DevToolsActivePort")
        deadline = time.time() + 30
        while not (os.path.exists(name) and len(open(name).read().split()) == 2):
            if time.time() > deadline or self.process.poll() is not None:
                raise RuntimeError("Chromium did not start")
            time.sleep(0.05)
        self.port = int(open(name).read().split()[0])

    def open(self, url="about:blank", size=(1280, 800), scheme=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        target = json.load(urllib.request.urlopen(request))
        page = Page(WebSocket("127.0.0.1", self.port, "/devtools/page/" + target["id"]))
        page.call("Page.enable")
        page.call("Runtime.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        # Pages that are not in front paint all the same.
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        if scheme:
            page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        if url != "about:blank":
            page.go(url)
        return page

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """One tab."""

    def __init__(self, websocket):
        self.websocket = websocket
        self.number = 0
        self.complaints = []

    def call(self, method, **parameters):
        self.number += 1
        self.websocket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.websocket.receive())
            if message.get("method") == "Runtime.exceptionThrown":
                details = message["params"]["exceptionDetails"]
                self.complaints.append(details.get("exception", {}).get("description", details["text"]))
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def go(self, url):
        self.call("Page.navigate", url=url)

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"].get("exception", {}).get("description", result)))
        return result["result"].get("value")

    def wait(self, script, seconds=20):
        """Waits until something is true; what it is."""
        deadline = time.time() + seconds
        while True:
            try:
                value = self.run(script)
            except RuntimeError:
                value = None
            if value:
                return value
            if time.time() > deadline:
                state = self.run("document.body.innerText.slice(0, 600)")
                raise RuntimeError(f"not in {seconds} s: {script}\n{state}\n{self.complaints}")
            time.sleep(0.03)

    def ready(self):
        self.wait("window.preview?.project?.isValid && preview.picture.shown !== null && preview.transport.flying === null", 60)

    def key(self, key, code=None, shift=False):
        text = key if len(key) == 1 else ""
        common = {"key": key, "code": code or key, "modifiers": 8 if shift else 0}
        codes = {" ": 32, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9, "Enter": 13, "Escape": 27}
        common["windowsVirtualKeyCode"] = codes.get(key, ord(key.upper()) if text else 0)
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


# The frame's number in the picture: ten bars over the upper sixth, the lowest bit first.
NUMBER = """(() => {
  const { canvas, context } = preview.picture
  const bar = Math.floor(canvas.width / 10)
  const row = context.getImageData(0, Math.floor(canvas.height / 12), canvas.width, 1).data
  let number = 0
  for (let bit = 0; bit < 10; bit += 1) if (row[(bit * bar + (bar >> 1)) * 4] > 128) number |= 1 << bit
  return number
})()"""

# Frame number in the picture, frame the page says, movie time by the clock that counts, that clock, seconds under the playhead.
SAMPLE = f"""(() => {{
  const {{ transport, timeline, audio }} = preview
  const {{ x0, x1, start, duration }} = timeline.scale
  const matrix = new DOMMatrix(getComputedStyle(timeline.playhead).transform)
  return {{
    number: {NUMBER}, claimed: preview.picture.shown.index, frame: transport.frame, rate: transport.rate, at: Date.now(), isHeard: transport.anchor?.isHeard ?? false,
    time: transport.isPlaying ? transport.ticked.time : transport.time, heard: transport.ticked?.heard ?? null,
    playhead: start + (matrix.m41 - x0) / (x1 - x0) * duration,
    scrubber: Number(document.getElementById('scrubber').value), scale: preview.picture.shown?.scale,
    dropped: transport.dropped, late: transport.late,
  }}
}})()"""


# Samples after each painted frame of the page while it plays.
RECORD = f"""window.samples = []
  const sample = () => {{
    if (preview.transport.isPlaying && preview.transport.anchor && preview.transport.ticked && preview.picture.shown.run === preview.transport.run)
      samples.push({SAMPLE})
    requestAnimationFrame(sample)
  }}
  requestAnimationFrame(sample); 0"""


class Idleness:
    """How much of the machine's processors had nothing to do, four times a second, while a block runs."""

    def __enter__(self):
        self.measured, self.ended = [], threading.Event()
        self.thread = threading.Thread(target=self.measure, daemon=True)
        self.thread.start()
        return self

    def measure(self):
        last = self.ticks()
        while not self.ended.wait(0.25):
            now = self.ticks()
            total = sum(now) - sum(last)
            # Idle and waiting for disks; what other guests of the host took is not idle.
            idle = now[3] + now[4] - last[3] - last[4]
            self.measured.append([time.time() * 1000, idle / total if total else 0])
            last = now

    def ticks(self):
        with open("/proc/stat") as file:
            return list(map(int, file.readline().split()[1:9]))

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def playback(browser, url, seconds="10", offset="0"):
    """Plays and samples after each painted frame of the page; then scrubs both ways."""
    page = browser.open(url)
    page.ready()
    page.run(RECORD)
    page.key(" ")
    page.wait("preview.transport.anchor !== null")
    label = page.run("document.getElementById('play').getAttribute('aria-label')")
    with Idleness() as idleness:
        time.sleep(float(seconds))
    page.key("k")
    page.wait("!preview.transport.isPlaying && preview.transport.flying === null")
    samples = page.run("samples")
    paused = page.run(SAMPLE)
    rest = page.run("new Promise(done => setTimeout(() => done(" + SAMPLE + "), 400))")
    return {"samples": samples, "label": label, "paused": paused, "rest": rest, "idle": idleness.measured, "complaints": page.complaints}


def shuttling(browser, url):
    """Plays between an in and an out point, backward, and at other rates: the samples of each."""
    page = browser.open(url)
    page.ready()
    page.run(RECORD)
    result = {}

    def to(frame):
        page.run(f"preview.transport.seek({frame})")
        page.wait(f"preview.transport.flying === null && preview.picture.shown.index === {frame}")

    def play(name, keys, seconds):
        for key in keys:
            page.key(key)
        page.wait("samples.length > 0")
        time.sleep(seconds)
        page.key("k")
        page.wait("!preview.transport.isPlaying && preview.transport.flying === null")
        result[name] = page.run("samples.splice(0)")

    to(40), page.key("i"), to(64), page.key("o"), to(50)
    play("range", " ", 3.5)
    page.key("x")
    result["cleared"] = page.run("preview.transport.inPoint === null && preview.transport.outPoint === null")
    to(400)
    play("backward", "j", 1.5)
    to(400)
    play("backwardFaster", "jj", 1.5)
    to(100)
    play("faster", "ll", 1.5)
    # Frames of another size that begin before the last one in the queue, on the way forward and backward.
    result["wishes"] = page.run("""(() => {
      const transport = preview.transport
      const wish = (rate, queued, index) => {
        const state = { rate: transport.rate, lastIndex: transport.lastIndex, queue: transport.picture.queue }
        Object.assign(transport, { rate, lastIndex: 100 })
        transport.picture.queue = queued.map(index => ({ index }))
        try {
          return transport.wish({ run: transport.run, index })
        } finally {
          Object.assign(transport, { rate: state.rate, lastIndex: state.lastIndex })
          transport.picture.queue = state.queue
        }
      }
      return [wish(2, [], 102), wish(2, [], 100), wish(2, [102, 104], 104), wish(2, [102, 104], 103), wish(2, [102, 104], 106),
        wish(-1, [99, 98], 98), wish(-1, [99, 98], 97)]
    })()""")
    result["complaints"] = page.complaints
    return result


def scrubbing(browser, url, *frames):
    """Asks for frames one after another, by the slider, and for many at once; which ones are there in the end."""
    page = browser.open(url)
    page.ready()
    seen = []
    for frame in map(int, frames):
        page.run(f"""(() => {{ const slider = document.getElementById('scrubber'); slider.value = {frame}
          slider.dispatchEvent(new Event('input', {{ bubbles: true }})) }})()""")
        page.wait(f"preview.transport.flying === null && preview.picture.shown.index === {frame}")
        seen.append(page.run(SAMPLE))
    # A drag: the slider tells of each place on the way, and of the end once more.
    page.run("""(async () => {
      const slider = document.getElementById('scrubber')
      for (let k = 0; k <= 40; k += 1) {
        slider.value = 480 - k * 10
        slider.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise(done => setTimeout(done, 15))
      }
      slider.dispatchEvent(new Event('change', { bubbles: true }))
    })()""")
    page.wait("preview.transport.flying === null && preview.transport.waiting === null")
    dragged = page.run(SAMPLE)
    page.run("for (let k = 0; k < 60; k += 1) preview.transport.seek(k * 3); 0")
    page.wait("preview.transport.flying === null && preview.transport.waiting === null")
    last = page.run(SAMPLE)
    keys = {}
    for name, key, shift in [("right", "ArrowRight", False), ("left", "ArrowLeft", False), ("second", "ArrowRight", True),
                             ("end", "End", False), ("home", "Home", False)]:
        page.key(key, shift=shift)
        page.wait("preview.transport.flying === null && preview.transport.waiting === null")
        time.sleep(0.1)
        keys[name] = page.run(SAMPLE)
    times = page.run("preview.transport.seekTimes")
    value = page.run("document.getElementById('scrubber').getAttribute('aria-valuetext')")
    return {"seen": seen, "dragged": dragged, "last": last, "keys": keys, "times": times, "valuetext": value, "complaints": page.complaints}


def reloading(browser, url, project, *versions):
    """Edits the project while it is shown: one version after another takes its place, the first one at the end again."""
    page = browser.open(url)
    page.ready()
    page.run("document.getElementById('forward').focus(); preview.transport.seek(30)")
    page.wait("preview.picture.shown.index === 30")
    original = open(project).read()
    states, after = {}, {}

    def write(text):
        # As editors do: a new file takes the place of the old one.
        with open(project + ".new", "w") as file:
            file.write(text)
        os.replace(project + ".new", project)
        return time.time()

    def state():
        return page.run("""({
          generation: preview.project.generation, isValid: preview.project.isValid, frameCount: preview.project.frameCount,
          verdict: document.getElementById('verdict').textContent, frame: preview.transport.frame,
          shown: preview.picture.shown?.index, isDimmed: document.getElementById('stage').classList.contains('is-invalid'),
          diagnostics: [...document.querySelectorAll('#diagnostics button')].map(button => button.innerText),
          diagramMarks: document.getElementById('diagram').shadowRoot.querySelectorAll('[data-diagnostic]').length,
          isStale: document.getElementById('diagram').classList.contains('is-stale'),
          focus: document.activeElement.id,
        })""")

    states["before"] = state()
    for path in list(versions) + ["mended"]:
        name = os.path.basename(path)
        generation = page.run("preview.project.generation")
        start = write(original if path == "mended" else open(path).read())
        page.wait(f"preview.project.generation > {generation}")
        after[name] = time.time() - start
        page.wait("!preview.project.isValid || preview.transport.flying === null"
                  " && preview.picture.shown.generation === preview.project.generation")
        time.sleep(0.3)
        states[name] = state()
    return {"states": states, "after": after, "complaints": page.complaints}


def twoPages(browser, url):
    """Two pages at once: one plays, the other stays where it is."""
    first, second = browser.open(url), None
    first.ready()
    second = browser.open(url)
    second.ready()
    second.run("preview.transport.seek(70)")
    second.wait("preview.picture.shown.index === 70")
    first.run("preview.transport.play(1)")
    first.wait("preview.transport.isPlaying && preview.transport.frame > 20")
    played = first.run(SAMPLE)
    stayed = second.run(SAMPLE)
    first.run("preview.transport.pause()")
    return {"played": played, "stayed": stayed, "complaints": first.complaints + second.complaints}


def refusals(browser, url):
    """What the browser shows of a foreign name, a missing token, and a page of another origin that tries a WebSocket."""
    port = url.split(":")[2].split("/")[0]

    def status(address):
        page = browser.open()
        page.call("Network.enable")
        page.go(address)
        page.wait("document.readyState === 'complete' && location.href !== 'about:blank'")
        return page.run("performance.getEntriesByType('navigation')[0].responseStatus"), page

    token = url.split("token=")[1]
    result = {
        "withoutToken": status(f"http://127.0.0.1:{port}/")[0],
        "foreignName": status(f"http://preview.localhost:{port}/?token={token}")[0],
        "localhost": status(f"http://localhost:{port}/?token={token}")[0],
    }
    page = browser.open(url)
    page.ready()
    result["address"] = page.run("location.href")
    result["cookie"] = page.run("document.cookie")
    other = browser.open("data:text/html,<p>another site")
    other.wait("document.body !== null")
    result["otherSite"] = other.run(
        f"new Promise(done => {{ const s = new WebSocket('ws://127.0.0.1:{port}/session');"
        " s.onopen = () => done('opened'); s.onerror = () => done('refused') })")
    return result


def scope(browser, url):
    """Chooses each scope and says what image came; then the cost table and the levels."""
    page = browser.open(url)
    page.ready()
    result = {}
    for name in ["histogram", "waveform", "vectorscope"]:
        page.run(f"document.querySelector('[name=scope][value={name}]').click()")
        page.wait(f"document.getElementById('scope').alt.startsWith('{name}') && document.getElementById('scope').naturalWidth > 0")
        result[name] = page.run("[document.getElementById('scope').naturalWidth, document.getElementById('scope').naturalHeight]")
    page.run("preview.transport.seek(20)")
    page.wait("!document.getElementById('cost-table').hidden")
    page.wait("preview.timeline.parts?.some(level => level !== 0)")
    page.wait("preview.timeline.frames.filter(Boolean).length === 16")
    result["strip"] = page.run("""(() => {
      const canvas = document.getElementById('frames'), context = canvas.getContext('2d')
      return preview.timeline.frames.map(({ count }, index) => {
        const x = preview.timeline.x((index + 0.5) / count * preview.timeline.duration) * devicePixelRatio
        const bytes = context.getImageData(Math.round(x) - 4, 0, 8, canvas.height).data
        return Math.max(...bytes)
      })
    })()""")
    result["loudest"] = page.run("Math.max(...preview.timeline.parts)")
    result["cost"] = page.run("document.getElementById('cost-table').innerText")
    result["complaints"] = page.complaints
    return result


def pictures(browser, url, folder):
    """Screenshots: light and dark, wide and narrow, with help and while playing."""
    for scheme in ["dark", "light"]:
        for size in [(1280, 800), (600, 900)]:
            page = browser.open(url, size=size, scheme=scheme)
            page.ready()
            page.run("document.querySelector('[name=scope][value=waveform]').click(); preview.transport.play(1)")
            time.sleep(3)
            page.run("preview.transport.pause()")
            time.sleep(1.0)
            page.screenshot(os.path.join(folder, f"{scheme}-{size[0]}.png"))
            page.call("Page.close")
    page = browser.open(url, scheme="dark")
    page.ready()
    page.key("?")
    time.sleep(0.3)
    page.screenshot(os.path.join(folder, "help.png"))
    return {"complaints": page.complaints}


def measure(browser, url, count="60"):
    """Times from asking for a frame to its painting, for frames all over the movie."""
    page = browser.open(url)
    page.ready()
    frames = page.run("preview.project.frameCount")
    number = 1
    for _ in range(int(count)):
        number = (number * 1103515245 + 12345) & 0x7FFFFFFF
        frame = number % frames
        page.run(f"preview.transport.seek({frame}, {{ tolerance: 10 }})")
        page.wait(f"preview.transport.flying === null && preview.picture.shown.index === {frame}", 30)
    first = page.run("preview.transport.firstTimes.splice(0)")
    far = page.run("preview.transport.seekTimes.splice(0)")
    for step in list(range(40)):
        page.run(f"preview.transport.step({1 if step < 20 else -1})")
        page.wait("preview.transport.flying === null && preview.picture.shown.index === preview.transport.position", 30)
    near = page.run("preview.transport.seekTimes.splice(0)")
    return {"first": first, "far": far, "near": near, "complaints": page.complaints}


def main():
    name, url, *arguments = sys.argv[1:]
    browser = Browser()
    try:
        print(json.dumps(globals()[name](browser, url, *arguments)))
    finally:
        browser.close()


if __name__ == "__main__":
    main()
