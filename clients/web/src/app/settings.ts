import { load, save } from './storage.js';
import { Listeners, useNotifications } from './store.js';

/** The choices of this browser's user; they are kept in the browser and sent nowhere. */
export interface Settings {
  theme: 'system' | 'light' | 'dark';
  /** Whether moves and endings make a sound. */
  sounds: boolean;
  /** Whether pictures of players are loaded from the hosts that their profiles name. */
  pictures: boolean;
  /** Whether direct invitations of others are shown. */
  invitations: boolean;
  boardTheme: 'green' | 'brown' | 'blue';
  pieceSet: 'classic' | 'flat' | 'letters';
  /** Whether a pawn becomes a queen without a question. */
  alwaysQueen: boolean;
  /** Whether several premoves can wait. */
  severalPremoves: boolean;
}

const DEFAULTS: Settings = {
  theme: 'system',
  sounds: false,
  pictures: false,
  invitations: true,
  boardTheme: 'green',
  pieceSet: 'classic',
  alwaysQueen: false,
  severalPremoves: false,
};
const listeners = new Listeners();
let current = read();
applyTheme();

function read(): Settings {
  try {
    const stored = JSON.parse(load('settings') ?? '{}') as Partial<Record<keyof Settings, unknown>>;
    return {
      theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : DEFAULTS.theme,
      sounds: stored.sounds === true,
      pictures: stored.pictures === true,
      invitations: stored.invitations !== false,
      boardTheme: stored.boardTheme === 'brown' || stored.boardTheme === 'blue' ? stored.boardTheme : DEFAULTS.boardTheme,
      pieceSet: stored.pieceSet === 'flat' || stored.pieceSet === 'letters' ? stored.pieceSet : DEFAULTS.pieceSet,
      alwaysQueen: stored.alwaysQueen === true,
      severalPremoves: stored.severalPremoves === true,
    };
  } catch {
    return DEFAULTS;
  }
}

function applyTheme(): void {
  if (typeof document === 'undefined') return;
  if (current.theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = current.theme;
  document.documentElement.dataset['board'] = current.boardTheme;
}

/** The current settings. */
export function settings(): Settings {
  return current;
}

/** Changes some of the settings. */
export function changeSettings(changes: Partial<Settings>): void {
  current = { ...current, ...changes };
  save('settings', JSON.stringify(current));
  applyTheme();
  listeners.notify();
}

/** The current settings; the component is rendered again when they change. */
export function useSettings(): Settings {
  useNotifications((listener) => listeners.add(listener), listeners);
  return current;
}
