import { Tooltip } from '@mantine/core';
import { formatExact, formatTime } from './format-time.js';
import { useTimeMode } from './time-mode.js';
import { useNow } from './use-now.js';

/** A moment, as the person chose to see times, with the exact one on hover and for screen readers. @param at RFC 3339. */
export function Timestamp({ at }: { readonly at: string }) {
  const { mode } = useTimeMode();
  const now = useNow();
  return (
    <Tooltip label={formatExact(at)} openDelay={300}>
      <time dateTime={at}>{formatTime(at, mode, now)}</time>
    </Tooltip>
  );
}
