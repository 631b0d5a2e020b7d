import type { InboxItem, Question } from '@countersign/contract';
import { expect } from 'chai';
import { createApproval, createQuestion } from '../inbox/inbox.spec.support.js';
import { getItemId } from '../inbox/listed-item.js';
import type { Pages } from '../ui/use-pages.js';
import { combineLists } from './combine-lists.js';

type State = 'loaded' | 'pending' | 'failed';

describe('combineLists', () => {
  const createPages = <T>(items: readonly T[], state: State): Pages<T> =>
    ({
      items: state === 'loaded' ? items : [],
      hasMore: false,
      query: { isPending: state === 'pending', isLoadingError: state === 'failed' },
    }) as Partial<Pages<T>> as Pages<T>;
  const combine = (approvals: State, questions: State) => {
    const { items, hasMore } = combineLists(
      createPages<InboxItem>([createApproval({ approvalId: 'approval' })], approvals),
      createPages<Question>([createQuestion({ questionId: 'question' })], questions),
    );
    return { ids: items.map(getItemId), hasMore };
  };

  it('should be complete once both lists have been loaded', () => {
    expect(combine('loaded', 'loaded')).to.deep.equal({ ids: ['question', 'approval'], hasMore: false });
  });

  it('should list approvals while the questions load, with an inexact number', () => {
    expect(combine('loaded', 'pending')).to.deep.equal({ ids: ['approval'], hasMore: true });
    expect(combine('loaded', 'failed')).to.deep.equal({ ids: ['approval'], hasMore: true });
  });

  it('should list questions only after the approvals have loaded, or could not be loaded', () => {
    expect(combine('pending', 'loaded')).to.deep.equal({ ids: [], hasMore: true });
    expect(combine('failed', 'loaded')).to.deep.equal({ ids: ['question'], hasMore: true });
  });
});
