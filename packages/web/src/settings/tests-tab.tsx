import { useClient } from '@countersign/inbox-ui/api/client-context';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Badge, Button, Card, Group, Loader, Stack, Table, Text, Title } from '@mantine/core';
import type { SettingsTest } from '@countersign/contract';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { texts } from '../texts/index.js';

const { tests: t } = texts.settings;

type Result = { readonly running: true } | { readonly done: SettingsTest } | { readonly error: unknown };

/** Lists the available tests and their results. */
export function TestsTab({ targets }: { readonly targets: readonly string[] }) {
  const client = useClient();
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const setResult = (target: string, result: Result): void =>
    setResults((previous) => new Map(previous).set(target, result));
  const run = async (target: string): Promise<void> => {
    setResult(target, { running: true });
    await client.testSettings({ target }).then(
      (done) => setResult(target, { done }),
      (error: unknown) => setResult(target, { error }),
    );
  };
  const runAll = async (): Promise<void> => {
    // Runs the tests in sequence: they open real connections, and concurrent tests would affect each other.
    for (const target of targets) await run(target);
  };
  const busy = [...results.values()].some((result) => 'running' in result);
  return (
    <Stack gap="sm" style={{ overflow: 'auto' }}>
      <Group justify="space-between">
        <Text size="sm">{t.hint}</Text>
        <Button onClick={() => void runAll()} loading={busy}>
          {t.runAll}
        </Button>
      </Group>
      {targets.map((target) => (
        <TestTarget key={target} target={target} result={results.get(target)} onRun={() => void run(target)} />
      ))}
    </Stack>
  );
}

function TestTarget({
  target,
  result,
  onRun,
}: {
  readonly target: string;
  readonly result: Result | undefined;
  onRun(): void;
}) {
  const running = result !== undefined && 'running' in result;
  return (
    <Card component="section" aria-label={target} withBorder padding="sm">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2} size="h6">
            {target}
          </Title>
          <span role="status">
            {running && (
              <Group gap={6}>
                <Loader size="xs" />
                <Text size="sm">{t.running}</Text>
              </Group>
            )}
            {result !== undefined && 'done' in result && (
              <Badge
                variant="light"
                tt="none"
                color={result.done.ok ? 'green' : 'red'}
                leftSection={result.done.ok ? <IconCheck size={12} aria-hidden /> : <IconX size={12} aria-hidden />}
              >
                {result.done.ok ? t.ok : t.failed}
              </Badge>
            )}
          </span>
        </Group>
        <Button size="xs" variant="default" disabled={running} aria-label={t.runLabel(target)} onClick={onRun}>
          {t.run}
        </Button>
      </Group>
      {result !== undefined && 'error' in result && <ProblemNotice error={result.error} />}
      {result !== undefined && 'done' in result && (
        <Table aria-label={t.checks(target)} mt="xs" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t.check}</Table.Th>
              <Table.Th scope="col">{t.result}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t.duration}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {result.done.checks.map(({ name, ok, detail, durationMs }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={500}>
                  {name}
                </Table.Th>
                <Table.Td>
                  <Text span size="sm" c={ok ? undefined : 'red'} fw={600}>
                    {ok ? t.passed : t.notPassed}
                  </Text>
                  {detail !== null && ` · ${detail}`}
                </Table.Td>
                <Table.Td ta="end">{formatDuration(durationMs)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}
