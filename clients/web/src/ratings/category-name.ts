import type { Category } from 'gambit-client';
import { t } from '../language/t.js';

/** "Blitz". */
export function categoryName(category: Category): string {
  return { bullet: t('Bullet'), blitz: t('Blitz'), rapid: t('Rapid'), classical: t('Classical'), correspondence: t('Correspondence') }[category];
}
