import { Text } from '@mantine/core';
import type { Vote } from '@countersign/contract';
import { texts } from '../texts/index.js';

/** Explains why a vote no longer counts. */
export function NotCountedNote({ vote: { counts } }: { readonly vote: Pick<Vote, 'counts'> }) {
  if (counts !== false) return null;
  return (
    <Text size="xs" c="dimmed">
      {texts.approvals.voteNotCounted}
    </Text>
  );
}
