import { Text } from '@mantine/core';
import { IconClockExclamation, type TablerIcon } from '@tabler/icons-react';
import { formatTime } from '../time/format-time.js';
import { Timestamp } from '../time/timestamp.js';
import { useNow } from '../time/use-now.js';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import { getDueState } from './due-state.js';
import './inbox.css';

/** Time since an item was requested. */
export function Age({ at }: { readonly at: string }) {
  const age = formatTime(at, 'relative', useNow(), 'past');
  return <time dateTime={at}>{age}</time>;
}

/** Shows the due date; overdue is marked by word and icon, not only by colour. */
export function DueDate({ dueAt }: { readonly dueAt: string | null }) {
  const state = getDueState(dueAt, useNow());
  if (dueAt === null) return null;
  const overdue = state === 'overdue';
  return (
    <Text component="span" size="xs" {...(overdue ? { fw: 600, className: 'cs-overdue' } : { c: 'dimmed' })}>
      {overdue && <IconClockExclamation size={13} aria-hidden />}{' '}
      {overdue ? texts.approvals.overdue : texts.approvals.due} <Timestamp at={dueAt} tense="either" />
    </Text>
  );
}

/** Up to this length, the tooltip shows what the row cuts, in characters. */
const MAX_TOOLTIP_LENGTH = 300;

/** Title of a row. It takes two lines before it is cut; the tooltip has the rest. */
export function RowTitle({ text }: { readonly text: string }) {
  return (
    <Text
      component="span"
      fw={600}
      size="sm"
      lineClamp={2}
      className="cs-inbox-title"
      title={toOneLine(text, MAX_TOOLTIP_LENGTH)}
    >
      <bdi>{toOneLine(text)}</bdi>
    </Text>
  );
}

/** The word that distinguishes the kinds of items in the inbox. */
export function ItemKind({ icon: Icon, label }: { readonly icon: TablerIcon; readonly label: string }) {
  return (
    <Text component="span" size="xs" fw={600} className="cs-inbox-kind">
      <Icon size={13} aria-hidden /> {label}
    </Text>
  );
}
