import { RiskBadge } from '@countersign/inbox-ui/ui/badges';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Alert, Anchor, Badge, Box, Stack, Text, Title } from '@mantine/core';
import type { PolicyTrial } from '@countersign/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { VirtualList } from '../ui/virtual-list.js';
import { DecisionBadge } from './decision-badge.js';
import { getStepPath } from './decision-target.js';

const { trial: t } = texts.policies;

type Change = PolicyTrial['changed'][number];

const COLUMNS: readonly Column<Change>[] = [
  {
    key: 'step',
    header: t.columns.subject,
    width: 'minmax(70px, 1fr)',
    cell: (change) => (
      <>
        <Anchor component={Link} to={getStepPath(change)} size="sm" fw={500}>
          {change.elementId}
        </Anchor>
        {change.tool !== null && (
          <Text size="xs" truncate title={change.tool}>
            {change.tool}
          </Text>
        )}
      </>
    ),
  },
  { key: 'before', header: t.columns.before, width: '132px', cell: ({ before }) => <DecisionCell decision={before} /> },
  { key: 'after', header: t.columns.after, width: '132px', cell: ({ after }) => <DecisionCell decision={after} /> },
  {
    key: 'mark',
    header: t.columns.kind,
    width: '88px',
    cell: ({ weaker }) => (
      <Badge variant={weaker ? 'filled' : 'outline'} color={weaker ? 'red.9' : 'gray'} tt="none">
        {weaker ? t.weakerMark : t.otherMark}
      </Badge>
    ),
  },
];

/** Shows the policy decisions that a draft would change, weaker decisions first. */
export function TrialResult({ trial }: { readonly trial: PolicyTrial }) {
  const [current, setCurrent] = useState(0);
  const sortedChanges = [...trial.changed].sort((a, b) => Number(b.weaker) - Number(a.weaker));
  const weakerCount = sortedChanges.filter((change) => change.weaker).length;
  return (
    <section aria-label={t.result}>
      <Title order={2} size="h5">
        {t.result}
      </Title>
      <Text size="sm" role="status">
        {t.summary(trial.runs, trial.decided)}{' '}
        {sortedChanges.length === 0 ? t.noChanges : t.changed(sortedChanges.length)}
      </Text>
      {weakerCount > 0 && (
        <Alert color="red" py="xs" my="xs">
          {t.weaker(weakerCount)}
        </Alert>
      )}
      {trial.truncated && (
        <Alert color="yellow" py="xs" my="xs">
          {t.truncated}
        </Alert>
      )}
      {sortedChanges.length > 0 && (
        <div className="cs-trial-changes">
          <VirtualTable
            label={t.result}
            columns={COLUMNS}
            items={sortedChanges}
            getKey={({ stepId, callId }) => `${stepId} ${callId ?? ''}`}
            rowHeight={64}
            current={current}
            onCurrent={setCurrent}
          />
        </div>
      )}
      {trial.problems.length > 0 && (
        <Alert color="yellow" title={t.problems} my="xs">
          <Box mah={240} style={{ overflow: 'auto' }}>
            <VirtualList
              label={t.problems}
              items={trial.problems}
              getKey={({ stepId, callId }) => `${stepId} ${callId ?? ''}`}
              estimatedItemHeight={24}
            >
              {({ runId, stepId, elementId, problem }) => (
                <Text size="sm">
                  <Anchor component={Link} to={getStepPath({ runId, stepId })} size="sm" c="inherit" td="underline">
                    {elementId}
                  </Anchor>
                  : {problem}
                </Text>
              )}
            </VirtualList>
          </Box>
        </Alert>
      )}
    </section>
  );
}

function DecisionCell({ decision }: { readonly decision: PolicyTrial['changed'][number]['before'] }) {
  return (
    <Stack gap={4} align="flex-start">
      <DecisionBadge decision={decision.decision} />
      <RiskBadge level={decision.riskLevel} />
    </Stack>
  );
}
