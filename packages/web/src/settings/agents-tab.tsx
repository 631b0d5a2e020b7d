import { Alert, Badge, Button, Code, Stack, Table, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Agent, Tool } from '@countersign/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { texts } from '../texts/index.js';
import { revealed } from '../ui/revealed.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { Facts } from '../ui/facts.js';
import { JsonView } from '../ui/json-view.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { TableHead } from '../ui/table-head.js';

const { agents: t } = texts.settings;

/** A page of the API; there are never many agents and tools. */
const LIMIT = 200;

/** The agents that are defined, and the tools that they may call: those that are stopped are looked at and accepted here. */
export function AgentsTab() {
  const client = useClient();
  const agents = useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => client.listAgents({ limit: LIMIT }, { signal }) });
  const tools = useQuery({ queryKey: keys.tools, queryFn: ({ signal }) => client.listTools({ limit: LIMIT }, { signal }) });
  return (
    <Stack style={{ overflow: 'auto' }}>
      <section aria-label={t.tools}>
        <Title order={2} size="h5">
          {t.tools}
        </Title>
        {tools.isPending && <Loading />}
        {tools.isError && <ProblemNotice error={tools.error} onRetry={() => void tools.refetch()} />}
        {tools.isSuccess && (tools.data.items.length === 0 ? <Text size="sm">{t.noTools}</Text> : <Tools tools={tools.data.items} />)}
      </section>
      <section aria-label={t.agents}>
        <Title order={2} size="h5">
          {t.agents}
        </Title>
        {agents.isPending && <Loading />}
        {agents.isError && <ProblemNotice error={agents.error} onRetry={() => void agents.refetch()} />}
        {agents.isSuccess && (agents.data.items.length === 0 ? <Text size="sm">{t.noAgents}</Text> : <Agents agents={agents.data.items} />)}
      </section>
    </Stack>
  );
}

function Tools({ tools }: { readonly tools: readonly Tool[] }) {
  const client = useClient();
  const queries = useQueryClient();
  const [looking, setLooking] = useState<Tool>();
  const accept = async (tool: Tool): Promise<void> => {
    await client.acceptTool({ toolName: tool.name, body: { digest: tool.digest ?? '' } });
    notifications.show({ message: t.accepted(revealed(tool.name)), color: 'green' });
    await queries.invalidateQueries({ queryKey: keys.tools });
  };
  return (
    <>
      <Table aria-label={t.tools}>
        <TableHead columns={[t.columns.name, t.columns.source, t.columns.effect, t.columns.state]} />
        <Table.Tbody>
          {[...tools].sort((a, b) => Number(b.stopped !== null) - Number(a.stopped !== null)).map((tool) => (
            <Table.Tr key={tool.name}>
              <Table.Th scope="row" fw={500}>
                {tool.name}
                {tool.description !== null && (
                  <Text size="xs" c="dimmed" lineClamp={2}>
                    {tool.description}
                  </Text>
                )}
              </Table.Th>
              <Table.Td>{tool.source}</Table.Td>
              <Table.Td>
                {tool.effect === null ? t.unknownEffect : t.effects[tool.effect]}
                {tool.effect === 'write' && tool.reversible === false && `, ${t.irreversible}`}
              </Table.Td>
              <Table.Td>
                {tool.stopped === null ? (
                  <Badge variant="light" color="green" tt="none" style={{ flex: 'none', overflow: 'visible' }} miw="max-content">
                    {t.callable}
                  </Badge>
                ) : (
                  <Stack gap={4} align="flex-start">
                    <Badge variant="light" color="red" tt="none">
                      {t.stopped}
                    </Badge>
                    <Text size="xs">{tool.stopped.message}</Text>
                    <Button size="xs" aria-label={t.acceptOf(tool.name)} onClick={() => setLooking(tool)}>
                      {t.accept}
                    </Button>
                  </Stack>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ConfirmDialog title={t.acceptTitle(looking?.name ?? '')} opened={looking !== undefined} confirmLabel={t.acceptConfirm} canConfirm={typeof looking?.digest === 'string'} onConfirm={() => (looking === undefined ? Promise.resolve() : accept(looking))} onClose={() => setLooking(undefined)}>
        {looking !== undefined && <ToolNow tool={looking} />}
      </ConfirmDialog>
    </>
  );
}

function ToolNow({ tool }: { readonly tool: Tool }) {
  if (tool.digest === null) return <Alert color="yellow">{t.gone}</Alert>;
  return (
    <Stack gap="xs">
      <Alert color="yellow">{t.acceptWhat}</Alert>
      <Facts
        facts={[
          [t.columns.source, tool.source],
          [t.columns.effect, tool.effect === null ? t.unknownEffect : t.effects[tool.effect]],
          [t.acceptedBefore, tool.accepted === null ? null : <Code>{tool.accepted.digest}</Code>],
          [t.now, <Code key="now">{tool.digest}</Code>],
          [t.description, <Text key="text" size="sm" style={{ whiteSpace: 'pre-wrap' }}>{tool.description ?? ''}</Text>],
        ]}
      />
      {tool.inputSchema !== null && <JsonView value={tool.inputSchema} label={t.schema} />}
    </Stack>
  );
}

function Agents({ agents }: { readonly agents: readonly Agent[] }) {
  return (
    <Table aria-label={t.agents}>
      <TableHead columns={[t.columns.name, t.columns.model, t.columns.tools, t.columns.digest]} />
      <Table.Tbody>
        {agents.map(({ name, description, model, tools, digest }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={500}>
              {name}
              {description !== null && (
                <Text size="xs" c="dimmed">
                  {description}
                </Text>
              )}
            </Table.Th>
            <Table.Td>
              {model.provider} · {model.name}
            </Table.Td>
            <Table.Td>{tools.join(', ')}</Table.Td>
            <Table.Td>
              <Text ff="monospace" size="xs" title={digest}>
                {digest.slice(0, 19)}…
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
