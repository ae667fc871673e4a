import type { Color } from 'gambit-client';

/** The colour that an invite leaves to the invited player, in words. */
export function colorOfInvited(inviter: Color | 'random' | undefined): string {
  return { white: 'you play Black', black: 'you play White', random: 'random colours' }[inviter ?? 'random'];
}

/** The colour that an invite gives to its author, in words to the author. */
export function colorOfInviter(inviter: Color | 'random' | undefined): string {
  return { white: 'you play White', black: 'you play Black', random: 'random colours' }[inviter ?? 'random'];
}
