import { Badge } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import { percentOf, type SeenEvidence } from './seen-evidence.js';

const t = texts.approvals;

/** Badge with the share of a piece of evidence that was in view. */
export function SeenBadge({ seen }: { readonly seen: SeenEvidence | undefined }) {
  const enough = seen?.enough === true;
  const percent = seen === undefined ? 0 : percentOf(seen);
  const says = enough
    ? percent === 100 || percent === 0
      ? t.opened
      : t.openedPart(percent)
    : percent === 0
      ? t.notOpened
      : t.partSeen(percent);
  return (
    <Badge
      className="cs-badge"
      variant="light"
      tt="none"
      color={enough ? 'green' : percent > 0 ? 'yellow' : 'gray'}
      leftSection={enough ? <IconCheck size={12} aria-hidden /> : undefined}
    >
      {says}
    </Badge>
  );
}
