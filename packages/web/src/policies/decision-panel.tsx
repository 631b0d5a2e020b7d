import { useHasRole } from '@countersign/inbox-ui/session/session';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { RiskBadge } from '@countersign/inbox-ui/ui/badges';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import type { RecordedDecision } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { SidePanel } from '../ui/side-panel.js';
import { DecisionBadge } from './decision-badge.js';
import { getStepPath, describeDecisionTarget } from './decision-target.js';

const { list: t } = texts.policies;

interface DecisionPanelProps {
  readonly recordedDecision: RecordedDecision | undefined;
  onClose(): void;
}

/** Shows all details of a policy decision. */
export function DecisionPanel({ recordedDecision, onClose }: DecisionPanelProps) {
  return (
    <SidePanel
      title={t.title(recordedDecision === undefined ? '' : describeDecisionTarget(recordedDecision))}
      opened={recordedDecision !== undefined}
      onClose={onClose}
    >
      {recordedDecision !== undefined && <DecisionDetails recordedDecision={recordedDecision} />}
    </SidePanel>
  );
}

function DecisionDetails({ recordedDecision }: { readonly recordedDecision: RecordedDecision }) {
  const { decision } = recordedDecision;
  const mayReadPolicy = useHasRole('operator');
  const approvers =
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
        <Button component={Link} to={getStepPath(recordedDecision)} variant="default">
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
          [t.columns.workflow, recordedDecision.workflowId],
          [
            t.inRun,
            <Anchor key="run" component={Link} to={`/runs/${recordedDecision.runId}`} size="sm">
              {recordedDecision.runId}
            </Anchor>,
          ],
          [t.step, recordedDecision.elementId],
          [t.people, approvers],
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
      {mayReadPolicy && (
        <Anchor component={Link} to={`/policies?tab=policy&digest=${decision.policyDigest}`} size="sm">
          {t.showPolicy}
        </Anchor>
      )}
    </Stack>
  );
}
