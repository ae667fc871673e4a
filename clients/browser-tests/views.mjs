// Every view of the page with something in it, for tests that visit all of them.
import { pair, play, Player } from './player.mjs';

/** Fills a relay: a finished game, a running one and a challenge. Returns the addresses of the views by their names. */
export async function fill(browser, relay) {
  const finished = await pair(browser, relay);
  await play(finished, ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
  await finished.white.result();
  const running = await pair(browser, relay);
  await play(running, ['e2e4', 'e7e5']);
  const inviter = await Player.open(browser, relay);
  const { hash: challenge } = new URL(await inviter.inviteByLink());
  const player = await finished.white.page.locator('.player-bar a[href^="#/player/"]').first().getAttribute('href');
  const visitors = [finished.white, finished.black, running.white, running.black, inviter];
  return {
    views: {
      lobby: '#/',
      'a running game': `#/game/${running.id}`,
      'a finished game': `#/game/${finished.id}`,
      'a challenge': challenge,
      'a challenge that is over': `#/challenge/${'0'.repeat(64)}`,
      'a player': player,
      'an analysis': `#/analysis/${finished.id}`,
      'an empty board': '#/analysis',
      players: '#/players',
      'running games': '#/watch',
      leaderboards: '#/leaderboards',
      'a damaged key': '#/key/ncryptsec1',
      settings: '#/me',
      help: '#/help',
      'no page': '#/nothing/here',
    },
    close: () => Promise.all(visitors.map(visitor => visitor.close())),
  };
}

/** Shows a view, and waits until it has arrived. */
export async function visit({ page }, hash) {
  // As a link does: to load the page for every view would take most of the time.
  await page.evaluate(it => {
    if ((location.hash || '#/') === it) return;
    document.querySelector('h1')?.setAttribute('data-former', '');
    location.hash = it;
  }, hash);
  await page.locator('h1:not([data-former])').first().waitFor({ state: 'attached' });
  if (/^#.(game|analysis)/.test(hash)) await page.locator('.board use').first().waitFor({ state: 'attached' });
}
