import { Badge } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import { toPercent, type SeenEvidence } from './seen-evidence.js';

const t = texts.approvals;

/** Badge with the share of a piece of evidence that was in view. */
export function SeenBadge({ seen }: { readonly seen: SeenEvidence | undefined }) {
  const isOpened = seen?.isOpened === true;
  const percent = seen === undefined ? 0 : toPercent(seen);
  const label = isOpened
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
      color={isOpened ? 'green' : percent > 0 ? 'yellow' : 'gray'}
      leftSection={isOpened ? <IconCheck size={12} aria-hidden /> : undefined}
    >
      {label}
    </Badge>
  );
}
