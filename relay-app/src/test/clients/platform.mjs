// Browser features that Node 18 lacks. The libraries require them when they are loaded.
import { webcrypto } from 'node:crypto';
import WebSocket from 'ws';

globalThis.WebSocket = WebSocket;
globalThis.crypto ??= webcrypto;
