// A visitor of the page in a browser of its own profile. Whatever the browser complains about is a failure.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe-core for which the colours matter. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const HEADLESS_SHELL = `${CHROMIUM}-headless-shell`;

/**
 * Runs in the page: sounds are made as ever, but nothing plays them. Once a page has made a sound, its threads for audio
 * would run all the time.
 */
function muteSounds() {
  globalThis.AudioContext = class extends OfflineAudioContext {
    constructor() {
      super(1, 44_100, 44_100);
    }

    async resume() {}
  };
}

/**
 * Chromium without its own services, which would look for the Internet. Its headless shell, where there is one, is the
 * same engine in half the CPU; it lacks notifications, for which a test asks for the whole browser.
 *
 * @param optimizes whether scripts are optimized while they run; most pages live too shortly to profit from that
 * @param more further arguments
 */
export function launch({ isWhole = false, optimizes = false, more = [] } = {}) {
  return chromium.launch({
    executablePath: !isWhole && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(optimizes ? [] : ['--js-flags=--no-opt,--no-maglev']),
      ...more,
    ],
  });
}

export class Visitor {
  complaints = [];

  /** Opens the relay's page, or another path of it; `init` runs in the page before its scripts. */
  static async open(browser, relay, { path = '', init, hasSound = false, ...options } = {}) {
    const visitor = new this();
    visitor.relay = relay;
    visitor.context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    if (!hasSound) await visitor.context.addInitScript(muteSounds);
    if (init) await visitor.context.addInitScript(init);
    visitor.page = await visitor.context.newPage();
    visitor.page.setDefaultTimeout(120_000);
    visitor.#watch();
    await visitor.page.goto(relay.url + path);
    return visitor;
  }

  #watch() {
    const { page } = this;
    page.on('pageerror', error => this.complaints.push(`exception: ${error.stack}`));
    page.on('console', message => {
      // A lost connection is part of some tests, and Chromium reports it as an error.
      if (message.type() === 'error' && !/ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED|WebSocket connection/.test(message.text())) {
        this.complaints.push(`console: ${message.text()}`);
      }
    });
    page.on('request', request => {
      const { host, protocol } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && host !== new URL(this.relay.url).host) {
        this.complaints.push(`request to a third party: ${request.url()}`);
      }
    });
  }

  /** Fails with what the browser has complained about: exceptions, the CSP, requests to others. */
  assertNoComplaints() {
    assert.deepEqual(this.complaints, []);
  }

  /** Fails if axe-core finds a serious or critical fault in the page as it is now; `options` are its own. */
  async assertAccessible(options) {
    // Not by a script element, which the Content-Security-Policy forbids; once for a document, where it is compiled then.
    if (await this.page.evaluate(() => !('axe' in globalThis))) await this.page.evaluate(axe);
    const { violations } = await this.page.evaluate(
      it => globalThis.axe.run(document, { resultTypes: ['violations'], ...it }),
      options,
    );
    const serious = violations.filter(it => ['serious', 'critical'].includes(it.impact));
    assert.deepEqual(
      serious.map(it => `${it.id}: ${it.nodes.map(node => node.html).slice(0, 3).join(' | ')}`),
      [],
    );
  }

  /** The same in both colour schemes, of which the second one changes nothing but colours. */
  async assertAccessibleInBothSchemes() {
    await this.page.emulateMedia({ colorScheme: 'light' });
    await this.assertAccessible();
    await this.page.emulateMedia({ colorScheme: 'dark' });
    await this.assertAccessible({ runOnly: COLOURS });
  }

  /** The same without colours, which take half of the time, for a page whose colours another test checks. */
  async assertAccessibleButColours() {
    await this.assertAccessible({ rules: Object.fromEntries(COLOURS.map(it => [it, { enabled: false }])) });
  }

  async close() {
    await this.context.close();
    this.assertNoComplaints();
  }
}
