#!/usr/bin/env python3
"""Work in a Workspace from the command line, or from an assistant that can run commands.

Tasks, memories, notes and agents of one personal workspace, over its /api/v1. Needs Python 3.8 or later and nothing
else. The API key is created in the dashboard under API keys and is read from WORKSPACE_API_KEY.

Exit codes: 0 success, 1 the server refused or failed, 2 invalid usage, 3 the key is missing, invalid or lacks a scope,
4 not found, 5 credits or budget are used up, 6 the server cannot be reached.
"""

import argparse
import base64
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

DEFAULT_URL = "https://workspace.invalid"
TIMEOUT_S = 30
ASK_TIMEOUT_S = 900

EXIT_REFUSED, EXIT_USAGE, EXIT_KEY, EXIT_NOT_FOUND, EXIT_CREDITS, EXIT_UNREACHABLE = 1, 2, 3, 4, 5, 6
EXIT_CODES = {401: EXIT_KEY, 403: EXIT_KEY, 404: EXIT_NOT_FOUND, 402: EXIT_CREDITS}

STATUSES = ["todo", "in_progress", "done", "blocked"]
PRIORITIES = {"low": 1, "medium": 2, "high": 3}
# The largest pages that the server returns, and how much is listed by default.
TASKS_PER_PAGE, ROWS_PER_PAGE = 200, 1000
DEFAULT_TASKS, DEFAULT_ROWS = 50, 10000
CHUNK_TYPES = ["decision", "fact", "solution", "pattern", "preference", "summary"]


