import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { Question } from '@countersign/contract';
import { useRef, type Ref } from 'react';
import { AnswerSection, DueDate, getQuestionHeading, toOneLine, useInboxHost } from '../inbox/index.js';
import { useHasRole } from '../session/session.js';
import { Timestamp } from '../time/timestamp.js';
import { texts } from '../texts/index.js';
import { chooseOptionByKey } from '../inbox/option-keys.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { statusMessages } from '../ui/status-messages.js';
import '../inbox/inbox.css';

const t = texts.questions;

interface QuestionPanelProps {
  readonly question: Question;
  /** Heading that takes the focus when the question is opened. */
  readonly headingRef?: Ref<HTMLHeadingElement> | undefined;
  /**
   * Called when the server has recorded the user's answer.
   *
   * @param isTypedOn whether the user has pressed a key in the form since sending
   */
  readonly onAnswered?: ((isTypedOn: boolean) => void) | undefined;
}

/** A question with its context, and the answer form for users who may answer. */
export function QuestionPanel({ question, headingRef, onAnswered }: QuestionPanelProps) {
  const { questionId, text, status, runId, workflowId, askedAt, dueAt, answer, answeredBy, answeredByName } = question;
  const isOperator = useHasRole('operator');
  const host = useInboxHost();
  const article = useRef<HTMLElement>(null);
  const canAnswer = isOperator && host.offline !== true;
  return (
    <article
      ref={article}
      aria-label={getQuestionHeading(question)}
      className="cs-question"
      onKeyDown={chooseOptionByKey}
    >
      <Stack gap="md">
        <div>
          <Group gap="xs" mb={4}>
            <Badge className="cs-badge" variant="light" color={status === 'pending' ? 'orange' : 'gray'} tt="none">
              {t.statuses[status]}
            </Badge>
            {status === 'pending' && <DueDate dueAt={dueAt} />}
          </Group>
          <Title order={2} size="h4" ref={headingRef} tabIndex={-1}>
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
        <AnswerSection
          key={questionId}
          question={question}
          canAnswer={canAnswer}
          closedReason={describeClosing(question)}
          onAnswered={(isTypedOn) => {
            statusMessages.show(t.sent);
            onAnswered?.(isTypedOn);
          }}
          onLeft={() => article.current?.querySelector<HTMLElement>('h2')?.focus()}
        />
      </Stack>
    </article>
  );
}

/** Explains why an answer that the user was writing can no longer be sent; `undefined` if the question is pending. */
function describeClosing({ status, answeredBy, answeredByName }: Question): string | undefined {
  if (status === 'pending') return undefined;
  return status === 'answered'
    ? t.closed.answered(toOneLine(answeredByName ?? answeredBy ?? '', 80))
    : t.closed[status];
}

function describeDueConsequence({ onDue: { kind, answer } }: Question): string {
  if (kind === 'incident') return t.incident;
  return answer === null
    ? t.continuesWithoutAnswer
    : t.continuesWithAnswer(toOneLine(typeof answer === 'string' ? answer : JSON.stringify(answer), 200));
}
