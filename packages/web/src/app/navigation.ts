import type { Role } from '@countersign/contract';
import {
  IconActivity,
  IconChecklist,
  IconMessageQuestion,
  IconSchema,
  IconSettings,
  IconShieldLock,
  IconWebhook,
  IconSend,
  type TablerIcon,
} from '@tabler/icons-react';
import { texts } from '../texts/index.js';

export interface Destination {
  readonly to: string;
  readonly label: string;
  readonly icon: TablerIcon;
  /** Second key of the shortcut, after `g`. */
  readonly key: string;
  readonly role: Role;
}

const { nav } = texts.app;

/** Pages in the navigation, each with the role it requires. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/runs', label: nav.runs, icon: IconActivity, key: 'r', role: 'viewer' },
  { to: '/approvals', label: nav.approvals, icon: IconChecklist, key: 'a', role: 'viewer' },
  { to: '/questions', label: nav.questions, icon: IconMessageQuestion, key: 'q', role: 'viewer' },
  { to: '/workflows', label: nav.workflows, icon: IconSchema, key: 'w', role: 'viewer' },
  { to: '/policies', label: nav.policies, icon: IconShieldLock, key: 'p', role: 'viewer' },
  { to: '/inbound-events', label: nav.inboundEvents, icon: IconWebhook, key: 'i', role: 'operator' },
  { to: '/deliveries', label: nav.deliveries, icon: IconSend, key: 'd', role: 'operator' },
  { to: '/settings', label: nav.settings, icon: IconSettings, key: 's', role: 'admin' },
];
