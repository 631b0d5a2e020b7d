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
import { getEventKind, type EventKind } from './describe-event.js';

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

/** Returns the colour of an event by its type. The colour only repeats what the sentence beside it states. */
function getEventColor(type: string): string {
  if (/failed|lost|rejected|exhausted/.test(type)) return 'var(--cs-failed)';
  if (/requested|awaited|asked|expired/.test(type)) return 'var(--cs-waiting)';
  if (/completed|resolved|received|fired|answered/.test(type)) return 'var(--cs-done)';
  return 'var(--cs-muted)';
}

export function EventIcon({ event }: { readonly event: RunEvent }) {
  const Icon = ICONS[getEventKind(event)];
  return <Icon size={16} color={getEventColor(event.type)} aria-hidden />;
}
