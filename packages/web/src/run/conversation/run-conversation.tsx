import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { AnswerForm } from '@countersign/inbox-ui/inbox/answer-form';
import { useHasRole } from '@countersign/inbox-ui/session/session';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Markdown } from '@countersign/inbox-ui/ui/markdown';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import { Badge, Button, Group, Text } from '@mantine/core';
import type { ConversationMessage, RunDetail } from '@countersign/contract';
import { IconRobot, IconSettings, IconUser } from '@tabler/icons-react';
import { texts } from '../../texts/index.js';
import { ValueView } from '../../ui/value-view.js';
import { VirtualList } from '../../ui/virtual-list.js';
import './run-conversation.css';

const t = texts.conversation;
const ICONS = { agent: IconRobot, human: IconUser, system: IconSettings } as const;
const COLORS = { pending: 'orange', answered: 'green', withdrawn: 'gray', expired: 'gray' } as const;

/** Shows the messages and questions of a run with their answers. Operators can answer open questions. */
export function RunConversation({ run: { runId } }: { readonly run: RunDetail }) {
  const client = useClient();
  const { items, query, loadMore } = usePages<ConversationMessage>(
    queryKeys.runData(runId, 'conversation'),
    (cursor, signal) =>
      client.listConversation({ runId, limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  if (query.isPending) return <Loading />;
  if (query.isError && items.length === 0)
    return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0) return <EmptyState title={t.none} hint={t.noneHint} />;
  return (
    <div className="cs-conversation" role="group" aria-label={t.label} tabIndex={0}>
      <VirtualList
        label={t.label}
        items={items}
        getKey={getMessageKey}
        estimatedItemHeight={96}
        gap={12}
        hasMore={query.hasNextPage}
        className="cs-messages"
        itemProps={getLabelledByProps}
      >
        {(message) => <Message runId={runId} message={message} />}
      </VirtualList>
      {query.hasNextPage && (
        <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={loadMore}>
          {t.more}
        </Button>
      )}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
    </div>
  );
}

const getMessageKey = ({ messageId }: ConversationMessage): string => messageId;
const getLabelledByProps = ({ messageId }: ConversationMessage) => ({ 'aria-labelledby': `message-${messageId}` });

function Message({ runId, message }: { readonly runId: string; readonly message: ConversationMessage }) {
  const { author, at, text, status, options, answer, messageId } = message;
  const mayAnswer = useHasRole('operator');
  const Icon = ICONS[author.kind];
  return (
    <div className="cs-message" data-author={author.kind}>
      <Group gap={8} mb={4} id={`message-${messageId}`}>
        <Icon size={16} aria-hidden />
        <Text size="sm" fw={600}>
          {escapeInvisible(author.name)}
        </Text>
        <Text size="xs" c="dimmed">
          {t.kinds[author.kind]} · <Timestamp at={at} />
        </Text>
        {status !== null && (
          <Badge variant="light" size="sm" tt="none" color={COLORS[status]}>
            {t.statuses[status]}
          </Badge>
        )}
      </Group>
      {status === null && answer !== null && typeof answer !== 'string' ? (
        <ValueView value={answer} label={t.answer} maxHeight={260} />
      ) : author.kind === 'agent' ? (
        <Markdown text={text} headingLevel={2} />
      ) : (
        <p className="cs-message-text">{escapeInvisible(text)}</p>
      )}
      {status === 'pending' && !mayAnswer && options !== null && (
        <Group gap={6} mt="xs" role="list" aria-label={t.options}>
          {options.map((option) => (
            <Badge key={option} role="listitem" variant="outline" color="gray" tt="none">
              {escapeInvisible(option)}
            </Badge>
          ))}
        </Group>
      )}
      {status === 'pending' && (
        <div className="cs-answer">
          {mayAnswer ? (
            <AnswerForm question={{ ...message, runId }} />
          ) : (
            <Text size="sm" c="dimmed">
              {t.operatorsOnly}
            </Text>
          )}
        </div>
      )}
    </div>
  );
}
