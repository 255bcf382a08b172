#!/usr/bin/env python3
"""Runs the steps of ci/action, ci/comment and ci/gitlab as their systems would.  ci_steps_test.py SOURCE ICOUNT"""
import http.server
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest
import zipfile

SOURCE, ICOUNT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SUITE = """name = "words"
[run]
repeats = 1
[library]
torch = false
headers = ["words.h"]
include_dirs = "."
[[stmts]]
label = "count"
cpp_setup = 'std::string text(200, 97);'
cpp_stmt = "icount::keep(count_words(text));"
"""


def words_h(scans):
    return f"""#pragma once
#include <string>
inline int count_words(const std::string& text) {{
  int words = 0;
  for (int scan = 0; scan < {scans}; ++scan)
    for (char c : text) words += c == ' ';
  return words;
}}
"""


class FakeServer(http.server.BaseHTTPRequestHandler):
    """GitHub's and GitLab's answers, and what was posted."""

    posted = []
    comments = []
    artifact = b""
    sha = ""

    def answer(self, body, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path.endswith("/artifacts"):
            url = f"http://127.0.0.1:{self.server.server_port}/zip"
            self.answer(json.dumps({"artifacts": [{"name": "icount", "archive_download_url": url}]}).encode())
        elif path == "/zip":
            self.answer(FakeServer.artifact, "application/zip")
        elif path.endswith("/pulls"):
            assert "head=fork%3Abranch" in self.path, self.path
            self.answer(json.dumps([{"number": 7, "head": {"sha": FakeServer.sha}}]).encode())
        else:
            self.answer(json.dumps(FakeServer.comments).encode())

    def do_POST(self):
        FakeServer.posted.append((self.command, self.path, self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self.answer(b"{}")

    do_PATCH = do_POST

    def log_message(self, *arguments):
        pass


def steps(path):
    """The `run` lines of a composite action."""
    return re.findall(r"^\s+run: (.*)$", path.read_text(), re.M)


def gitlab_script(path):
    script = path.read_text().split("script:\n")[1].split("  artifacts:")[0]
    return "\n".join(line.strip()[2:] for line in script.splitlines() if line.strip().startswith("- "))


class CiSteps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.scratch.name)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), FakeServer)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.url = f"http://127.0.0.1:{cls.server.server_port}"
        cls.env = dict(os.environ, ICOUNT_CACHE=str(ICOUNT.parent / "test-cache"), GITHUB_API_URL=cls.url, GITHUB_TOKEN="secret",
                       GITHUB_REPOSITORY="own/repo", RUNNER_TEMP=str(cls.work / "temp"), GITHUB_PATH=str(cls.work / "path"),
                       GITHUB_STEP_SUMMARY=str(cls.work / "summary"), GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t",
                       GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@t", GITHUB_ACTIONS="true")
        cls.package = cls.work / "icount-0-linux.tar.gz"
        with tarfile.open(cls.package, "w:gz") as tar:
            tar.add(ICOUNT, "icount-0-linux/bin/icount")
        cls.repo = cls.work / "repo"
        cls.repo.mkdir()
        cls.write("suite.toml", SUITE)
        cls.write("words.h", words_h(1))
        cls.write(".gitignore", "head.icount\ngate.*\npushed.icount\nhistory.sqlite\n")
        cls.sh("git init -q --bare ../origin.git && git init -q -b main && git add . && git commit -q -m words")
        cls.sh("git update-ref refs/remotes/origin/main main && git checkout -q -b branch")
        cls.write("words.h", words_h(3))
        cls.sh("git commit -q -a -m 'scan thrice'")
        FakeServer.sha = cls.sh("git rev-parse HEAD").stdout.strip()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.scratch.cleanup()

    @classmethod
    def write(cls, name, text):
        (cls.repo / name).write_text(text)

    @classmethod
    def sh(cls, command, code=0, **env):
        done = subprocess.run(["bash", "-c", command], cwd=cls.repo, env=dict(cls.env, **env), capture_output=True, text=True)
        if code is not None:
            assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def test_1_action_installs_gates_and_keeps_the_comment(self):
        install, gate = steps(SOURCE / "ci/action/action.yml")
        action = str(SOURCE / "ci/action")
        bad = self.sh(install, None, GITHUB_ACTION_PATH=action, ICOUNT_PACKAGE=str(self.package), ICOUNT_PACKAGE_SHA256="0" * 64)
        self.assertNotEqual(bad.returncode, 0)
        self.sh(install, GITHUB_ACTION_PATH=action, ICOUNT_PACKAGE=str(self.package))
        path = (self.work / "path").read_text().strip() + ":" + self.env["PATH"]
        done = self.sh(gate, 3, GITHUB_ACTION_PATH=action, PATH=path, ICOUNT_SUITE="suite.toml", ICOUNT_BASE_REF="origin/main",
                       ICOUNT_FILTER="count")
        self.assertIn("::error", done.stdout)
        text = (self.repo / "icount-gate/gate.md").read_text()
        self.assertTrue(text.startswith("<!-- icount gate -->"), text)
        self.assertEqual((self.work / "summary").read_text(), text)
        files = {file.name for file in (self.repo / "icount-gate").iterdir() if not file.name.startswith(".")}
        self.assertEqual(files, {"head.icount", "gate.md", "gate.html", "gate.xml", "gate.json"})
        page = (SOURCE / "docs/ci.md").read_text()
        for name in files:
            self.assertIn(f"`{name}`", page, "docs/ci.md lists the artifact's files")
        self.assertEqual(self.sh("git status --porcelain").stdout, "")
        # Options of the action reach the gate; what cannot be judged is no red cross.
        done = self.sh(gate, GITHUB_ACTION_PATH=action, PATH=path, ICOUNT_SUITE="suite.toml", ICOUNT_BASE_REF="origin/main",
                       ICOUNT_LIMITS='none\npercent = 1, benchmark = "no such"\n', ICOUNT_ALLOW="new cores", ICOUNT_COMPILER="g++")
        self.assertIn("no such", done.stdout)
        self.assertIn("::warning title=icount%3A cannot be judged::", done.stdout)

    def test_1_every_input_of_the_action_is_used(self):
        text = (SOURCE / "ci/action/action.yml").read_text()
        declared = re.findall(r"^  ([a-z0-9-]+):$", text.split("\ninputs:\n")[1].split("\nruns:")[0], re.M)
        self.assertEqual(sorted(declared), sorted(set(re.findall(r"inputs\.([a-z0-9-]+)", text))))
        for name in declared:
            self.assertIn(f"`{name}`", (SOURCE / "docs/ci.md").read_text(), "docs/ci.md lists the inputs")

    def test_2_comment_is_posted_then_changed(self):
        text = (self.repo / "icount-gate/gate.md").read_text()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as files:
            files.writestr("gate.md", text)
        FakeServer.artifact = packed.getvalue()
        event = self.work / "event.json"
        run = {"id": 1, "head_sha": FakeServer.sha, "head_branch": "branch", "head_repository": {"owner": {"login": "fork"}}}
        event.write_text(json.dumps({"workflow_run": run}))
        (step,) = steps(SOURCE / "ci/comment/action.yml")
        env = {"GITHUB_ACTION_PATH": str(SOURCE / "ci/comment"), "GITHUB_EVENT_PATH": str(event), "ICOUNT_ARTIFACT": "icount"}
        self.sh(step, **env)
        self.assertEqual(FakeServer.posted[-1][:2], ("POST", "/repos/own/repo/issues/7/comments"))
        self.assertEqual(json.loads(FakeServer.posted[-1][2])["body"], text)
        FakeServer.comments = [{"id": 5, "body": "<!-- icount gate --> old", "user": {"type": "User"}},
                               {"id": 6, "body": "<!-- icount gate --> old", "user": {"type": "Bot"}}]
        self.sh(step, **env)
        self.assertEqual(FakeServer.posted[-1][:2], ("PATCH", "/repos/own/repo/issues/comments/6"))
        posted = len(FakeServer.posted)
        event.write_text(json.dumps({"workflow_run": dict(run, head_sha="0" * 40)}))
        self.assertIn("no open pull request", self.sh(step, **env).stdout)
        self.assertEqual(len(FakeServer.posted), posted)

    def test_3_gitlab_job(self):
        script = gitlab_script(SOURCE / "ci/gitlab/icount.gitlab-ci.yml")
        self.assertIn("icount gate", script)
        self.sh("git remote add origin ../origin.git && git push -q origin main branch")
        path = f"{ICOUNT.parent}:{self.env['PATH']}"
        self.sh(script, 3, PATH=path, ICOUNT_SUITE="suite.toml", CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main", ICOUNT_TOKEN="t",
                CI_API_V4_URL=self.url, CI_PROJECT_ID="1", CI_MERGE_REQUEST_IID="2", ICOUNT_BUILD='pwd >>"$BUILT"', BUILT=str(self.work / "built"))
        self.assertEqual(FakeServer.posted[-1][1], "/projects/1/merge_requests/2/notes")
        self.assertIn("icount gate", FakeServer.posted[-1][2])
        self.assertEqual(len(set((self.work / "built").read_text().split())), 2, "head is built, and base")
        posted = len(FakeServer.posted)
        done = self.sh(script, 3, PATH=path, ICOUNT_SUITE="suite.toml", CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main", ICOUNT_TOKEN="t",
                       CI_API_V4_URL="http://127.0.0.1:9", CI_PROJECT_ID="1", CI_MERGE_REQUEST_IID="2", ICOUNT_BUILD="")
        self.assertIn("the answer was not posted", done.stderr, "that is no failure of the change")
        self.assertEqual(len(FakeServer.posted), posted)

    def test_4_history_of_the_default_branch(self):
        path = f"{ICOUNT.parent}:{self.env['PATH']}"
        for workflow in (SOURCE / "ci/workflows").iterdir():
            self.assertNotRegex(workflow.read_text(), r"\bmain\b|\bmaster\b", "a repository's default branch has any name")
        script = (SOURCE / "ci/workflows/icount.yml").read_text().split("run: |\n")[1]
        script = "set -e\n" + re.sub(r"(?m)^ {10}", "", script)  # as GitHub runs it
        for commit in ("main", "branch"):
            self.sh(f"git checkout -q {commit} && icount suite run suite.toml --out pushed.icount", PATH=path)
            self.sh(script, PATH=path, GITHUB_REF_NAME="trunk")
        # A fetch that fails loses nothing.
        self.sh("rm history.sqlite && git remote set-url origin /none && "
                "git remote set-url --push origin ../origin.git")
        self.sh(script, 128, PATH=path, GITHUB_REF_NAME="trunk")
        self.sh("git remote set-url origin ../origin.git")
        self.sh("git fetch -q origin icount-history && git show FETCH_HEAD:history.sqlite >history.sqlite")
        runs = json.loads(self.sh("icount store runs --store history.sqlite --format json", PATH=path).stdout)["runs"]
        self.assertEqual(len({run["commit"] for run in runs}), 2, runs)
        self.assertEqual({run["branch"] for run in runs}, {"trunk"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
