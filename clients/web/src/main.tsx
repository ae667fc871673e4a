import { render } from 'preact';
import { useState } from 'preact/hooks';
import './styles/tokens.css';
import './styles/base.css';
import { App } from './app/App.js';
import { ForeignRelayQuestion } from './app/ForeignRelay.js';
import { isAllowed, isForeign, relayUrl } from './app/relay.js';
import { loadLanguage } from './language/language.js';
import { t } from './language/t.js';

const page = new URL(location.href);
const relay = relayUrl(page);
const root = document.getElementById('app')!;
await loadLanguage();
if (relay === undefined) {
  root.textContent = t('The address of this page names no relay after “relay=”. It has to begin with wss:// or ws://.');
} else {
  render(<Page relay={relay} />, root);
}

function Page({ relay }: { relay: string }) {
  const foreign = isForeign(relay, page);
  const [asks, setAsks] = useState(foreign && !isAllowed(relay));
  if (asks) return <ForeignRelayQuestion relay={relay} onAllowed={() => setAsks(false)} />;
  return <App relay={relay} isForeign={foreign} />;
}
