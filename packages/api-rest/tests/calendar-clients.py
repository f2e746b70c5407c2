"""
What real calendar programs do with the server at CALDAV_URL: the library caldav, which others are built on. Each step checks what it
sees, and the server's own API what it has stored. Run by `npm run calendar-clients`.
"""

import datetime
import json
import os
import urllib.request

import caldav
import icalendar

URL = os.environ["CALDAV_URL"]
KEY = os.environ["CALDAV_KEY"]
API_TOKEN = os.environ["API_TOKEN"]


def api(method, path, body=None):
    request = urllib.request.Request(
        URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-API-Token": API_TOKEN, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["data"]


def step(name):
    print("ok", name, flush=True)


project = api("POST", "/api/projects", {"name": "Garden", "color": "#22c55e"})
client = caldav.DAVClient(url=URL, username="anyone", password=KEY)
principal = client.principal()
lists = {calendar.get_display_name(): calendar for calendar in principal.calendars()}
assert {"No project", "Garden"} <= set(lists), lists
assert lists["Garden"].get_supported_components() == ["VTODO"]
step("finds the lists from the host alone")

garden = lists["Garden"]
due = datetime.datetime(2026, 12, 24, 9, 0, tzinfo=datetime.timezone.utc)
todo = garden.add_todo(summary="Prune the roses; carefully, ü", due=due, priority=1, categories=["garden", "roses"])
[stored] = api("GET", "/api/tasks?search=Prune")
assert stored["title"] == "Prune the roses; carefully, ü"
assert (stored["dueDate"], stored["priority"], stored["tags"]) == ("2026-12-24T09:00:00.000Z", 3, ["garden", "roses"])
assert stored["projectId"] == project["id"]
step("creates a task")

child = garden.add_todo(summary="Sharpen the shears", parent=[todo.id])
[stored_child] = api("GET", "/api/tasks?search=Sharpen")
assert stored_child["parentId"] == stored["id"]
step("creates a subtask")

assert [str(found.icalendar_component["SUMMARY"]) for found in garden.search(todo=True, summary="shears")] == ["Sharpen the shears"]
assert len(garden.todos()) == 2
step("searches by text, and for what is to be done")

synchronized = garden.get_objects_by_sync_token(load_objects=True)
assert len(list(synchronized)) == 2
api("PUT", f"/api/tasks/{stored['id']}", {"title": "Prune all roses"})
api("DELETE", f"/api/tasks/{stored_child['id']}")
updated, deleted = synchronized.sync()
assert [str(found.url) for found in updated] == [str(todo.url)], list(updated)
assert [str(found.url) for found in deleted] == [str(child.url)], list(deleted)
step("learns what has changed, and what is gone")

todo.load()
assert str(todo.icalendar_component["SUMMARY"]) == "Prune all roses"
todo.complete()
assert api("GET", f"/api/tasks/{stored['id']}")["status"] == "done"
todo.uncomplete()
assert api("GET", f"/api/tasks/{stored['id']}")["status"] == "todo"
step("completes a task, and opens it again")

api("PUT", f"/api/tasks/{stored['id']}", {"description": "Newer"})
stale = todo.data.replace("Prune all roses", "Lost")
response = client.put(str(todo.url), stale, {"If-Match": '"1-1"', "Content-Type": "text/calendar"})
assert response.status == 412, response.status
todo.load()
todo.delete()
assert api("GET", f"/api/tasks/{stored['id']}")["deletedAt"] is not None
step("overwrites nothing that it has not seen, and deletes")

api("POST", "/api/tasks", {"title": "Water", "dueDate": "2026-12-24", "dueTime": "18:00"})
feed = api("POST", "/api/calendar-feeds", {"name": "Phone", "content": "both", "timezone": "Europe/Berlin"})
with urllib.request.urlopen(URL + feed["path"]) as response:
    calendar = icalendar.Calendar.from_ical(response.read())
[event] = [part for part in calendar.walk("VEVENT") if str(part["SUMMARY"]) == "Water"]
assert event.decoded("DTSTART").utcoffset() == datetime.timedelta(hours=1)
assert event.decoded("DTSTART").replace(tzinfo=None) == datetime.datetime(2026, 12, 24, 18, 0)
assert not calendar.errors and not event.errors
step("reads a feed, with the time in its zone")
