import { Tooltip } from '@mantine/core';
import { formatExact, formatTime, type TimestampTense } from './format-time.js';
import { useTimeMode } from './time-mode.js';
import { useNow } from './use-now.js';

interface TimestampProps {
  /** RFC 3339. */
  readonly at: string;
  /** `either` for times that may be in the future: a due date, the next attempt. Default: `past`. */
  readonly tense?: TimestampTense;
}

/** A moment in the user's time mode, with the exact time on hover and for screen readers. */
export function Timestamp({ at, tense = 'past' }: TimestampProps) {
  const { mode } = useTimeMode();
  const now = useNow();
  return (
    <Tooltip label={formatExact(at)} openDelay={300}>
      <time dateTime={at}>{formatTime(at, mode, now, tense)}</time>
    </Tooltip>
  );
}
