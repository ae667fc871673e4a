import { load, save } from './storage.js';
import { Listeners, useNotifications } from './store.js';

/** The choices of this browser's user; they are kept in the browser and sent nowhere. */
export interface Settings {
  theme: 'system' | 'light' | 'dark';
  /** How loud moves and endings are, in percent. */
  volume: number;
  /** The size of the board of a game, in percent of the way from the smallest to the largest. */
  boardSize: number;
  /** Whether a move of a slow game is sent only after it was confirmed. */
  confirmsSlowMoves: boolean;
  /** Whether pictures of players are loaded from the hosts that their profiles name. */
  pictures: boolean;
  /** Whether direct invitations of others are shown. */
  invitations: boolean;
  /** Whether the next slow game that waits opens after a move. */
  nextGame: boolean;
  boardTheme: 'green' | 'brown' | 'blue';
  pieceSet: 'classic' | 'flat' | 'letters';
  /** Whether a pawn becomes a queen without a question. */
  alwaysQueen: boolean;
  /** Whether several premoves can wait. */
  severalPremoves: boolean;
  /** Whether quick pairing looks for rated games, where it may. */
  rated: boolean;
  /** Whether the player talks with opponents; undefined until the user has chosen. */
  talk: boolean | undefined;
  /** Whether the browser notifies of moves, invites and words while the page is hidden. */
  notifications: boolean;
}

const DEFAULTS: Settings = {
  theme: 'system',
  volume: 60,
  boardSize: 100,
  confirmsSlowMoves: true,
  pictures: false,
  invitations: true,
  nextGame: false,
  boardTheme: 'green',
  pieceSet: 'classic',
  alwaysQueen: false,
  severalPremoves: false,
  rated: true,
  talk: undefined,
  notifications: false,
};
const listeners = new Listeners();
let current = read();
apply();

function read(): Settings {
  try {
    const stored = JSON.parse(load('settings') ?? '{}') as Partial<Record<keyof Settings, unknown>>;
    return {
      theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : DEFAULTS.theme,
      volume: percent(stored.volume, DEFAULTS.volume),
      boardSize: percent(stored.boardSize, DEFAULTS.boardSize),
      confirmsSlowMoves: stored.confirmsSlowMoves !== false,
      pictures: stored.pictures === true,
      invitations: stored.invitations !== false,
      nextGame: stored.nextGame === true,
      boardTheme: stored.boardTheme === 'brown' || stored.boardTheme === 'blue' ? stored.boardTheme : DEFAULTS.boardTheme,
      pieceSet: stored.pieceSet === 'flat' || stored.pieceSet === 'letters' ? stored.pieceSet : DEFAULTS.pieceSet,
      alwaysQueen: stored.alwaysQueen === true,
      severalPremoves: stored.severalPremoves === true,
      rated: stored.rated !== false,
      talk: typeof stored.talk === 'boolean' ? stored.talk : undefined,
      notifications: stored.notifications === true,
    };
  } catch {
    return DEFAULTS;
  }
}

function percent(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 && value <= 100 ? value : otherwise;
}

/** Applies what style sheets read. */
function apply(): void {
  if (typeof document === 'undefined') return;
  const { dataset, style } = document.documentElement;
  if (current.theme === 'system') delete dataset['theme'];
  else dataset['theme'] = current.theme;
  style.setProperty('--board-scale', String(current.boardSize / 100));
  dataset['board'] = current.boardTheme;
}

/** The current settings. */
export function settings(): Settings {
  return current;
}

/** Changes some of the settings. */
export function changeSettings(changes: Partial<Settings>): void {
  current = { ...current, ...changes };
  save('settings', JSON.stringify(current));
  apply();
  listeners.notify();
}

/** The current settings; the component is rendered again when they change. */
export function useSettings(): Settings {
  useNotifications((listener) => listeners.add(listener), listeners);
  return current;
}
