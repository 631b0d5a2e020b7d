import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
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
import { NameWithDescription } from './name-with-description.js';

const { agents: t } = texts.settings;

/** Lists the tools, stopped tools first. An administrator can review and accept stopped tools. */
export function ToolList({ tools }: { readonly tools: readonly Tool[] }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [reviewedTool, setReviewedTool] = useState<Tool>();
  const [current, setCurrent] = useState(0);
  const sortedTools = useMemo(() => [...tools].sort((a, b) => getAttentionRank(b) - getAttentionRank(a)), [tools]);
  const accept = async (tool: Tool): Promise<void> => {
    await client.acceptTool({ toolName: tool.name, body: { digest: tool.digest ?? '' } });
    notifications.show({ message: t.accepted(escapeInvisible(tool.name)), color: 'green' });
    await queryClient.invalidateQueries({ queryKey: queryKeys.tools });
  };
  const columns: readonly Column<Tool>[] = [
    {
      key: 'name',
      header: t.columns.name,
      width: 'minmax(180px, 3fr)',
      cell: ({ name, description }) => <NameWithDescription name={name} description={description} />,
    },
    { key: 'source', header: t.columns.source, width: 'minmax(80px, 1fr)', cell: ({ source }) => source },
    { key: 'effect', header: t.columns.effect, width: 'minmax(90px, 1fr)', cell: describeEffect },
    {
      key: 'state',
      header: t.columns.state,
      width: 'minmax(230px, 2fr)',
      cell: (tool) => <ToolState tool={tool} onReview={() => setReviewedTool(tool)} />,
    },
  ];
  return (
    <>
      <VirtualTable
        label={t.tools}
        columns={columns}
        items={sortedTools}
        getKey={({ name }) => name}
        rowHeight={60}
        current={current}
        onCurrent={setCurrent}
        onOpen={(tool) => tool.stopped !== null && setReviewedTool(tool)}
      />
      <ConfirmDialog
        title={t.acceptTitle(reviewedTool?.name ?? '')}
        opened={reviewedTool !== undefined}
        confirmLabel={t.acceptConfirm}
        canConfirm={typeof reviewedTool?.digest === 'string'}
        onConfirm={() => (reviewedTool === undefined ? Promise.resolve() : accept(reviewedTool))}
        onClose={() => setReviewedTool(undefined)}
      >
        {reviewedTool !== undefined && <ToolReview tool={reviewedTool} />}
      </ConfirmDialog>
    </>
  );
}

/** Returns the sort rank of a tool: stopped tools come first, then tools whose source is unavailable. */
function getAttentionRank({ stopped, unavailable }: Tool): number {
  if (stopped !== null) return 2;
  return unavailable === null ? 0 : 1;
}

function describeEffect({ effect, reversible }: Tool): string {
  if (effect === null) return t.unknownEffect;
  return effect === 'write' && reversible === false ? `${t.effects[effect]}, ${t.irreversible}` : t.effects[effect];
}

function ToolState({ tool: { name, stopped, unavailable }, onReview }: { readonly tool: Tool; onReview(): void }) {
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
        <Button size="compact-xs" mih={24} aria-label={t.acceptLabel(name)} onClick={onReview}>
          {t.accept}
        </Button>
      </Group>
      <Text size="xs" truncate title={stopped.message}>
        {stopped.message}
      </Text>
    </>
  );
}

function ToolReview({ tool }: { readonly tool: Tool }) {
  if (tool.digest === null) return <Alert color="yellow">{t.notProvided}</Alert>;
  return (
    <Stack gap="xs">
      {tool.stopped !== null && <Text size="sm">{tool.stopped.message}</Text>}
      <Alert color="yellow">{t.acceptHint}</Alert>
      <Facts
        facts={[
          [t.columns.source, tool.source],
          [t.columns.effect, describeEffect(tool)],
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
