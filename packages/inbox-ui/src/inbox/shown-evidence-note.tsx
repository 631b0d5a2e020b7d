import { Text } from '@mantine/core';
import type { Vote } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { oneLine } from '../ui/one-line.js';

const t = texts.approvals;

/** Which evidence was shown to a voter, as their client reported it. */
export function ShownEvidenceNote({ vote: { shown } }: { readonly vote: Vote }) {
  if (shown === undefined) return null;
  const pieces = shown
    .map(({ name, sha256, percent, downloaded }) =>
      t.wasShownPiece(oneLine(name ?? `SHA-256 ${sha256.slice(0, 12)}…`, 60), percent, downloaded),
    )
    .join(', ');
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {shown.length === 0 ? t.noneShown : t.wasShown(pieces)}
    </Text>
  );
}
