import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useState, type FormEvent } from 'react';
import { MomentField } from '../time/moment-field.js';
import { EMPTY_MOMENT_INPUT, parseMomentInput } from '../time/moment-input.js';
import { useNow } from '../time/use-now.js';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import { useInboxHost } from './inbox-host.js';
import { formatSnooze, getSnoozeChoices } from './snooze-times.js';

const t = texts.approvals.snooze;

interface SnoozeDialogProps {
  readonly approval: Approval;
  onClose(): void;
  /** @param until in ms since the epoch; omitted: ends the snooze now */
  onSnooze(until?: number): void;
}

/** Dialog that snoozes an approval, on this device only. */
export function SnoozeDialog({ approval, onClose, onSnooze }: SnoozeDialogProps) {
  const now = useNow();
  const [customInput, setCustomInput] = useState(EMPTY_MOMENT_INPUT);
  const customMoment = parseMomentInput(customInput);
  const [isPast, setIsPast] = useState(false);
  const snoozedUntil = useInboxHost().snooze?.snoozedUntil(approval);
  const due = approval.dueAt === null ? undefined : Date.parse(approval.dueAt);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (customMoment.kind !== 'moment') return;
    if (customMoment.at > Date.now()) onSnooze(customMoment.at);
    else setIsPast(true);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={snoozedUntil === undefined ? t.title : t.titleAgain(formatSnooze(snoozedUntil, now))}
      size="sm"
    >
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {toOneLine(approval.title, 120)}
        </Text>
        {snoozedUntil !== undefined && (
          <Button variant="light" onClick={() => onSnooze()} data-autofocus>
            {t.wake}
          </Button>
        )}
        {getSnoozeChoices(now).map(({ id, at }, index) => (
          <Button
            key={id}
            variant="default"
            justify="space-between"
            rightSection={<span className="cs-snooze-time">{formatSnooze(at, now)}</span>}
            onClick={() => onSnooze(at)}
            {...(index === 0 && snoozedUntil === undefined ? { 'data-autofocus': true } : {})}
          >
            {t.choices[id]}
          </Button>
        ))}
        <form onSubmit={submit} noValidate>
          <Group align="end" gap="xs" wrap="nowrap">
            <MomentField
              label={t.customTime}
              flex={1}
              input={customInput}
              error={isPast ? t.notInFuture : undefined}
              onInput={(input) => {
                setCustomInput(input);
                setIsPast(false);
              }}
            />
            <Button type="submit" variant="default" disabled={customMoment.kind !== 'moment'}>
              {t.submit}
            </Button>
          </Group>
        </form>
        <Text size="xs" c="dimmed">
          {due !== undefined && due > now ? `${t.due(formatSnooze(due, now))} ${t.hint}` : t.hint}
        </Text>
      </Stack>
    </Modal>
  );
}
