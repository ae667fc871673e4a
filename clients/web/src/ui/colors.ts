import type { Color } from 'gambit-client';
import { t } from '../language/t.js';

/** The colour that an invite leaves to the invited player, in words. */
export function colorOfInvited(inviter: Color | 'random' | undefined): string {
  return colorOfInviter(inviter === 'white' ? 'black' : inviter === 'black' ? 'white' : 'random');
}

/** The colour that an invite gives to its author, in words to the author. */
export function colorOfInviter(inviter: Color | 'random' | undefined): string {
  return t('{color, select, white {you play White} black {you play Black} other {random colours}}', { color: inviter ?? 'random' });
}
