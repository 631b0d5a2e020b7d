import { Alert, Anchor, Badge, List, Stack, Table, Text, Title } from '@mantine/core';
import type { PolicyTrial } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { RiskBadge } from '../ui/badges.js';
import { DecisionBadge } from './decision-badge.js';
import { stepAddress } from './places.js';
import { TableHead } from '../ui/table-head.js';

const { trial: t } = texts.policies;

/** What a draft would have decided otherwise, the weaker first. */
export function TrialResult({ trial }: { readonly trial: PolicyTrial }) {
  const changed = [...trial.changed].sort((a, b) => Number(b.weaker) - Number(a.weaker));
  const weaker = changed.filter((change) => change.weaker).length;
  return (
    <section aria-label={t.result}>
      <Title order={2} size="h5">
        {t.result}
      </Title>
      <Text size="sm" role="status">
        {t.summary(trial.runs, trial.decided)} {changed.length === 0 ? t.same : t.changed(changed.length)}
      </Text>
      {weaker > 0 && (
        <Alert color="red" py="xs" my="xs">
          {t.weaker(weaker)}
        </Alert>
      )}
      {trial.truncated && (
        <Alert color="yellow" py="xs" my="xs">
          {t.truncated}
        </Alert>
      )}
      {changed.length > 0 && (
        <Table aria-label={t.result} fz="sm">
          <TableHead columns={Object.values(t.columns)} />
          <Table.Tbody>
            {changed.map((change) => (
              <Table.Tr key={`${change.stepId} ${change.callId ?? ''}`}>
                <Table.Th scope="row" fw={500}>
                  <Anchor component={Link} to={stepAddress(change)} size="sm">
                    {change.elementId}
                  </Anchor>
                  {change.tool !== null && <Text size="xs">{change.tool}</Text>}
                </Table.Th>
                <Side decision={change.before} />
                <Side decision={change.after} />
                <Table.Td>
                  <Badge variant={change.weaker ? 'filled' : 'outline'} color={change.weaker ? 'red.9' : 'gray'} tt="none">
                    {change.weaker ? t.weakerMark : t.otherMark}
                  </Badge>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {trial.problems.length > 0 && (
        <Alert color="yellow" title={t.problems} my="xs">
          <List size="sm">
            {trial.problems.map(({ runId, stepId, elementId, callId, problem }) => (
              <List.Item key={`${stepId} ${callId ?? ''}`}>
                <Anchor component={Link} to={stepAddress({ runId, stepId })} size="sm" c="inherit" td="underline">
                  {elementId}
                </Anchor>
                : {problem}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </section>
  );
}

function Side({ decision }: { readonly decision: PolicyTrial['changed'][number]['before'] }) {
  return (
    <Table.Td>
      <Stack gap={4} align="flex-start">
        <DecisionBadge decision={decision.decision} />
        <RiskBadge level={decision.riskLevel} />
      </Stack>
    </Table.Td>
  );
}
