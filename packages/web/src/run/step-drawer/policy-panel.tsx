import { useHasRole } from '@countersign/inbox-ui/session/session';
import { RiskBadge } from '@countersign/inbox-ui/ui/badges';
import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Badge, Code, Group, Progress, Stack, Text } from '@mantine/core';
import type { PolicyDecision, RiskFactor } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';
import { Section } from './section.js';

const t = texts.step.policy;
const COLORS = { allow: 'green', deny: 'red', require_approval: 'orange' } as const;

/** Shows the policy decision and its reasons. */
export function PolicyDecisionSection({ decision }: { readonly decision: PolicyDecision }) {
  return (
    <Section title={t.title}>
      <PolicyDecisionPanel decision={decision} />
    </Section>
  );
}

/** Shows a policy decision and its reasons without a heading, for tool calls. */
export function PolicyDecisionPanel({ decision }: { readonly decision: PolicyDecision }) {
  const { rationale, riskLevel, riskFactors, toolConstraints, decidedBy, acceptsTaint, policyId, policyDigest } =
    decision;
  const { allowed, denied, requireApproval, limits } = toolConstraints;
  const mayReadPolicy = useHasRole('operator');
  return (
    <Stack gap={8}>
      <Group gap={6}>
        <Badge variant="light" color={COLORS[decision.decision]} tt="none">
          {t[decision.decision]}
        </Badge>
        <RiskBadge level={riskLevel} />
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {rationale}
      </Text>
      {acceptsTaint === true && <Text size="sm">{t.taint}</Text>}
      {riskFactors.length > 0 && <RiskFactors factors={riskFactors} />}
      <Facts
        facts={[
          [t.allowed, renderNames(allowed)],
          [t.denied, renderNames(denied)],
          [t.requireApproval, renderNames(requireApproval)],
          [
            t.decidedBy,
            decidedBy === undefined ? undefined : decidedBy.length === 0 ? t.nobody : renderNames(decidedBy),
          ],
          [
            t.policy,
            mayReadPolicy ? (
              <Link key="policy" to={`/policies?tab=policy&digest=${encodeURIComponent(policyDigest)}`}>
                {policyId}
              </Link>
            ) : (
              policyId
            ),
          ],
          [
            t.digest,
            <Group key="digest" gap={2} wrap="nowrap">
              <code>{policyDigest.slice(0, 19)}…</code>
              <CopyButton text={() => policyDigest} label={t.copyDigest} />
            </Group>,
          ],
        ]}
      />
      {Object.keys(limits).length > 0 && <JsonView value={limits} label={t.limits} />}
    </Stack>
  );
}

function renderNames(items: readonly string[]) {
  return items.length === 0 ? undefined : items.map((item) => <Code key={item}>{item}</Code>);
}

/**
 * Shows the factors with their weights as bars. Weights are comparable only within one policy, so the bar of the
 * largest weight has the full length.
 */
export function RiskFactors({ factors }: { readonly factors: readonly RiskFactor[] }) {
  const maxWeight = Math.max(...factors.map(({ weight }) => Math.abs(weight)), Number.MIN_VALUE);
  return (
    <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t.factors}>
      {[...factors]
        .sort((a, b) => b.weight - a.weight)
        .map(({ code, description, weight }, index) => (
          <li key={`${code}-${index}`}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {description} <Code>{code}</Code>
              </Text>
              <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {t.weight(weight)}
              </Text>
            </Group>
            <Progress
              value={(Math.abs(weight) / maxWeight) * 100}
              color={weight > 0 ? 'orange' : 'gray'}
              size={5}
              aria-hidden
            />
          </li>
        ))}
    </Stack>
  );
}
