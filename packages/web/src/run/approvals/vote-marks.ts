import { IconArrowBackUp, IconCheck, IconX, type TablerIcon } from '@tabler/icons-react';
import type { Decision } from '@countersign/contract';

interface VoteMark {
  readonly Icon: TablerIcon;
  readonly color: string;
}

/** Icon and colour of each decision of a vote. */
export const VOTE_MARKS: Readonly<Record<Decision, VoteMark>> = {
  approve: { Icon: IconCheck, color: 'var(--cs-done)' },
  reject: { Icon: IconX, color: 'var(--cs-failed)' },
  request_changes: { Icon: IconArrowBackUp, color: 'var(--cs-waiting)' },
};