class Failure(Exception):
    """An error message for the user, and its exit code."""

    def __init__(self, message, exit_code):
        super().__init__(message)
        self.exit_code = exit_code


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another server."""

    def redirect_request(self, *_args, **_kwargs):
        return None


class Client:
    """Sends requests with the key; returns what is under "data"."""

    def __init__(self, url, key):
        self.base = url.rstrip("/") + "/api/v1"
        self.key = key
        self.opener = urllib.request.build_opener(NoRedirects)

    def get(self, path, **query):
        return self.send("GET", with_query(path, **query))

    def list(self, path, limit, page_size, **query):
        """The first rows of a list, fetched page by page, and whether there are more."""
        rows, cursor = [], None
        while True:
            size = min(page_size, limit - len(rows))
            page = self.exchange("GET", with_query(path, limit=size, cursor=cursor, **query))
            rows += page["data"]
            cursor = page.get("nextCursor")
            if cursor is None or len(rows) >= limit:
                return rows, cursor is not None

    def send(self, method, path, body=None, timeout_s=TIMEOUT_S, headers=None):
        return self.exchange(method, path, body, timeout_s, headers)["data"]

    def exchange(self, method, path, body=None, timeout_s=TIMEOUT_S, headers=None):
        """The server's whole response, which has at least "data"."""
        request = urllib.request.Request(self.base + path, method=method)
        request.add_header("Authorization", "Bearer " + self.key)
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        data = None
        if body is not None:
            request.add_header("Content-Type", "application/json")
            data = json.dumps(body).encode("utf-8")
        try:
            with self.opener.open(request, data=data, timeout=timeout_s) as response:
                content = json.loads(response.read().decode("utf-8"))
                content["data"]  # A response without it is not from a Workspace.
                return content
        except urllib.error.HTTPError as error:
            raise Failure(explain(error), EXIT_CODES.get(error.code, EXIT_REFUSED)) from None
        except (urllib.error.URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise Failure("cannot reach %s: %s" % (self.base, reason), EXIT_UNREACHABLE) from None
        except (ValueError, KeyError, TypeError):
            raise Failure("%s did not respond like a Workspace" % self.base, EXIT_UNREACHABLE) from None


def with_query(path, **query):
    given = [(name, value) for name, value in query.items() if value is not None]
    return path + ("?" + urllib.parse.urlencode(given, doseq=True) if given else "")


def say_if_more(shown, has_more):
    """Writes to standard error, so that the output stays parseable but nobody takes a part for the whole list."""
    if has_more:
        print("workspace.py: these are the first %d, and there are more; see --limit" % len(shown), file=sys.stderr)


def explain(error):
    """The server's own message, if it sent one."""
    try:
        return json.loads(error.read().decode("utf-8"))["message"]
    except (ValueError, KeyError, TypeError, OSError):
        return "the server responded with %s" % error.code


# The commands. Each returns its data and a function that prints it for people.


def tasks_list(client, args):
    tasks, has_more = client.list(
        "/tasks", args.limit, TASKS_PER_PAGE, status=args.status, projectId=args.project, search=args.search
    )
    say_if_more(tasks, has_more)
    return tasks, lambda: "\n".join(map(show_task, tasks)) or "No tasks."


def tasks_create(client, args):
    return changed_task(client.send("POST", "/tasks", task_fields(args)))


def tasks_update(client, args):
    fields = task_fields(args)
    if not fields:
        raise Failure("nothing to change: give at least one option, such as --status done", EXIT_USAGE)
    return changed_task(client.send("PUT", "/tasks/" + quote(args.id), fields))


def tasks_done(client, args):
    return changed_task(client.send("PUT", "/tasks/" + quote(args.id), {"status": "done"}))


def memory_search(client, args):
    memories = client.get(
        "/memory/search",
        query=args.query,
        projectPath=args.project_path,
        chunkType=args.type,
        minRelevance=args.min_relevance,
        limit=args.limit,
    )
    return memories, lambda: "\n".join("[%(chunkType)s] %(content)s" % memory for memory in memories) or "No memories."


def memory_store(client, args):
    body = {"content": read_text(args.content), "chunkType": args.type}
    if args.project_path is not None:
        body["projectPath"] = args.project_path
    if args.relevance is not None:
        body["relevanceScore"] = args.relevance
    memory = client.send("POST", "/memory", body)
    return memory, lambda: "Stored %s" % memory["id"]


def knowledge_list(client, args):
    files, has_more = client.list("/knowledge", args.limit, ROWS_PER_PAGE)
    say_if_more(files, has_more)
    if args.search is not None:
        wanted = args.search.casefold()
        files = [file for file in files if wanted in (file["path"] + "\n" + file["title"]).casefold()]
    return files, lambda: "\n".join("%(path)s  (%(title)s)" % file for file in files) or "No files."


def knowledge_get(client, args):
    file = client.get("/knowledge/" + quote(args.path.lstrip("/")))
    if args.output is not None:
        with open(args.output, "wb") as target:
            target.write(content_of(file))
        return file, lambda: "Wrote %s" % args.output
    return file, lambda: content_of(file)


def knowledge_search(client, args):
    hits = client.get("/documents/search", query=args.query, limit=args.limit)
    return hits, lambda: "\n".join("%(path)s  (%(title)s)" % hit for hit in hits) or "Nothing was found."


def knowledge_create(client, args):
    note = client.send("POST", "/notes/create", {"path": args.path, "content": read_text(args.content)})
    return note, lambda: "Created %(path)s" % note


def knowledge_append(client, args):
    note = client.send("POST", "/notes/append", {"path": args.path, "text": read_text(args.text)})
    return note, lambda: "Added to %(path)s" % note


def agents_list(client, args):
    agents, has_more = client.list("/agents", args.limit, ROWS_PER_PAGE)
    say_if_more(agents, has_more)
    return agents, lambda: "\n".join("%(id)s  %(name)s" % agent for agent in agents) or "No agents."


def ask(client, args):
    body = {"agentId": find_agent(client, args.agent), "message": read_text(args.message)}
    if args.conversation is not None:
        body["conversationId"] = args.conversation
    headers = {} if args.idempotency_key is None else {"Idempotency-Key": args.idempotency_key}
    answer = client.send("POST", "/agents/ask", body, timeout_s=ASK_TIMEOUT_S, headers=headers)
    return answer, lambda: answer["response"]


def find_agent(client, name):
    """An agent's id, given its id or its name; a key that may not list agents requires the id."""
    try:
        agents, _ = client.list("/agents", DEFAULT_ROWS, ROWS_PER_PAGE)
    except Failure as failure:
        if failure.exit_code == EXIT_KEY:
            return name
        raise
    ids = [agent["id"] for agent in agents if name in (agent["id"], agent["name"])]
    if not ids:
        raise Failure("there is no agent %s" % name, EXIT_NOT_FOUND)
    if len(ids) > 1:
        raise Failure("several agents are called %s; give the id" % name, EXIT_USAGE)
    return ids[0]


def task_fields(args):
    """The given fields; "none" clears a field that can be empty."""
    fields = {"title": args.title, "status": args.status}
    fields["priority"] = PRIORITIES.get(args.priority)
    fields["tags"] = None if args.tags is None else [tag for tag in args.tags.split(",") if tag.strip()]
    fields = {name: value for name, value in fields.items() if value is not None}
    for name, value in (("description", args.description), ("dueDate", args.due), ("projectId", args.project)):
        if value is not None:
            fields[name] = None if value == "none" else value
    if isinstance(fields.get("description"), str):
        fields["description"] = read_text(fields["description"])
    return fields


def changed_task(task):
    return task, lambda: show_task(task)


def show_task(task):
    due = " ".join(part for part in (task["dueDate"], task["dueTime"]) if part)
    due = "  due %s" % due if due else ""
    project = "  (%s)" % task["project"]["name"] if task["project"] else ""
    return "%s  [%s] %s%s%s" % (task["id"], task["status"], task["title"], project, due)


def content_of(file):
    content = file["content"]
    return base64.b64decode(content) if file.get("encoding") == "base64" else content.encode("utf-8")


def read_text(text):
    """The text itself; "-" reads it from standard input."""
    return sys.stdin.read() if text == "-" else text


def quote(part):
    return urllib.parse.quote(part, safe="")


# The command line.


def create_parser():
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print the data as JSON")
    common.add_argument("--url", default=argparse.SUPPRESS, help="the server's URL, if not " + DEFAULT_URL.replace("%", "%%"))
    about, _, details = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="workspace.py",
        description=about,
        epilog=details,
        parents=[common],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    groups = parser.add_subparsers(dest="group", metavar="COMMAND", required=True)

    def command(group, name, run, summary):
        added = group.add_parser(name, help=summary, description=summary, parents=[common])
        added.set_defaults(run=run)
        return added

    def group(name, summary):
        added = groups.add_parser(name, help=summary, description=summary)
        return added.add_subparsers(dest="action", metavar="ACTION", required=True)

    add_task_commands(group("tasks", "list, create and change tasks"), command)
    add_memory_commands(group("memory", "search and store memories"), command)
    add_knowledge_commands(group("knowledge", "list and read notes and files"), command)
    agents = command(group("agents", "list agents"), "list", agents_list, "list the agents that can be asked")
    agents.add_argument("--limit", type=at_least_one, default=DEFAULT_ROWS, help="the maximum number (default %(default)s)")
    asking = command(groups, "ask", ask, "ask an agent and print its answer; costs credits")
    asking.add_argument("agent", help="the agent's name or id")
    asking.add_argument("message", help='what to ask; "-" reads it from standard input')
    asking.add_argument("--conversation", help="the conversationId of an earlier answer, to continue it")
    asking.add_argument("--idempotency-key", help="a retry with the same key gets the first answer, at no cost")
    return parser


def add_task_commands(tasks, command):
    listing = command(tasks, "list", tasks_list, "list tasks, newest first")
    listing.add_argument("--status", action="append", choices=STATUSES, help="may be repeated")
    listing.add_argument("--project", metavar="ID", help="only tasks of this project")
    listing.add_argument("--search", metavar="TEXT", help="only with this in title or description")
    listing.add_argument("--limit", type=at_least_one, default=DEFAULT_TASKS, help="the maximum number (default %(default)s)")
    creating = command(tasks, "create", tasks_create, "create a task")
    creating.add_argument("title")
    changing = command(tasks, "update", tasks_update, "change what is given of a task")
    changing.add_argument("id")
    changing.add_argument("--title")
    for parser in (creating, changing):
        parser.add_argument("--description", metavar="TEXT", help='"-" reads it from standard input')
        parser.add_argument("--status", choices=STATUSES)
        parser.add_argument("--priority", choices=list(PRIORITIES))
        parser.add_argument("--due", metavar="DATE", help="YYYY-MM-DD, or a date-time")
        parser.add_argument("--tags", metavar="A,B", help="replaces all tags")
        parser.add_argument("--project", metavar="ID")
    changing.epilog = 'The word "none" clears the description, the due date or the project.'
    command(tasks, "done", tasks_done, "mark a task as done").add_argument("id")


def add_memory_commands(memory, command):
    searching = command(memory, "search", memory_search, "search memories, best match first")
    searching.add_argument("query", nargs="?", help="without it, the most relevant ones")
    searching.add_argument("--type", choices=CHUNK_TYPES)
    searching.add_argument("--project-path", metavar="PATH")
    searching.add_argument("--min-relevance", type=float, metavar="0..1")
    searching.add_argument("--limit", type=int, help="the maximum number, up to 100 (default 20)")
    storing = command(memory, "store", memory_store, "store a memory")
    storing.add_argument("content", help='"-" reads it from standard input')
    storing.add_argument("--type", choices=CHUNK_TYPES, required=True)
    storing.add_argument("--project-path", metavar="PATH")
    storing.add_argument("--relevance", type=float, metavar="0..1")


def add_knowledge_commands(knowledge, command):
    listing = command(knowledge, "list", knowledge_list, "list notes and files, newest change first")
    listing.add_argument("--search", metavar="TEXT", help="only with this in path or title")
    listing.add_argument(
        "--limit", type=at_least_one, default=DEFAULT_ROWS, help="the maximum number to search (default %(default)s)"
    )
    getting = command(knowledge, "get", knowledge_get, "print a file, or save it")
    getting.add_argument("path")
    getting.add_argument("-o", "--output", metavar="FILE", help="write the file's exact bytes there")
    searching = command(knowledge, "search", knowledge_search, "search notes and files, best match first")
    searching.add_argument("query")
    searching.add_argument("--limit", type=at_least_one, help="the maximum number, up to 100 (default 20)")
    creating = command(knowledge, "create", knowledge_create, "create a note; an existing one is not replaced")
    creating.add_argument("path")
    creating.add_argument("content", help='"-" reads it from standard input')
    appending = command(knowledge, "append", knowledge_append, "add text at the end of a note")
    appending.add_argument("path")
    appending.add_argument("text", help='"-" reads it from standard input')


def at_least_one(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def show(data, describe, as_json):
    text = json.dumps(data, indent=2, ensure_ascii=False) if as_json else describe()
    if isinstance(text, str):
        text = (text + "\n").encode("utf-8")
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def main(argv=None):
    args = create_parser().parse_args(argv)
    try:
        key = os.environ.get("WORKSPACE_API_KEY", "").strip()
        if not key:
            raise Failure("set WORKSPACE_API_KEY to an API key, which the dashboard creates", EXIT_KEY)
        url = getattr(args, "url", None) or os.environ.get("WORKSPACE_URL") or DEFAULT_URL
        data, describe = args.run(Client(url, key), args)
        show(data, describe, getattr(args, "json", False))
        return 0
    except Failure as failure:
        print("workspace.py: %s" % failure, file=sys.stderr)
        return failure.exit_code
    except BrokenPipeError:
        return 0
    except (OSError, ValueError) as error:
        print("workspace.py: %s" % error, file=sys.stderr)
        return EXIT_REFUSED
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
