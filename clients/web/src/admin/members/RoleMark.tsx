import { useEffect, useRef } from 'preact/hooks';
import { oneLine } from '../../ui/names.js';
import { roleName, type Role } from './members.js';
import './members.css';

const MAX_LABEL_LENGTH = 40;

/** A role's name with a dot of its colour. */
export function RoleMark({ id, roles }: { id: string; roles: readonly Role[] }) {
  const dot = useRef<HTMLSpanElement>(null);
  const hue = Number.parseInt(roles.find((role) => role.id === id)?.color ?? '', 10);
  useEffect(() => {
    // By script: the policy forbids the attribute.
    if (Number.isFinite(hue)) dot.current!.style.backgroundColor = `hsl(${hue} 60% 50%)`;
  }, [hue]);
  return (
    <span class="role-mark">
      <span ref={dot} class="role-dot" aria-hidden="true" />
      <bdi>{oneLine(roleName(id, roles), MAX_LABEL_LENGTH)}</bdi>
    </span>
  );
}
