import type { StepStatus } from '@countersign/contract';
import { IconAlertTriangle, IconBan, IconCheck, IconClock, IconPlayerPlay, type TablerIcon } from '@tabler/icons-react';

const ICONS: Readonly<Record<StepStatus, TablerIcon>> = {
  active: IconPlayerPlay,
  waiting: IconClock,
  completed: IconCheck,
  failed: IconAlertTriangle,
  cancelled: IconBan,
};

/** Icon of a status with a distinct shape; a text beside it states the status. */
export function StepStatusIcon({ status }: { readonly status: StepStatus }) {
  const Icon = ICONS[status];
  return <Icon size={16} className={`cs-step-icon cs-${status}`} aria-hidden />;
}
