import { NativeSelect } from '@mantine/core';
import { APPROVAL_STATUSES, type ApprovalStatus } from '@countersign/contract';
import { texts } from '../texts/index.js';

interface StatusSelectProps {
  readonly status: ApprovalStatus | 'all';
  onChange(status: ApprovalStatus | 'all'): void;
}

export function StatusSelect({ status, onChange }: StatusSelectProps) {
  return (
    <NativeSelect
      size="sm"
      aria-label={texts.approvals.status}
      value={status}
      data={[
        ...APPROVAL_STATUSES.map((value) => ({ value, label: texts.approvalStatus[value] })),
        { value: 'all', label: texts.approvals.everyStatus },
      ]}
      onChange={(event) => onChange(event.currentTarget.value as ApprovalStatus | 'all')}
    />
  );
}
