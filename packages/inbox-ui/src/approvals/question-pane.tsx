import type { Question } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, type Ref } from 'react';
import { useClient } from '../api/client-context.js';
import { isNotFound } from '../api/query-client.js';
import { queryKeys } from '../api/query-keys.js';
import { useInboxHost } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { EmptyState } from '../ui/empty-state.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { QuestionPanel } from './question-panel.js';

const t = texts.questions;

interface QuestionPaneProps {
  readonly questionId: string;
  /** The question as it is listed, which is displayed until it is loaded. */
  readonly listed: Question | undefined;
  readonly headingRef?: Ref<HTMLHeadingElement>;
  onDisplayed?(question: Question): void;
  /**
   * Called when the server has recorded the user's answer, even if another item is displayed by then.
   *
   * @param isTypedOn whether the user has pressed a key in the form since sending
   */
  onAnswered?(question: Question, isTypedOn: boolean): void;
}

/** Pane with one question. An answered question leaves the list but stays displayed while the user reads it. */
export function QuestionPane({ questionId, listed, headingRef, onDisplayed, onAnswered }: QuestionPaneProps) {
  const client = useClient();
  const { offline } = useInboxHost();
  const { data, isError, error, refetch } = useQuery({
    queryKey: queryKeys.question(questionId),
    queryFn: ({ signal }) => client.getQuestion({ questionId }, { signal }),
    placeholderData: listed,
  });
  // A question that was not opened before the server became unreachable is known from the list, and can be read.
  const question = data ?? (offline === true ? listed : undefined);
  // Runs before paint, so that every later key press applies to this question.
  useLayoutEffect(() => {
    if (question !== undefined) onDisplayed?.(question);
  }, [onDisplayed, question]);
  // The list has changed by the time that the answer is recorded.
  const latestOnAnswered = useRef(onAnswered);
  latestOnAnswered.current = onAnswered;
  if (question !== undefined)
    return (
      <QuestionPanel
        question={question}
        headingRef={headingRef}
        onAnswered={(isTypedOn) => latestOnAnswered.current?.(question, isTypedOn)}
      />
    );
  if (isError && isNotFound(error)) return <EmptyState title={t.notFound} hint={texts.approvals.noneHint} />;
  return isError ? <ProblemNotice error={error} onRetry={() => void refetch()} /> : <Loading />;
}
