import { NativeSelect, Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { QUESTION_STATUSES, type Question, type QuestionStatus } from '@countersign/contract';
import { useState } from 'react';
import { DueDate, getQuestionSource, toOneLine } from '../inbox/index.js';
import { Timestamp } from '../time/timestamp.js';
import { texts } from '../texts/index.js';
import { EmptyState } from '../ui/empty-state.js';
import { Loading } from '../ui/loading.js';
import { Page } from '../ui/page.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { useAddressQuery } from '../ui/use-address-query.js';
import { VirtualTable, type Column } from '../ui/virtual-table.js';
import { mergeQuery } from '../ui/merge-query.js';
import { QuestionPane } from './question-pane.js';
import { useQuestions } from './use-my-questions.js';
import { WebInboxHostProvider } from './web-inbox-host-provider.js';
import './approvals.css';

const t = texts.questions;

const NO_SEARCH = Object.freeze({});

const COLUMNS: readonly Column<Question>[] = [
  {
    key: 'question',
    header: t.columns.question,
    width: 'minmax(140px, 3fr)',
    cell: (question) => toOneLine(question.text, 200),
  },
  {
    key: 'agent',
    header: t.columns.from,
    width: 'minmax(90px, 1fr)',
    cell: getQuestionSource,
  },
  {
    key: 'when',
    header: t.columns.when,
    width: 'minmax(90px, 1fr)',
    cell: ({ askedAt, dueAt, status }) =>
      status === 'pending' && dueAt !== null ? <DueDate dueAt={dueAt} /> : <Timestamp at={askedAt} />,
  },
];

/** Page with the agents' questions of all runs. Every user with the required role can answer. */
export function QuestionsPage() {
  return (
    <WebInboxHostProvider>
      <Questions />
    </WebInboxHostProvider>
  );
}

function Questions() {
  const [address, change] = useAddressQuery();
  const [current, setCurrent] = useState(0);
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false }) === true;
  const status = QUESTION_STATUSES.find((each) => each === address.get('status')) ?? 'pending';
  const questionId = address.get('question');
  const { items, query, loadMore } = useQuestions(status, NO_SEARCH);
  const selectStatus = (value: QuestionStatus): void =>
    change((before) => mergeQuery(before, { status: value === 'pending' ? undefined : value, question: undefined }), {
      replace: false,
    });
  const open = (question: Question): void =>
    change((before) => mergeQuery(before, { question: question.questionId }), { replace: !isNarrow });
  const filter = (
    <NativeSelect
      size="xs"
      aria-label={t.status}
      value={status}
      data={QUESTION_STATUSES.map((value) => ({ value, label: t.statuses[value] }))}
      onChange={(event) => selectStatus(event.currentTarget.value as QuestionStatus)}
    />
  );
  return (
    <Page title={t.title} actions={filter}>
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {query.isSuccess && items.length === 0 && questionId === null && (
        <EmptyState
          title={status === 'pending' ? t.none : t.noneOf}
          {...(status === 'pending' ? { hint: t.noneHint } : {})}
        />
      )}
      {(items.length > 0 || questionId !== null) && (
        <div className="cs-approvals" data-narrow={isNarrow} data-stacked>
          <VirtualTable
            label={t.list}
            columns={COLUMNS}
            items={items}
            getKey={(question) => question.questionId}
            hasMore={query.hasNextPage}
            loadingMore={query.isFetchingNextPage}
            onLoadMore={loadMore}
            current={current}
            onCurrent={setCurrent}
            onOpen={open}
            isSelected={(question) => question.questionId === questionId}
          />
          <Paper withBorder className="cs-approvals-decision">
            {questionId === null ? (
              <EmptyState title={t.pick} />
            ) : (
              <QuestionPane
                key={questionId}
                questionId={questionId}
                listed={items.find((each) => each.questionId === questionId)}
              />
            )}
          </Paper>
        </div>
      )}
    </Page>
  );
}
