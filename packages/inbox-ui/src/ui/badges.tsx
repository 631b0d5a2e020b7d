import { Badge } from '@mantine/core';
import type { ApprovalStatus, RiskLevel, Run, StepStatus } from '@countersign/contract';
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconClock,
  IconPlayerPlay,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { texts } from '../texts/index.js';

interface BadgeStyle {
  readonly color: string;
  readonly icon: TablerIcon;
}

const STATUS_STYLES: Readonly<Record<string, BadgeStyle>> = {
  active: { color: 'blue', icon: IconPlayerPlay },
  blocked: { color: 'orange', icon: IconClock },
  waiting: { color: 'orange', icon: IconClock },
  pending: { color: 'orange', icon: IconClock },
  completed: { color: 'green', icon: IconCheck },
  approved: { color: 'green', icon: IconCheck },
  failed: { color: 'red', icon: IconAlertTriangle },
  rejected: { color: 'red', icon: IconX },
  changes_requested: { color: 'yellow', icon: IconAlertTriangle },
  cancelled: { color: 'gray', icon: IconBan },
  withdrawn: { color: 'gray', icon: IconBan },
  expired: { color: 'gray', icon: IconClock },
};
const UNKNOWN_STYLE: BadgeStyle = { color: 'gray', icon: IconClock };

/** A status shown by colour, icon and word, never only by colour (WCAG 2.2, 1.4.1). */
function StatusBadge({ status, label }: { readonly status: string; readonly label: string }) {
  const { color, icon: Icon } = STATUS_STYLES[status] ?? UNKNOWN_STYLE;
  return (
    <Badge className="cs-badge" variant="light" color={color} leftSection={<Icon size={12} aria-hidden />} tt="none">
      {label}
    </Badge>
  );
}

/** Badge with the outcome of a run or, if the run has not ended, with its status. */
export function RunStatusBadge({ run }: { readonly run: Pick<Run, 'status' | 'outcome' | 'cancelling'> }) {
  const status = run.outcome ?? run.status;
  return <StatusBadge status={status} label={run.cancelling ? texts.runStatus.cancelling : texts.runStatus[status]} />;
}

export function StepStatusBadge({ status }: { readonly status: StepStatus }) {
  return <StatusBadge status={status} label={texts.stepStatus[status]} />;
}

export function ApprovalStatusBadge({ status }: { readonly status: ApprovalStatus }) {
  return <StatusBadge status={status} label={texts.approvalStatus[status]} />;
}

const RISK_COLORS: Readonly<Record<RiskLevel, string>> = {
  low: 'gray',
  medium: 'yellow',
  high: 'orange',
  critical: 'red.9',
};

export function RiskBadge({ level }: { readonly level: RiskLevel }) {
  return (
    <Badge
      className="cs-badge"
      variant={level === 'critical' ? 'filled' : 'light'}
      color={RISK_COLORS[level]}
      tt="none"
    >
      {texts.risk[level]}
    </Badge>
  );
}
