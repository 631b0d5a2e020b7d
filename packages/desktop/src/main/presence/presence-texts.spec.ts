import { expect } from 'chai';
import type { Announcement } from './notification-planner.js';
import { presenceTexts } from './presence-texts.js';
import type { WaitingItem } from './waiting-item.js';
import { createItem, createQuestionItem } from './waiting-items-monitor.spec.support.js';

describe('presenceTexts', () => {
  const approval = createItem('release');
  const question = createQuestionItem('budget');
  const risky = createItem('risky', { riskLevel: 'high' });

  const announce = (kind: Announcement['kind'], ...items: readonly WaitingItem[]): string[] => {
    const announcement = { id: 1, kind, items, isReminder: false };
    return [presenceTexts.title(announcement), presenceTexts.body(announcement)];
  };
  const count = (items: readonly WaitingItem[], hasMore = false): string =>
    presenceTexts.waiting({ items, hasMore, isKnown: true });

  it('should count approvals and questions by their names, and as items if more may be waiting', () => {
    expect(count([approval])).to.equal('1 approval is waiting for you');
    expect(count([question])).to.equal('1 question is waiting for you');
    expect(count([question, question, approval])).to.equal('1 approval and 2 questions are waiting for you');
    expect(count([approval, question], true)).to.equal('2+ items are waiting for you');
    expect(count([])).to.equal('Nothing is waiting for you');
  });

  it('should name the agent and the workflow of a question, with the word for its kind', () => {
    expect(announce('one', question)).to.deep.equal([
      'What about budget?',
      'Question from the agent writer, in the workflow release.',
    ]);
    expect(announce('one', approval)).to.deep.equal([
      'Approve release',
      'Low risk. Continue the release run. Requested by vera.',
    ]);
  });

  it('should say in a summary and in the menu what the first item is', () => {
    expect(announce('summary', question, approval)).to.deep.equal([
      '1 approval and 1 question are waiting for you',
      'First: What about budget? (question)',
    ]);
    expect([risky, question, approval].map(presenceTexts.entry)).to.deep.equal([
      'Approve risky (high risk)',
      'What about budget? (question)',
      'Approve release',
    ]);
  });

  it('should shorten questions and show markup and line breaks in them as text', () => {
    const hostile = createQuestionItem('x', {
      text: `<b>Delete\n\u202eeverything</b>?${'!'.repeat(200)}`,
      agentName: '<i>root</i>',
    });
    expect(hostile.title).to.have.length(100);
    expect(announce('one', hostile)).to.deep.equal([
      `‹b›Delete \u{FFFD}everything‹/b›?${'!'.repeat(73)}…`,
      'Question from the agent ‹i›root‹/i›, in the workflow release.',
    ]);
  });
});
