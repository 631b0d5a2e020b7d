import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Button, CloseButton, Code, Group, Stack, Text, Title, Tooltip } from '@mantine/core';
import type { RunEvent } from '@countersign/contract';
import { texts } from '../../texts/index.js';
import { EventIcon } from './event-icon.js';
import { getActorName } from './describe-event.js';

interface EventDetailsProps {
  readonly event: RunEvent;
  readonly sentence: string;
  onClose(): void;
  onShowState(seq: number): void;
  onOpenStep(stepId: string): void;
}

/** Shows everything that is recorded about one event. */
export function EventDetails({ event, sentence, onClose, onShowState, onOpenStep }: EventDetailsProps) {
  const t = texts.runEvents;
  const { stepId } = event;
  return (
    <Stack component="section" gap="xs" className="cs-event-details" aria-label={t.details(event.seq)}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="xs" wrap="nowrap">
          <EventIcon event={event} />
          <Title order={2} size="h5">
            {t.details(event.seq)}
          </Title>
        </Group>
        <CloseButton aria-label={t.close} onClick={onClose} />
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {sentence}
      </Text>
      <Text size="xs" c="dimmed">
        <Code>{event.type}</Code> · <Timestamp at={event.at} />
        {getActorName(event) !== null && ` · ${getActorName(event)}`}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="light" onClick={() => onShowState(event.seq)}>
          {t.toMoment}
        </Button>
        {stepId !== null && (
          <Button size="xs" variant="default" onClick={() => onOpenStep(stepId)}>
            {t.toStep}
          </Button>
        )}
      </Group>
      <JsonView value={event.data} label={t.data} maxHeight={320} />
      <Group gap={4} wrap="nowrap">
        <Tooltip label={t.hashHint} multiline maw={320}>
          <Text size="xs" c="dimmed" tabIndex={0}>
            {t.hash}
          </Text>
        </Tooltip>
        <Code style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{event.hash}</Code>
        <CopyButton text={() => event.hash} label={t.copyHash} />
      </Group>
    </Stack>
  );
}
