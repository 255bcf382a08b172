"""Drives a headless Chromium over its debugging pipe (no port, no driver program): pages are opened, asked and clicked in.

Used by report_page_test.py. Messages are JSON ended by a zero byte, on descriptors 3 (to the browser) and 4 (from it).
"""

import base64
import collections
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
         "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
         "--font-render-hinting=none", "--force-color-profile=srgb"]


def find_browser():
    """Path of a Chromium, or None."""
    return next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)


class Browser:
    """One browser process; close() ends it and removes its profile."""

    def __init__(self, path, limit_s=30):
        self.limit_s = limit_s
        self.profile = tempfile.mkdtemp(prefix="icount-browser-")
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()

        def place_pipes():
            read_end, write_end = os.dup(to_browser), os.dup(from_browser)
            os.dup2(read_end, 3)
            os.dup2(write_end, 4)

        self.process = subprocess.Popen([path, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"], close_fds=False,
                                        preexec_fn=place_pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": self.profile})
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.answers, self.events = {}, collections.deque()
        self.next_id = 0

    def call(self, method, session=None, **params):
        """The result of one command; an error of the browser is an exception."""
        self.next_id += 1
        number = self.next_id
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writer, data):]
        until = time.monotonic() + self.limit_s
        while number not in self.answers:
            self.read(until, method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def read(self, until, what):
        ready, _, _ = select.select([self.reader], [], [], max(0, until - time.monotonic()))
        if not ready:
            raise TimeoutError(f"no answer to {what} within {self.limit_s} s")
        data = os.read(self.reader, 1 << 20)
        if not data:
            raise RuntimeError("the browser has ended")
        *messages, self.buffer = (self.buffer + data).split(b"\0")
        for text in messages:
            message = json.loads(text)
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                self.events.append(message)

    def page(self, width=1200, height=900, theme="light", before=""):
        return Page(self, width, height, theme, before)

    def close(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, TimeoutError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """One tab. `before` is a script that runs ahead of the page's own."""

    def __init__(self, browser, width, height, theme, before):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)
        self.theme(theme)
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=before)

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def resize(self, width, height):
        self.size = (width, height)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, theme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def open(self, path, ready="document.documentElement?.dataset.ready === 'yes'"):
        """Loads a file and waits until it has loaded and `ready` holds."""
        loaded = self.loads()
        self.call("Page.navigate", url=path if "://" in path else "file://" + os.path.abspath(path))
        until = time.monotonic() + self.browser.limit_s
        while self.loads() == loaded:
            self.browser.read(until, "Page.navigate")
        self.wait_for(ready)

    def loads(self):
        return sum(1 for event in self.browser.events if event["method"] == "Page.loadEventFired" and event.get("sessionId") == self.session)

    def wait_for(self, condition):
        until = time.monotonic() + self.browser.limit_s
        while not self.ask(condition):
            if time.monotonic() > until:
                raise TimeoutError(f"did not come true within {self.browser.limit_s} s: {condition}")
            time.sleep(0.02)

    def ask(self, expression):
        """The value of an expression of the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def frame(self):
        """Waits until what was asked for has been drawn."""
        self.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=0 if kind == "mouseMoved" else 1)
        self.frame()

    def key(self, key, text=None):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.frame()

    def screenshot(self, path, whole=True):
        width, height = self.size
        if whole:
            height = min(16000, self.ask("Math.ceil(document.documentElement.scrollHeight)"))
            self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            self.frame()
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
        self.resize(*self.size)

    def picture(self, path, x, y, width, height):
        """A part of the page, in its own coordinates, as a PNG file."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={"x": x, "y": y, "width": width, "height": height, "scale": 1})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """Errors and warnings of this page so far: exceptions, console, refused or failed loads."""
        self.ask("0")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                found.append("exception: " + details.get("exception", {}).get("description", details["text"]))
            if event["method"] == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append("console: " + " ".join(str(arg.get("value", arg.get("description"))) for arg in params["args"]))
            if event["method"] == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append("log: " + params["entry"]["text"])
        return found

    def requests(self):
        """Addresses that the page asked for, itself left out."""
        self.ask("0")
        asked = [event["params"]["request"]["url"] for event in self.browser.events
                 if event["method"] == "Network.requestWillBeSent" and event.get("sessionId") == self.session]
        return [url for url in asked if not url.startswith(("file:", "data:", "blob:", "about:"))]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
