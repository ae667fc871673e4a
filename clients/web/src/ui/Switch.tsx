import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './switch.css';

/** A setting that is on or off, with its description. */
export function Switch({ label, checked, onChange, children }: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The description. */
  children?: ComponentChildren;
}) {
  const id = useId();
  const descriptionId = useId();
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-describedby={children ? descriptionId : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {children && <p id={descriptionId} class="muted small">{children}</p>}
    </div>
  );
}
