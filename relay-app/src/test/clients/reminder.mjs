// Opens a reminder with each library. Arguments: its gift wrap in JSON, and the receiver's secret key in hex.
// Prints the author of the seal and the text, as each library finds them.
import './platform.mjs';
import sdk from '@rust-nostr/nostr-sdk';
import { nip17, nip44, verifyEvent } from 'nostr-tools';

const [json, secret] = process.argv.slice(2);
const wrap = JSON.parse(json);

const key = Uint8Array.from(Buffer.from(secret, 'hex'));
const sealed = nip44.decrypt(wrap.content, nip44.getConversationKey(key, wrap.pubkey));
const seal = JSON.parse(sealed);
const rumor = nip17.unwrapEvent(wrap, key);
if (!verifyEvent(wrap) || !verifyEvent(seal) || seal.pubkey !== rumor.pubkey || rumor.kind !== 14) {
  throw new Error('not a private message of its sender');
}
print('nostr-tools', seal.pubkey, rumor.content);

sdk.loadWasmSync();
const signer = sdk.NostrSigner.keys(sdk.Keys.parse(secret));
const unwrapped = await sdk.UnwrappedGift.fromGiftWrap(signer, sdk.Event.fromJson(json));
print('rust-nostr', unwrapped.sender.toHex(), unwrapped.rumor.content);

function print(library, author, text) {
  console.log(JSON.stringify({ library, author, text }));
}
