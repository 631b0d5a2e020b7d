import type { Client } from '@countersign/contract';
import { expect } from 'chai';
import { DisplayedQuestions } from '../questions/displayed-questions.js';
import { DisplayedApprovals } from '../vote/displayed-approvals.js';
import { ApiOperations } from './api-operations.js';

describe('ApiOperations', () => {
  it('should store lists of questions for reading offline, but not what is only counted', async () => {
    // given
    const stored: unknown[] = [];
    const operations = new ApiOperations({
      client: { listQuestions: () => Promise.resolve({ items: [], nextCursor: null }) } as Partial<Client> as Client,
      displayedApprovals: new DisplayedApprovals(),
      displayedQuestions: new DisplayedQuestions(),
      cache: { put: (operation, input) => stored.push([operation, input]) },
      confirm: () => Promise.resolve(false),
    });

    // when
    for (const limit of [21, 100]) await operations.call('listQuestions', { status: 'pending', limit });
    await operations.call('listQuestions', {});

    // then
    expect(stored).to.deep.equal([
      ['listQuestions', { status: 'pending', limit: 100 }],
      ['listQuestions', {}],
    ]);
  });
});
