import { Badge } from '@mantine/core';
import type { PolicyDecision } from '@countersign/contract';
import { IconCheck, IconUserQuestion, IconX, type TablerIcon } from '@tabler/icons-react';
import { texts } from '../texts/index.js';

type Decision = PolicyDecision['decision'];
export const DECISIONS = Object.keys(texts.policies.decisions) as Decision[];
const BADGE_STYLES: Readonly<Record<Decision, readonly [string, TablerIcon]>> = {
  allow: ['green', IconCheck],
  deny: ['red', IconX],
  require_approval: ['orange', IconUserQuestion],
};

/** Shows a policy decision. */
export function DecisionBadge({ decision }: { readonly decision: Decision }) {
  const [color, Icon] = BADGE_STYLES[decision];
  return (
    <Badge variant="light" color={color} tt="none" leftSection={<Icon size={12} aria-hidden />}>
      {texts.policies.decisions[decision]}
    </Badge>
  );
}
