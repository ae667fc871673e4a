import { after, afterEach, before, suite } from 'node:test';
import { games } from './games.js';
import { closeClients } from './support/clients.js';
import { Relay } from './support/relay.js';

suite('against the packaged relay', () => {
  const relay = new Relay();
  const url = (): string => relay.url;
  before(() => relay.start());
  afterEach(() => closeClients());
  after(() => relay.stop());

  games(url);
});
