// What browsers have and Node 18 lacks. The libraries look for it when they are loaded.
import { webcrypto } from 'node:crypto';
import WebSocket from 'ws';

globalThis.WebSocket = WebSocket;
globalThis.crypto ??= webcrypto;
