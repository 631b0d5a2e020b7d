import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { ConfirmDialog } from '@countersign/inbox-ui/ui/confirm-dialog';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Tool } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { texts } from '../texts/index.js';
import { Named } from './named.js';

const { agents: t } = texts.settings;

/** Lists the tools, stopped ones first, to review and accept them. */
export function ToolList({ tools }: { readonly tools: readonly Tool[] }) {
  const client = useClient();
  const queries = useQueryClient();
  const [looking, setLooking] = useState<Tool>();
  const [current, setCurrent] = useState(0);
  const sorted = useMemo(() => [...tools].sort((a, b) => urgency(b) - urgency(a)), [tools]);
  const accept = async (tool: Tool): Promise<void> => {
    await client.acceptTool({ toolName: tool.name, body: { digest: tool.digest ?? '' } });
    notifications.show({ message: t.accepted(escapeInvisible(tool.name)), color: 'green' });
    await queries.invalidateQueries({ queryKey: keys.tools });
  };
  const columns: readonly Column<Tool>[] = [
    {
      key: 'name',
      header: t.columns.name,
      width: 'minmax(180px, 3fr)',
      cell: ({ name, description }) => <Named name={name} description={description} />,
    },
    { key: 'source', header: t.columns.source, width: 'minmax(80px, 1fr)', cell: ({ source }) => source },
    { key: 'effect', header: t.columns.effect, width: 'minmax(90px, 1fr)', cell: effectOf },
    {
      key: 'state',
      header: t.columns.state,
      width: 'minmax(230px, 2fr)',
      cell: (tool) => <State tool={tool} onLook={() => setLooking(tool)} />,
    },
  ];
  return (
    <>
      <VirtualTable
        label={t.tools}
        columns={columns}
        items={sorted}
        keyOf={({ name }) => name}
        rowHeight={60}
        current={current}
        onCurrent={setCurrent}
        onOpen={(tool) => tool.stopped !== null && setLooking(tool)}
      />
      <ConfirmDialog
        title={t.acceptTitle(looking?.name ?? '')}
        opened={looking !== undefined}
        confirmLabel={t.acceptConfirm}
        canConfirm={typeof looking?.digest === 'string'}
        onConfirm={() => (looking === undefined ? Promise.resolve() : accept(looking))}
        onClose={() => setLooking(undefined)}
      >
        {looking !== undefined && <ToolNow tool={looking} />}
      </ConfirmDialog>
    </>
  );
}

/** Stopped tools come first, then those whose source is unavailable. */
function urgency({ stopped, unavailable }: Tool): number {
  if (stopped !== null) return 2;
  return unavailable === null ? 0 : 1;
}

function effectOf({ effect, reversible }: Tool): string {
  if (effect === null) return t.unknownEffect;
  return effect === 'write' && reversible === false ? `${t.effects[effect]}, ${t.irreversible}` : t.effects[effect];
}

function State({ tool: { name, stopped, unavailable }, onLook }: { readonly tool: Tool; onLook(): void }) {
  if (stopped === null && unavailable !== null) {
    return (
      <>
        <Badge variant="light" color="yellow" tt="none" style={{ flex: 'none' }}>
          {t.unavailable}
        </Badge>
        <Text size="xs" truncate title={unavailable}>
          {unavailable}
        </Text>
      </>
    );
  }
  if (stopped === null) {
    return (
      <Badge variant="light" color="green" tt="none">
        {t.callable}
      </Badge>
    );
  }
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Badge variant="light" color="red" tt="none" style={{ flex: 'none' }}>
          {t.stopped}
        </Badge>
        <Button size="compact-xs" mih={24} aria-label={t.acceptOf(name)} onClick={onLook}>
          {t.accept}
        </Button>
      </Group>
      <Text size="xs" truncate title={stopped.message}>
        {stopped.message}
      </Text>
    </>
  );
}

function ToolNow({ tool }: { readonly tool: Tool }) {
  if (tool.digest === null) return <Alert color="yellow">{t.gone}</Alert>;
  return (
    <Stack gap="xs">
      {tool.stopped !== null && <Text size="sm">{tool.stopped.message}</Text>}
      <Alert color="yellow">{t.acceptWhat}</Alert>
      <Facts
        facts={[
          [t.columns.source, tool.source],
          [t.columns.effect, effectOf(tool)],
          [t.acceptedBefore, tool.accepted === null ? null : <Code>{tool.accepted.digest}</Code>],
          [t.now, <Code key="now">{tool.digest}</Code>],
          [
            t.description,
            <Text key="text" size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {tool.description ?? ''}
            </Text>,
          ],
        ]}
      />
      {tool.inputSchema !== null && <JsonView value={tool.inputSchema} label={t.schema} />}
    </Stack>
  );
}
