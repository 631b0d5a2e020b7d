import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { RiskBadge } from '@countersign/inbox-ui/ui/badges';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import type { Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Button, Group, Select, Text } from '@mantine/core';
import type { RecordedDecision, RiskLevel } from '@countersign/contract';
import { useMemo } from 'react';
import { isUuid } from '../api/is-uuid.js';
import { texts } from '../texts/index.js';
import { FilterInput } from '../ui/filter-input.js';
import { PagedTable } from '../ui/paged-table.js';
import { useUrlState } from '../ui/use-url-state.js';
import { DecisionBadge, DECISIONS } from './decision-badge.js';
import { DecisionPanel } from './decision-panel.js';
import { describeDecisionTarget } from './decision-target.js';

const { list: t } = texts.policies;
const RISK_LEVELS = Object.keys(texts.risk) as RiskLevel[];
interface Filter {
  readonly decision?: RecordedDecision['decision']['decision'];
  readonly riskLevel?: RiskLevel;
  readonly workflowId?: string;
  readonly runId?: string;
}

/** Lists policy decisions across runs, newest first; `?about=` opens a decision of the list. */
export function DecisionsTab() {
  const client = useClient();
  const url = useUrlState();
  const run = url.get('run');
  const filterJson = JSON.stringify({
    decision: DECISIONS.find((each) => each === url.get('decision')),
    riskLevel: RISK_LEVELS.find((each) => each === url.get('risk')),
    workflowId: url.get('workflow'),
    runId: run !== undefined && isUuid(run) ? run : undefined,
  });
  const queryFilter = useMemo(() => JSON.parse(filterJson) as Filter, [filterJson]);
  const isFiltered = Object.keys(queryFilter).length > 0;
  const pages = usePages<RecordedDecision>(queryKeys.policyDecisions(queryFilter), (cursor, signal) =>
    client.listPolicyDecisions({ ...queryFilter, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  const openDecision = pages.items.find((each) => getDecisionKey(each) === url.get('about'));
  return (
    <>
      <Group mb="sm" align="flex-end" role="group" aria-label={t.filters}>
        <Select
          label={t.decision}
          w={170}
          clearable
          clearButtonProps={{ 'aria-label': t.clear }}
          placeholder={t.any}
          data={DECISIONS.map((value) => ({ value, label: texts.policies.decisions[value] }))}
          value={queryFilter.decision ?? null}
          onChange={(decision) => url.set({ decision: decision ?? undefined })}
        />
        <Select
          label={t.risk}
          w={160}
          clearable
          clearButtonProps={{ 'aria-label': t.clear }}
          placeholder={t.any}
          data={RISK_LEVELS.map((value) => ({ value, label: texts.risk[value] }))}
          value={queryFilter.riskLevel ?? null}
          onChange={(risk) => url.set({ risk: risk ?? undefined })}
        />
        <FilterInput label={t.workflow} value={queryFilter.workflowId} onChange={(workflow) => url.set({ workflow })} />
        <FilterInput label={t.run} value={run} onChange={(runId) => url.set({ run: runId })} />
        {isFiltered && (
          <Button
            variant="subtle"
            onClick={() => url.set({ decision: undefined, risk: undefined, workflow: undefined, run: undefined })}
          >
            {t.clear}
          </Button>
        )}
      </Group>
      <PagedTable
        label={t.label}
        columns={COLUMNS}
        pages={pages}
        empty={isFiltered ? <EmptyState title={t.nothingFound} /> : <EmptyState title={t.none} hint={t.noneHint} />}
        getKey={getDecisionKey}
        onOpen={(each) => url.set({ about: getDecisionKey(each) })}
        isSelected={(each) => each === openDecision}
      />
      <DecisionPanel recordedDecision={openDecision} onClose={() => url.set({ about: undefined })} />
    </>
  );
}

function getDecisionKey({ runId, seq, callId }: RecordedDecision): string {
  return `${runId}.${seq}${callId === null ? '' : `.${callId}`}`;
}

const COLUMNS: readonly Column<RecordedDecision>[] = [
  {
    key: 'subject',
    header: t.columns.subject,
    width: 'minmax(130px, 2.2fr)',
    cell: (each) => (
      <Text inherit fw={600} truncate>
        {describeDecisionTarget(each)}
      </Text>
    ),
  },
  { key: 'workflow', header: t.columns.workflow, width: 'minmax(100px, 1fr)', cell: ({ workflowId }) => workflowId },
  {
    key: 'decision',
    header: t.columns.decision,
    width: '148px',
    cell: ({ decision }) => <DecisionBadge decision={decision.decision} />,
  },
  {
    key: 'risk',
    header: t.columns.risk,
    width: '104px',
    cell: ({ decision }) => <RiskBadge level={decision.riskLevel} />,
  },
  {
    key: 'rationale',
    header: t.columns.rationale,
    width: 'minmax(140px, 2fr)',
    cell: ({ decision }) => decision.rationale,
  },
  {
    key: 'decided',
    header: t.columns.decided,
    width: '128px',
    cell: ({ decision }) => <Timestamp at={decision.decidedAt} />,
  },
];
