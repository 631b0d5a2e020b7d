import { useMay } from '@countersign/inbox-ui/session/session';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { RiskBadge } from '@countersign/inbox-ui/ui/badges';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import type { RecordedDecision } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { SidePanel } from '../ui/side-panel.js';
import { DecisionBadge } from './decision-badge.js';
import { stepAddress, subjectOf } from './places.js';

const { list: t } = texts.policies;

interface DecisionPanelProps {
  readonly recorded: RecordedDecision | undefined;
  onClose(): void;
}

/** Shows one policy decision in full. */
export function DecisionPanel({ recorded, onClose }: DecisionPanelProps) {
  return (
    <SidePanel
      title={t.title(recorded === undefined ? '' : subjectOf(recorded))}
      opened={recorded !== undefined}
      onClose={onClose}
    >
      {recorded !== undefined && <DecisionText recorded={recorded} />}
    </SidePanel>
  );
}

function DecisionText({ recorded }: { readonly recorded: RecordedDecision }) {
  const { decision } = recorded;
  const mayRead = useMay('operator');
  const asked =
    decision.approval === undefined
      ? null
      : [...decision.approval.candidateUsers, ...decision.approval.candidateGroups].join(', ') +
        ` (${t.quorum(decision.approval.quorum)})`;
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <DecisionBadge decision={decision.decision} />
          <RiskBadge level={decision.riskLevel} />
        </Group>
        <Button component={Link} to={stepAddress(recorded)} variant="default">
          {t.openStep}
        </Button>
      </Group>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {decision.rationale}
      </Text>
      {decision.acceptsTaint === true && <Text size="sm">{t.taint}</Text>}
      {decision.riskFactors.length > 0 && (
        <section aria-label={t.factors}>
          <Text fw={600} size="sm">
            {t.factors}
          </Text>
          <List size="sm">
            {decision.riskFactors.map(({ code, description, weight }) => (
              <List.Item key={code}>
                {description}{' '}
                <Text span size="xs" c="dimmed">
                  {code}, {t.weight(weight)}
                </Text>
              </List.Item>
            ))}
          </List>
        </section>
      )}
      <Facts
        facts={[
          [t.columns.workflow, recorded.workflowId],
          [
            t.inRun,
            <Anchor key="run" component={Link} to={`/runs/${recorded.runId}`} size="sm">
              {recorded.runId}
            </Anchor>,
          ],
          [t.step, recorded.elementId],
          [t.people, asked],
          [
            t.decidedBy,
            decision.decidedBy === undefined
              ? null
              : decision.decidedBy.length === 0
                ? t.nothingPermits
                : decision.decidedBy.join(', '),
          ],
          [t.columns.decided, <Timestamp key="at" at={decision.decidedAt} />],
          [
            t.policy,
            <Code key="digest" style={{ overflowWrap: 'anywhere' }}>
              {decision.policyDigest}
            </Code>,
          ],
        ]}
      />
      {mayRead && (
        <Anchor component={Link} to={`/policies?tab=policy&digest=${decision.policyDigest}`} size="sm">
          {t.showPolicy}
        </Anchor>
      )}
    </Stack>
  );
}
