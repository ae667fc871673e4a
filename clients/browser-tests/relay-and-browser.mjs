// The relay and the browser of a file of tests: they start before its first test, and end after its last.
import { after, before } from 'node:test';
import { Relay } from './relay.mjs';
import { launch } from './visitor.mjs';

export let relay;
export let browser;

/** Starts both, the relay with settings as for `--set`, the browser with options of `launch`. */
export function startRelayAndBrowser(settings, options) {
  before(async () => {
    relay = await Relay.start(settings);
    browser = await launch(options);
  });
  after(async () => {
    await browser?.close();
    await relay?.close();
  });
}
