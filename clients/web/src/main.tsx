import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import { App } from './app/App.js';
import { relayUrl } from './app/relay.js';

const relay = relayUrl(new URL(location.href));
const root = document.getElementById('app')!;
if (relay === undefined) {
  root.textContent = 'The address of this page names no relay after “relay=”. It has to begin with wss:// or ws://.';
} else {
  render(<App relay={relay} />, root);
}
