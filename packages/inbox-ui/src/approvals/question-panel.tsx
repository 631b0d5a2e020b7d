import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { Question } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { AnswerForm, DueDate, toOneLine, useInboxHost } from '../inbox/index.js';
import { useHasRole } from '../session/session.js';
import { Timestamp } from '../time/timestamp.js';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import '../inbox/inbox.css';

const t = texts.approvals.questions;

/** Returns a one-line heading that names the agent and the purpose of the question. */
export function getQuestionHeading({ purpose, agentName }: Pick<Question, 'purpose' | 'agentName'>): string {
  const agent = toOneLine(agentName, 80);
  return purpose === 'budget' ? t.budget(agent) : purpose === 'outcome' ? t.outcome(agent) : t.asks(agent);
}

/** Returns the agent, with the purpose of the question if the agent does not ask it itself. */
export function getQuestionSource(question: Pick<Question, 'purpose' | 'agentName'>): string {
  return question.purpose === 'ask' ? toOneLine(question.agentName, 80) : getQuestionHeading(question);
}

/** A question with its context, and the answer form for users who may answer. */
export function QuestionPanel({ question }: { readonly question: Question }) {
  const { questionId, text, status, runId, workflowId, askedAt, dueAt, answer, answeredBy, answeredByName } = question;
  const isOperator = useHasRole('operator');
  const host = useInboxHost();
  const canAnswer = isOperator && host.offline !== true;
  return (
    <article aria-label={getQuestionHeading(question)} className="cs-question">
      <Stack gap="md">
        <div>
          <Group gap="xs" mb={4}>
            <Badge className="cs-badge" variant="light" color={status === 'pending' ? 'orange' : 'gray'} tt="none">
              {t.statuses[status]}
            </Badge>
            {status === 'pending' && <DueDate dueAt={dueAt} />}
          </Group>
          <Title order={2} size="h4">
            {getQuestionHeading(question)}
          </Title>
          <Text size="sm" c="dimmed" component="div">
            <Timestamp at={askedAt} /> · {toOneLine(workflowId, 60)} · {host.runLink(runId, t.toRun)}
          </Text>
        </div>
        <pre className="cs-long-text cs-question-text">{escapeInvisible(text)}</pre>
        {dueAt !== null && status === 'pending' && (
          <Text size="sm">
            {t.onTimeout} {describeDueConsequence(question)}
          </Text>
        )}
        {status === 'pending' && canAnswer && (
          <AnswerForm key={questionId} question={question} onAnswered={() => notifications.show({ message: t.sent })} />
        )}
        {status === 'pending' && !canAnswer && (
          <Text size="sm">{isOperator ? texts.approvals.offline : t.notMine}</Text>
        )}
        {status === 'answered' && (
          <div role="status">
            <Text size="sm" fw={600}>
              {t.answered(toOneLine(answeredByName ?? answeredBy ?? '', 80))}
            </Text>
            <pre className="cs-long-text">
              {escapeInvisible(typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2))}
            </pre>
          </div>
        )}
      </Stack>
    </article>
  );
}

function describeDueConsequence({ onDue: { kind, answer } }: Question): string {
  if (kind === 'incident') return t.incident;
  return answer === null
    ? t.continuesWithoutAnswer
    : t.continuesWithAnswer(toOneLine(typeof answer === 'string' ? answer : JSON.stringify(answer), 200));
}
