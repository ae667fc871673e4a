import type { Category } from 'gambit-client';

/** "Blitz". */
export function categoryName(category: Category): string {
  return category.charAt(0).toUpperCase() + category.slice(1);
}
