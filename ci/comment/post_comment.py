#!/usr/bin/env python3
"""Posts gate.md of the finished run's artifact on its pull request, or changes the comment that is there.

The pull request is the open one whose head is the run's commit: what the artifact says is text, never a number to trust.
Uses GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH, GITHUB_TOKEN and ICOUNT_ARTIFACT.
"""
import io
import json
import os
import sys
import urllib.parse
import urllib.request
import zipfile

MARKER = "<!-- icount gate -->"
MOST_CHARACTERS = 60000  # GitHub takes 65,536
MOST_PAGES = 30


class NoAuthOnRedirect(urllib.request.HTTPRedirectHandler):
    """An artifact lies in another host's storage, which must not see the token."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        new = super().redirect_request(req, fp, code, msg, headers, newurl)
        if new and urllib.parse.urlsplit(newurl).netloc != urllib.parse.urlsplit(req.full_url).netloc:
            new.remove_header("Authorization")
        return new


OPENER = urllib.request.build_opener(NoAuthOnRedirect)


def call(path, method="GET", body=None):
    url = path if path.startswith("http") else os.environ.get("GITHUB_API_URL", "https://api.github.com") + path
    request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Authorization", "Bearer " + os.environ["GITHUB_TOKEN"])
    request.add_header("Accept", "application/vnd.github+json")
    with OPENER.open(request, timeout=60) as answer:
        return answer.read()


def pages(path, key=None):
    for page in range(1, MOST_PAGES + 1):
        sign = "&" if "?" in path else "?"
        entries = json.loads(call(f"{path}{sign}per_page=100&page={page}"))
        entries = entries[key] if key else entries
        yield from entries
        if len(entries) < 100:
            return


def comment_text(repo, run):
    name = os.environ.get("ICOUNT_ARTIFACT", "icount")
    for artifact in pages(f"/repos/{repo}/actions/runs/{run['id']}/artifacts", "artifacts"):
        if artifact["name"] == name:
            with zipfile.ZipFile(io.BytesIO(call(artifact["archive_download_url"]))) as files:
                return files.read("gate.md").decode(errors="replace") if "gate.md" in files.namelist() else None
    return None


def pull_request(repo, run):
    owner, branch = run["head_repository"]["owner"]["login"], run["head_branch"]
    head = urllib.parse.quote(f"{owner}:{branch}", safe="")
    for pull in pages(f"/repos/{repo}/pulls?state=open&head={head}"):
        if pull["head"]["sha"] == run["head_sha"]:
            return pull["number"]
    return None


def main():
    repo = os.environ["GITHUB_REPOSITORY"]
    with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
        run = json.load(file)["workflow_run"]
    text = comment_text(repo, run)
    if text is None:
        print("the run left no comment")
        return
    number = pull_request(repo, run)
    if number is None:
        print(f"no open pull request has the head {run['head_sha']}: it has moved on, or was closed")
        return
    body = text if text.startswith(MARKER) else MARKER + "\n" + text
    if len(body) > MOST_CHARACTERS:
        body = body[:MOST_CHARACTERS] + "\n\n(cut; the whole text is in the run's summary)\n"
    for comment in pages(f"/repos/{repo}/issues/{number}/comments"):
        if comment["body"].startswith(MARKER) and comment["user"]["type"] == "Bot":
            call(f"/repos/{repo}/issues/comments/{comment['id']}", "PATCH", {"body": body})
            print(f"changed the comment of pull request {number}")
            return
    call(f"/repos/{repo}/issues/{number}/comments", "POST", {"body": body})
    print(f"commented on pull request {number}")


if __name__ == "__main__":
    sys.exit(main())
