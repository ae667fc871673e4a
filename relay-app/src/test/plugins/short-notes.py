#!/usr/bin/env python3
"""A write policy plugin that accepts short notes, reading lines as most plugins in Python do."""
import json
import sys

for line in sys.stdin:
    event = json.loads(line)["event"]
    answer = {"id": event["id"], "action": "accept"}
    if len(event["content"]) > 20:
        answer = {"id": event["id"], "action": "reject", "msg": "blocked: too long"}
    print(json.dumps(answer), flush=True)
