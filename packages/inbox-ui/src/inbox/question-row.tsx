import { Text } from '@mantine/core';
import type { Question } from '@countersign/contract';
import { IconMessageQuestion } from '@tabler/icons-react';
import { memo } from 'react';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import { getQuestionSource } from './question-heading.js';
import { Age, DueDate, ItemKind, RowTitle } from './row-parts.js';
import { shortenRunId } from './shorten-run-id.js';
import './inbox.css';

interface QuestionRowContentProps {
  readonly question: Question;
}

/**
 * Content of a question's row: the question, who asks it, and details that distinguish similar questions. It is
 * rendered again only if the question changes, not on each move through the list.
 */
export const QuestionRowContent = memo(function QuestionRowContent({ question }: QuestionRowContentProps) {
  const { text, runId, workflowId, askedAt, dueAt } = question;
  const t = texts.approvals;
  return (
    <>
      <div className="cs-inbox-choose" />
      <div className="cs-inbox-text">
        <div className="cs-inbox-first">
          <RowTitle text={text} />
          <span className="cs-inbox-end">
            <DueDate dueAt={dueAt} />
          </span>
        </div>
        <Text size="sm" className="cs-inbox-effect" lineClamp={1}>
          <ItemKind icon={IconMessageQuestion} label={texts.itemKinds.question} />{' '}
          <bdi>{getQuestionSource(question)}</bdi>
        </Text>
        <div className="cs-inbox-meta">
          <Text component="span" size="xs" c="dimmed" truncate>
            {toOneLine(workflowId, 40)}
          </Text>
          <Text component="span" size="xs" c="dimmed" className="cs-inbox-which">
            {t.ofRun(shortenRunId(runId))} · <Age at={askedAt} />
          </Text>
        </div>
      </div>
    </>
  );
});
