#!/usr/bin/env node
// A write policy plugin that accepts short notes, reading lines as most plugins on Node do.
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { event } = JSON.parse(line);
  const answer =
    [...event.content].length > 20
      ? { id: event.id, action: 'reject', msg: 'blocked: too long' }
      : { id: event.id, action: 'accept' };
  console.log(JSON.stringify(answer));
});
