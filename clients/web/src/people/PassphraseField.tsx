import { useId } from 'preact/hooks';

/** A field for a passphrase. */
export function PassphraseField({ label, value, isNew = false, problem, onChange }: {
  label: string;
  value: string;
  /** Whether it is chosen here, so that the browser offers to make one and to keep it. */
  isNew?: boolean;
  problem?: string | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const problemId = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="password"
        autocomplete={isNew ? 'new-password' : 'current-password'}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {problem !== undefined && <p id={problemId} class="problem small" role="alert">{problem}</p>}
    </div>
  );
}
