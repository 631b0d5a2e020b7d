import { Badge } from '@mantine/core';
import type { RecordedEvent } from '@countersign/contract';
import { texts } from '../texts/index.js';

const COLORS: Readonly<Record<RecordedEvent['status'], string>> = {
  matched: 'green',
  unmatched: 'orange',
  buffered: 'blue',
  expired: 'gray',
  refused: 'red',
};

/** Shows the status of an inbound event. */
export function EventStatusBadge({ status }: { readonly status: RecordedEvent['status'] }) {
  return (
    <Badge variant="light" color={COLORS[status]} tt="none">
      {texts.inboundEvents.statuses[status]}
    </Badge>
  );
}
