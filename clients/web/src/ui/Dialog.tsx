import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import './dialog.css';

/**
 * A modal dialog, open as long as it is rendered. The browser keeps the focus inside and gives it
 * back afterwards.
 *
 * @param onClose called by Escape and by a press beside the dialog
 */
export function Dialog({ title, class: extra, onClose, children }: {
  title: string;
  class?: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${extra ?? ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-content">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ComponentChildren }) {
  return <div class="dialog-actions">{children}</div>;
}
