import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Group, Select, Stack, Table, Text } from '@mantine/core';
import type { DmnDecisionDetail } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { texts } from '../texts/index.js';
import { SidePanel } from '../ui/side-panel.js';
import { readDmnTable, type DmnTable } from './dmn-table.js';

const t = texts.workflows;

interface DmnDecisionDrawerProps {
  readonly decisionId: string | undefined;
  /** Version from the URL. If it is missing or not a number, the newest version is shown. */
  readonly version: string | undefined;
  onVersionChange(version: string | undefined): void;
  onClose(): void;
}

/** Shows the table of a DMN decision, or its file if it has no table. */
export function DmnDecisionDrawer({ decisionId, version, onVersionChange, onClose }: DmnDecisionDrawerProps) {
  return (
    <SidePanel title={decisionId ?? ''} opened={decisionId !== undefined} size="xl" onClose={onClose}>
      {decisionId !== undefined && (
        <DmnDecisionContent
          decisionId={decisionId}
          version={version === undefined || !/^\d{1,9}$/.test(version) ? undefined : Number(version)}
          onVersionChange={onVersionChange}
        />
      )}
    </SidePanel>
  );
}

function DmnDecisionContent({
  decisionId,
  version,
  onVersionChange,
}: {
  readonly decisionId: string;
  readonly version: number | undefined;
  onVersionChange(version: string | undefined): void;
}) {
  const client = useClient();
  const query = useQuery({
    queryKey: [...queryKeys.decisions, decisionId, version ?? 'newest'],
    queryFn: ({ signal }) =>
      client.getDecision({ decisionId, ...(version === undefined ? {} : { version }) }, { signal }),
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  return <DmnDecisionDetails decision={query.data} onVersionChange={onVersionChange} />;
}

function DmnDecisionDetails({
  decision,
  onVersionChange,
}: {
  readonly decision: DmnDecisionDetail;
  onVersionChange(version: string | undefined): void;
}) {
  const table = useMemo(() => readDmnTable(decision.dmnXml, decision.decisionId), [decision]);
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <div>
          <Text fw={600}>{decision.name}</Text>
          {table !== undefined && <Text size="sm">{t.decisions.hitPolicy(table.hitPolicy)}</Text>}
          {decision.requiredDecisions.length > 0 && (
            <Text size="sm">{t.decisions.requires(decision.requiredDecisions.join(', '))}</Text>
          )}
        </div>
        <Select
          label={t.version}
          w={160}
          allowDeselect={false}
          data={decision.versions.map((each, index) => ({
            value: String(each.version),
            label: index === 0 ? t.newest(each.version) : t.shortVersion(each.version),
          }))}
          value={String(decision.version)}
          onChange={(value) => onVersionChange(value ?? undefined)}
        />
      </Group>
      {table === undefined ? (
        <pre className="cs-code-block" tabIndex={0} role="region" aria-label={t.decisions.source}>
          {decision.dmnXml}
        </pre>
      ) : (
        <RuleTable table={table} name={decision.name} />
      )}
    </Stack>
  );
}

function RuleTable({ table, name }: { readonly table: DmnTable; readonly name: string }) {
  const hasNotes = table.rules.some(({ note }) => note !== '');
  return (
    <Table.ScrollContainer minWidth={400}>
      <Table withTableBorder withColumnBorders aria-label={t.decisions.table(name)}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t.decisions.rule}</Table.Th>
            {table.inputs.map((input, index) => (
              <Table.Th key={index} scope="col">
                {input}
              </Table.Th>
            ))}
            {table.outputs.map((output, index) => (
              <Table.Th key={index} scope="col">
                {output === '' ? t.decisions.output : output}
              </Table.Th>
            ))}
            {hasNotes && <Table.Th scope="col">{t.decisions.note}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.rules.map(({ tests, results, note }, index) => (
            <Table.Tr key={index}>
              <Table.Th scope="row">{index + 1}</Table.Th>
              {tests.map((test, cellIndex) => (
                <Table.Td key={cellIndex} className="cs-value">
                  {test === '' || test === '-' ? t.decisions.any : test}
                </Table.Td>
              ))}
              {results.map((result, cellIndex) => (
                <Table.Td key={cellIndex} className="cs-value" fw={600}>
                  {result}
                </Table.Td>
              ))}
              {hasNotes && <Table.Td>{note}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
