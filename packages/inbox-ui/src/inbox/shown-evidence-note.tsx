import { Text } from '@mantine/core';
import type { Vote } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

const t = texts.approvals;

/** Note about the evidence that was shown to a voter, as reported by their client. */
export function ShownEvidenceNote({ vote: { shown } }: { readonly vote: Vote }) {
  if (shown === undefined) return null;
  const pieces = shown
    .map(({ name, sha256, percent, downloaded }) =>
      t.wasShownPiece(toOneLine(name ?? `SHA-256 ${sha256.slice(0, 12)}…`, 60), percent, downloaded),
    )
    .join(', ');
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {shown.length === 0 ? t.noneShown : t.wasShown(pieces)}
    </Text>
  );
}
