import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBinaryTree,
  IconClock,
  IconFile,
  IconGavel,
  IconMessageQuestion,
  IconPlayerPlay,
  IconRobot,
  IconScale,
  IconSquareRounded,
  type TablerIcon,
} from '@tabler/icons-react';
import type { RunEvent } from '@countersign/contract';
import { eventKind, type EventKind } from './event-sentences.js';

const ICONS: Readonly<Record<EventKind, TablerIcon>> = {
  run: IconPlayerPlay,
  step: IconSquareRounded,
  approval: IconGavel,
  question: IconMessageQuestion,
  agent: IconRobot,
  wait: IconClock,
  error: IconAlertTriangle,
  artifact: IconFile,
  child: IconBinaryTree,
  decision: IconScale,
  undo: IconArrowBackUp,
};

/** Returns the colour for the outcome of an event; the sentence beside it states the same. */
function outcomeColor(type: string): string {
  if (/failed|lost|rejected|exhausted/.test(type)) return 'var(--cs-failed)';
  if (/requested|awaited|asked|expired/.test(type)) return 'var(--cs-waiting)';
  if (/completed|resolved|received|fired|answered/.test(type)) return 'var(--cs-done)';
  return 'var(--cs-muted)';
}

export function EventIcon({ event }: { readonly event: RunEvent }) {
  const Icon = ICONS[eventKind(event)];
  return <Icon size={16} color={outcomeColor(event.type)} aria-hidden />;
}
