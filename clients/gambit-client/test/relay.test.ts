import { after, before, suite } from 'node:test';
import { correspondence } from './correspondence.js';
import { games } from './games.js';
import { identities } from './identities.js';
import { lobby } from './lobby.js';
import { middle } from './middle.js';
import { spectators } from './spectators.js';
import { slowGames } from './slow-games.js';
import { closeClients } from './support/clients.js';
import { Relay } from './support/relay.js';

// The tests mostly wait for the relay, some for whole seconds.
suite('against the packaged relay', { concurrency: 6 }, () => {
  const relay = new Relay();
  const url = (): string => relay.url;
  before(() => relay.start());
  after(async () => {
    closeClients();
    await relay.stop();
  });

  games(url);
  spectators(url);
  lobby(url);
  slowGames(url);
  middle(url);
  identities(url);
  correspondence(url);
});
