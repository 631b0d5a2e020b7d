import { Tooltip } from '@mantine/core';
import { formatExact, formatMinute } from './format-time.js';
import { useTimeMode } from './time-mode.js';

/**
 * A future moment inside a sentence, to the minute: a relative time would read “until in 2 days”.
 *
 * @param at RFC 3339
 */
export function Until({ at }: { readonly at: string }) {
  const { mode } = useTimeMode();
  return (
    <Tooltip label={formatExact(at)} openDelay={300}>
      <time dateTime={at}>{formatMinute(at, mode)}</time>
    </Tooltip>
  );
}
