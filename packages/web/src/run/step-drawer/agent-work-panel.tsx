import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { isNotFound } from '@countersign/inbox-ui/api/query-client';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Markdown } from '@countersign/inbox-ui/ui/markdown';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { AgentTurn, AgentUsage, AgentWork } from '@countersign/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { texts } from '../../texts/index.js';
import { Disclosure } from '../../ui/disclosure.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { AgentCallPanel } from './agent-call-panel.js';
import { formatCost } from './format-cost.js';
import { Section } from './section.js';

const t = texts.step.work;
const PAGE_SIZE = 20;

interface AgentWorkPanelProps {
  readonly runId: string;
  readonly stepId: string;
  /** Whether the list may include turns after the past state that is shown. */
  readonly includesLaterTurns: boolean;
}

/** Shows the recorded turns of the agent with their tool calls. Turns are loaded page by page. */
export function AgentWorkPanel({ runId, stepId, includesLaterTurns }: AgentWorkPanelProps) {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: queryKeys.runData(runId, 'agent', stepId),
    queryFn: ({ pageParam, signal }) =>
      client.getAgentWork(
        { runId, stepId, limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: AgentWork) => page.nextCursor ?? undefined,
  });
  const work = query.data?.pages.at(-1);
  const turns = query.data?.pages.flatMap((page) => page.turns) ?? [];
  return (
    <Section title={t.title}>
      {includesLaterTurns && (
        <Text size="sm" c="dimmed">
          {t.laterActivityHint}
        </Text>
      )}
      {query.isPending && <Loading />}
      {query.isError &&
        (isNotFound(query.error) ? (
          <Text size="sm" c="dimmed">
            {t.none}
          </Text>
        ) : (
          <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
        ))}
      {work !== undefined && (
        <Stack gap="sm">
          <Summary work={work} />
          <VirtualList
            label={t.title}
            items={turns}
            getKey={({ turn }) => String(turn)}
            estimatedItemHeight={160}
            gap={12}
            hasMore={query.hasNextPage}
          >
            {(turn) => <Turn runId={runId} turn={turn} />}
          </VirtualList>
          {query.hasNextPage && (
            <Button
              variant="default"
              size="xs"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {t.more}
            </Button>
          )}
        </Stack>
      )}
    </Section>
  );
}

function Summary({ work: { usage, budget, definitionDigest, provider, model } }: { readonly work: AgentWork }) {
  return (
    <div>
      <Text size="sm">
        {t.summary(usage.turns, usage.toolCalls)}
        {usage.discardedResponses > 0 && `, ${t.discarded(usage.discardedResponses)}`} · {provider} {model}
      </Text>
      <Text size="xs" c="dimmed">
        {formatUsage(usage)}
      </Text>
      {budget !== null && (
        <Text size="xs" c="dimmed">
          {[
            t.budget(budget.turns, budget.toolCalls),
            ...(budget.tokens === null ? [] : [t.budgetTokens(budget.tokens)]),
            ...(budget.costMicros === null ? [] : [t.cost(formatCost(budget.costMicros))]),
          ].join(', ')}
        </Text>
      )}
      <Group gap={4}>
        <Text size="xs" c="dimmed">
          {t.definition} <code>{definitionDigest.slice(0, 19)}…</code>
        </Text>
        <CopyButton text={() => definitionDigest} label={t.copyDefinition} />
      </Group>
    </div>
  );
}

function Turn({ runId, turn }: { readonly runId: string; readonly turn: AgentTurn }) {
  return (
    <article className="cs-turn" aria-label={t.turn(turn.turn)}>
      <Group justify="space-between" gap="xs">
        <Title order={4} size="sm">
          {t.turn(turn.turn)}
        </Title>
        <Text size="xs" c="dimmed">
          {turn.model} · <Timestamp at={turn.at} />
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {formatUsage(turn.usage)}
      </Text>
      {turn.text === null || turn.text === '' ? (
        turn.calls.length > 0 && (
          <Text size="sm" c="dimmed">
            {t.noText}
          </Text>
        )
      ) : (
        <Markdown text={turn.text} headingLevel={5} />
      )}
      {turn.calls.map((call) => (
        <AgentCallPanel key={call.callId} runId={runId} call={call} />
      ))}
      <Disclosure title={<Text size="xs">{t.raw}</Text>}>
        {() => <JsonView value={turn as never} label={t.raw} depth={1} />}
      </Disclosure>
    </article>
  );
}

function formatUsage({ inputTokens, outputTokens, cacheReadTokens, estimated, costMicros }: AgentUsage): string {
  return [
    t.tokens(inputTokens, outputTokens),
    ...(cacheReadTokens === 0 ? [] : [t.cached(cacheReadTokens)]),
    ...(costMicros === null ? [] : [t.cost(formatCost(costMicros))]),
    ...(estimated ? [t.estimated] : []),
  ].join(', ');
}
