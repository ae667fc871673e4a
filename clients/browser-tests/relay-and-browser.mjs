// The relay and the browser of a file of tests: they start before its first test, and end after its last. The files that a
// group imports share both.
import { after, before } from 'node:test';
import { Relay } from './relay.mjs';
import { launch } from './visitor.mjs';

export let relay;
export let browser;

let settings;

/**
 * Starts both, the browser with options of `launch`, the relay with settings as for `--set`, besides those of the other
 * files of a group.
 */
export function startRelayAndBrowser(more, options) {
  if (settings) {
    Object.assign(settings, more);
    return;
  }
  settings = { ...more };
  before(async () => {
    browser = await launch(options); // by then, all files of the group have said their settings
    relay = await Relay.start(settings);
  });
  after(async () => {
    await browser?.close();
    await relay?.close();
  });
}
