import { Facts } from '@countersign/inbox-ui/ui/facts';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { AgentCall } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';
import { Disclosure } from '../../ui/disclosure.js';
import { ValueView } from '../../ui/value-view.js';
import { PolicyDecisionPanel } from './policy-panel.js';

const t = texts.step.work;

const COLORS: Readonly<Record<AgentCall['status'], string>> = {
  proposed: 'gray',
  waits_for_approval: 'orange',
  waits_for_answer: 'orange',
  dispatched: 'blue',
  completed: 'green',
  refused: 'red',
  outcome_unknown: 'red',
  cancelled: 'gray',
};

/** Shows a tool call of an agent: its arguments, its result, its policy decision, and its approval or question. */
export function AgentCallPanel({ runId, call }: { readonly runId: string; readonly call: AgentCall }) {
  const { tool, status, isError } = call;
  const title = (
    <Group gap={6} wrap="nowrap" style={{ minWidth: 0 }}>
      <code className="cs-tool">{escapeInvisible(tool)}</code>
      <Badge
        variant="light"
        size="sm"
        tt="none"
        color={status === 'completed' && isError === true ? 'red' : COLORS[status]}
      >
        {t.statuses[status]}
      </Badge>
    </Group>
  );
  return <Disclosure title={title}>{() => <CallDetails runId={runId} call={call} />}</Disclosure>;
}

function CallDetails({ runId, call }: { readonly runId: string; readonly call: AgentCall }) {
  const { effect, reversible, hosts, taint, approvalId, questionId, editedBy, policyDecision, result, isError } = call;
  return (
    <Stack gap="xs">
      <Facts
        facts={[
          [
            t.effect,
            effect === null
              ? undefined
              : `${t.effects[effect]}${reversible === false && effect === 'write' ? `, ${t.irreversible}` : ''}`,
          ],
          [t.hosts, hosts.length === 0 ? undefined : escapeInvisible(hosts.join(', '))],
          [t.taint, taint.length === 0 ? undefined : escapeInvisible(taint.join(', '))],
        ]}
      />
      {editedBy !== null && <Text size="sm">{t.edited(escapeInvisible(editedBy))}</Text>}
      {call.arguments === null ? (
        <Text size="sm" c="dimmed">
          {t.erased}
        </Text>
      ) : (
        <JsonView value={call.arguments} label={t.arguments} maxHeight={260} />
      )}
      <Group gap="md">
        {approvalId !== null && (
          <Link to={`/approvals/${encodeURIComponent(approvalId)}`} className="cs-link">
            {t.approval}
          </Link>
        )}
        {questionId !== null && (
          <Link to={`/runs/${encodeURIComponent(runId)}?tab=conversation`} className="cs-link">
            {t.question}
          </Link>
        )}
      </Group>
      <Text size="xs" fw={600}>
        {isError === true ? t.errorResult : t.result}
      </Text>
      {result === null ? (
        <Text size="sm" c="dimmed">
          {t.noResult}
        </Text>
      ) : (
        <ValueView value={result} label={t.result} maxHeight={260} />
      )}
      {policyDecision !== null && <PolicyDecisionPanel decision={policyDecision} />}
    </Stack>
  );
}
