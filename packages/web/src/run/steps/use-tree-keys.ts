import { useRef, type KeyboardEvent } from 'react';
import { findByPrefix, type StepRow } from './step-rows.js';

interface TreeKeysOptions {
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
}: TreeKeysOptions): (event: KeyboardEvent) => void {
  const typeAheadState = useRef({ text: '', at: 0 });
  return (event) => {
    const row = rows[index];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const { stepId } = row.step;
    const moveTo = (targetIndex: number): void => {
      const target = rows[Math.min(rows.length - 1, Math.max(0, targetIndex))];
      if (target !== undefined) onMove(target.step.stepId);
    };
    switch (event.key) {
      case 'ArrowDown':
        moveTo(index + 1);
        break;
      case 'ArrowUp':
        moveTo(index - 1);
        break;
      case 'Home':
        moveTo(0);
        break;
      case 'End':
        moveTo(rows.length - 1);
        break;
      case 'PageDown':
        moveTo(index + pageSize());
        break;
      case 'PageUp':
        moveTo(index - pageSize());
        break;
      case 'ArrowRight':
        if (row.expanded === false) onToggle(stepId);
        else if (row.expanded === true) moveTo(index + 1);
        break;
      case 'ArrowLeft':
        if (row.expanded === true) onToggle(stepId);
        else if (row.parentStepId !== undefined) onMove(row.parentStepId);
        break;
      case 'Enter':
      case ' ':
        onOpen(stepId);
        break;
      default:
        if (event.key.length !== 1 || !/[\p{L}\p{N}]/u.test(event.key)) return;
        moveByTypeAhead(event.key);
    }
    event.preventDefault();
    event.stopPropagation();

    function moveByTypeAhead(key: string): void {
      const isContinued = event.timeStamp - typeAheadState.current.at < TYPE_AHEAD_MS;
      typeAheadState.current = { text: isContinued ? typeAheadState.current.text + key : key, at: event.timeStamp };
      const matchIndex = findByPrefix(rows, isContinued ? index : index + 1, typeAheadState.current.text);
      if (matchIndex !== -1) moveTo(matchIndex);
    }
  };
}
