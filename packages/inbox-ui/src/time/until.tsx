import { Tooltip } from '@mantine/core';
import { formatExact, formatMinute } from './format-time.js';
import { useTimeMode } from './time-mode.js';

/** A moment to come in a sentence, to the minute: what reads “until in 2 days” otherwise. @param at RFC 3339 */
export function Until({ at }: { readonly at: string }) {
  const { mode } = useTimeMode();
  return (
    <Tooltip label={formatExact(at)} openDelay={300}>
      <time dateTime={at}>{formatMinute(at, mode)}</time>
    </Tooltip>
  );
}
