// A visitor who plays: the controls of the lobby and of a game, found as people find them, by role and name.
import assert from 'node:assert/strict';
import { Visitor } from './visitor.mjs';

export class Player extends Visitor {
  static async open(browser, relay, options) {
    const player = await super.open(browser, relay, options);
    await player.page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' });
    return player;
  }

  button(name, options = { exact: true }) {
    return this.page.getByRole('button', { name, ...options });
  }

  /** A card of the lobby. */
  card(name) {
    return this.page.getByRole('region', { name });
  }

  /** Makes a link for a friend, with a time as the page writes it, and returns it. */
  async inviteByLink({ color = 'White', time = '10 + 5' } = {}) {
    const card = this.card('Play a friend');
    await card.getByRole('radio', { name: 'By link' }).check();
    await card.getByRole('radio', { name: color }).check();
    await card.getByLabel('Time').selectOption({ label: await this.#optionOf(card, time) });
    await card.getByRole('button', { name: 'Create a link' }).click();
    const link = card.getByLabel('Send this link to your friend');
    await link.waitFor();
    return link.inputValue();
  }

  async #optionOf(card, time) {
    const labels = await card.getByLabel('Time').locator('option').allTextContents();
    return labels.find(label => `${label} `.replaceAll('\u00a0', ' ').startsWith(`${time} `));
  }

  /** Opens a friend's link and accepts. */
  async accept(link) {
    await this.page.goto(link);
    await this.button('Accept', { exact: false }).click();
  }

  /** Begins a game against the computer, with White. */
  async playTheComputer(level) {
    const card = this.card('Play the computer');
    await card.getByRole('radio', { name: `${level}`, exact: true }).check();
    await card.getByRole('radio', { name: 'White' }).check();
    await card.getByRole('button', { name: 'Play the computer' }).click();
    await this.game();
  }

  /** Waits for the board of a game that began; returns its id. */
  async game() {
    await this.page.waitForURL(/#\/game\/[0-9a-f]{64}$/);
    await this.page.locator('.board use').first().waitFor({ state: 'attached' });
    return this.page.url().slice(-64);
  }

  /** The piece on a square of the board. */
  piece(square) {
    return this.page.locator(`.board use[data-square="${square}"]:not(.piece-ghost)`);
  }

  /** The middle of a square of the board, in the window. */
  async middleOf(square) {
    return this.page.locator('.board > svg').evaluate((svg, name) => {
      const { left, top, width } = svg.getBoundingClientRect();
      const isWhiteBelow = svg.parentElement.dataset.orientation === 'white';
      const file = name.charCodeAt(0) - 97;
      const rank = Number(name[1]) - 1;
      const [column, row] = isWhiteBelow ? [file, 7 - rank] : [7 - file, rank];
      return [left + ((column + 0.5) * width) / 8, top + ((row + 0.5) * width) / 8];
    }, square);
  }

  /** Clicks a piece and the square to which it goes, written as `e2e4`. */
  async click(move) {
    for (const square of [move.slice(0, 2), move.slice(2, 4)]) {
      await this.page.mouse.click(...(await this.middleOf(square)));
    }
  }

  /** Presses a square and moves the pointer to another one. */
  async pull(move, options) {
    await this.page.mouse.move(...(await this.middleOf(move.slice(0, 2))));
    await this.page.mouse.down(options);
    await this.page.mouse.move(...(await this.middleOf(move.slice(2, 4))), { steps: 5 });
  }

  /** Drags a piece; with the right button, draws an arrow. */
  async drag(move, options) {
    await this.pull(move, options);
    await this.page.mouse.up(options);
  }

  /** Types a move. */
  async type(move) {
    await this.page.getByLabel('Type a move').fill(move);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until it is this player's turn. */
  async turn() {
    await this.page.getByText(/^Your turn/).waitFor();
  }

  /** Waits until a move is in the list, written as `1. e4` or `1… e5`, or as a pattern. */
  async seen(move) {
    await this.page.getByRole('button', { name: move, exact: true }).waitFor();
  }

  /** Waits for the end of the game; returns its title and its reason. */
  async result() {
    const region = this.page.getByRole('region', { name: 'Result' });
    await region.waitFor();
    return `${await region.getByRole('heading').textContent()}: ${await region.locator('p').first().textContent()}`;
  }

  /** Goes to another page of the same visit, such as `help`. */
  async goTo(page) {
    await this.page.evaluate(it => (location.hash = `#/${it}`), page);
    await this.page.locator(`a[href="#/${page}"][aria-current="page"]`).waitFor();
  }

  /** The text of the spectators' chat. */
  comments() {
    return this.page.getByRole('list', { name: 'Comments' });
  }
}

/** Two players in a game: the first has White and made the link. */
export async function pair(browser, relay, { time, white = {}, black = {} } = {}) {
  const first = await Player.open(browser, relay, white);
  const second = await Player.open(browser, relay, black);
  await second.accept(await first.inviteByLink({ time }));
  const ids = [await first.game(), await second.game()];
  assert.equal(ids[0], ids[1]);
  return { white: first, black: second, id: ids[0] };
}

/** Plays moves in turn, each in a way of its own: by click, drag or keyboard. */
export async function play({ white, black }, moves) {
  const ways = ['click', 'drag', 'type'];
  for (const [ply, move] of moves.entries()) {
    const player = ply % 2 === 0 ? white : black;
    await player.turn();
    await player[ways[ply % ways.length]](move);
  }
}
