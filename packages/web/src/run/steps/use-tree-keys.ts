import { useRef, type KeyboardEvent } from 'react';
import { findByPrefix, type StepRow } from './step-rows.js';

interface TreeKeys {
  readonly rows: readonly StepRow[];
  /** Index of the current row. */
  readonly index: number;
  pageSize(): number;
  onMove(stepId: string): void;
  onOpen(stepId: string): void;
  onToggle(stepId: string): void;
}

const TYPE_AHEAD_MS = 700;

/**
 * Handles the keys of a tree (ARIA Authoring Practices, "Tree View Pattern"): arrows, Home, End, page keys, Enter, and
 * the first letters of a name.
 */
export function useTreeKeys({
  rows,
  index,
  pageSize,
  onMove,
  onOpen,
  onToggle,
}: TreeKeys): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 });
  return (event) => {
    const row = rows[index];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const { stepId } = row.step;
    const go = (to: number): void => {
      const target = rows[Math.min(rows.length - 1, Math.max(0, to))];
      if (target !== undefined) onMove(target.step.stepId);
    };
    switch (event.key) {
      case 'ArrowDown':
        go(index + 1);
        break;
      case 'ArrowUp':
        go(index - 1);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(rows.length - 1);
        break;
      case 'PageDown':
        go(index + pageSize());
        break;
      case 'PageUp':
        go(index - pageSize());
        break;
      case 'ArrowRight':
        if (row.expanded === false) onToggle(stepId);
        else if (row.expanded === true) go(index + 1);
        break;
      case 'ArrowLeft':
        if (row.expanded === true) onToggle(stepId);
        else if (row.parent !== undefined) onMove(row.parent);
        break;
      case 'Enter':
      case ' ':
        onOpen(stepId);
        break;
      default:
        if (event.key.length !== 1 || !/[\p{L}\p{N}]/u.test(event.key)) return;
        typeAhead(event.key);
    }
    event.preventDefault();
    event.stopPropagation();

    function typeAhead(key: string): void {
      const goesOn = event.timeStamp - typed.current.at < TYPE_AHEAD_MS;
      typed.current = { text: goesOn ? typed.current.text + key : key, at: event.timeStamp };
      const to = findByPrefix(rows, goesOn ? index : index + 1, typed.current.text);
      if (to !== -1) go(to);
    }
  };
}
