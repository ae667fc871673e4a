import type { ComponentChildren } from 'preact';
import { Button, type ButtonProps } from './Button.js';
import { notify } from './notices.js';
import { t } from '../language/t.js';

/** Copies a text to the clipboard. */
export function CopyButton({ text, label, variant, size }: {
  text: string | (() => string);
  /** The text of the button, such as "Copy link". */
  label: ComponentChildren;
  variant?: ButtonProps['variant'];
  size?: ButtonProps['size'];
}) {
  return (
    <Button variant={variant} size={size} onClick={() => void copy(typeof text === 'string' ? text : text())}>
      {label}
    </Button>
  );
}

async function copy(text: string): Promise<void> {
  if (await copyText(text)) notify(t('Copied.'));
  else notify(t('The browser does not allow copying here. Select the text and copy it yourself.'), 'problem');
}

/** Browsers offer the clipboard to encrypted pages only; the old way works in others as well. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    // A modal dialog makes everything outside of it inert.
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    const before = document.activeElement;
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}
