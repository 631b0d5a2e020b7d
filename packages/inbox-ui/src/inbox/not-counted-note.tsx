import { Text } from '@mantine/core';
import type { Vote } from '@countersign/contract';
import { texts } from '../texts/index.js';

/** Says of a vote that it no longer counts, and why. */
export function NotCountedNote({ vote: { counts } }: { readonly vote: Pick<Vote, 'counts'> }) {
  if (counts !== false) return null;
  return (
    <Text size="xs" c="dimmed">
      {texts.approvals.voteNotCounted}
    </Text>
  );
}
