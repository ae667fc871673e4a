import { IntlMessageFormat, type PrimitiveType } from 'intl-messageformat';
import type { ComponentChild } from 'preact';
import { isRightToLeft, locale, translationOf } from './language.js';

type Elements = ReturnType<IntlMessageFormat['getAst']>;

const formats = new Map<string, IntlMessageFormat>();

function formatOf(message: string): IntlMessageFormat {
  let format = formats.get(message);
  if (!format) {
    format = new IntlMessageFormat(translationOf(message), locale());
    if (isRightToLeft()) format = new IntlMessageFormat(isolated(format.getAst()), locale());
    formats.set(message, format);
  }
  return format;
}

/** A message whose values have a direction of their own, as names and hosts may: they are put between U+2068 and U+2069. */
function isolated(elements: Elements): Elements {
  return elements.flatMap((element): Elements => {
    if ('children' in element) return [{ ...element, children: isolated(element.children) }];
    if ('options' in element) {
      const options = Object.entries(element.options).map(([name, { value }]) => [name, { value: isolated(value) }]);
      return [{ ...element, options: Object.fromEntries(options) }];
    }
    const isValue = element.type === 1;
    return isValue ? [{ type: 0, value: '\u2068' }, element, { type: 0, value: '\u2069' }] : [element];
  });
}

/**
 * A sentence in the user's language.
 *
 * @param message the English sentence in ICU's message format: `{name}` is the value of that name, and
 *     `{count, plural, one {# game} other {# games}}` depends on a number. It must be a literal, from which the build
 *     collects the sentences; so it is never called before the language has been loaded, as in constants of a module
 */
export function t(message: string, values?: Record<string, PrimitiveType>): string {
  return values || /[{<']/.test(message) ? String(formatOf(message).format(values)) : translationOf(message);
}

/** As {@link t}; values can be elements, and functions for tags: in `<a>text</a>` the text is given to the value `a`. */
export function rich(
  message: string,
  values: Record<string, PrimitiveType | ComponentChild | ((parts: ComponentChild[]) => ComponentChild)>,
): ComponentChild {
  return formatOf(message).format<ComponentChild>(values as never);
}
