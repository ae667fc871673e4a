import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The relative luminance of `#rrggbb` (WCAG 2). */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test('coordinates can be read on the squares of every theme', () => {
  const css = readFileSync(`${process.cwd()}/src/board/themes.css`, 'utf8');
  const themes = css.split(':root').slice(1);
  assert.equal(themes.length, 3);
  for (const theme of themes) {
    const colorOf = (name: string): string => new RegExp(`--board-${name}: (#[0-9a-f]{6})`).exec(theme)![1]!;
    for (const square of ['light', 'dark']) {
      const contrast = (luminance(colorOf(square)) + 0.05) / (luminance(colorOf('coordinates')) + 0.05);
      assert.ok(contrast >= 4.5, `${contrast} on ${colorOf(square)}`);
    }
  }
});
