import { useEffect, useId, useState } from 'preact/hooks';
import { Button } from '../ui/Button.js';
import { announce } from '../app/announce.js';
import { t } from '../language/t.js';
import type { GameState } from './game-state.js';
import './move-field.css';

/** The field in which moves are typed. */
export function MoveField({ state }: { state: GameState }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const problemId = useId();
  useEffect(() => setProblem(undefined), [state.plies.length]); // what was wrong may be right now
  const enter = (event: Event): void => {
    event.preventDefault();
    const reason = state.enterTyped(text);
    setProblem(reason);
    if (reason === undefined) {
      setText('');
    } else {
      announce(reason, 'assertive');
    }
  };
  return (
    <form class="move-field" onSubmit={enter}>
      <label for={id} class="visually-hidden">{t('Type a move')}</label>
      <input
        id={id}
        value={text}
        placeholder={t('Type a move: e4, Nf3, e2e4')}
        autocomplete="off"
        autocapitalize="off"
        autocorrect="off"
        spellcheck={false}
        enterkeyhint="send"
        maxLength={12}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setProblem(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            setText('');
            setProblem(undefined);
          }
        }}
      />
      <Button type="submit" size="small">{t('Play')}</Button>
      <p id={problemId} class="move-field-problem small">{problem}</p>
    </form>
  );
}
