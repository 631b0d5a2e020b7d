import { expect } from 'chai';
import { compareByUrgency, getItemId, getWaitingItemKey } from './waiting-item.js';
import { createItem, createQuestionItem } from './waiting-items-monitor.spec.support.js';

describe('compareByUrgency', () => {
  it('should rank a question as an approval with a medium risk, by due date and then by age, as the inbox does', () => {
    const items = [
      createItem('low', { dueAt: '2026-11-23T10:00:00.000Z' }),
      createQuestionItem('newer', { askedAt: '2026-11-23T09:30:00.000Z' }),
      createItem('medium', { riskLevel: 'medium', requestedAt: '2026-11-23T09:20:00.000Z' }),
      createQuestionItem('older', { askedAt: '2026-11-23T09:10:00.000Z' }),
      createQuestionItem('due', { dueAt: '2026-11-30T09:00:00.000Z', askedAt: '2026-11-23T09:40:00.000Z' }),
      createItem('high', { riskLevel: 'high' }),
    ];
    expect(items.sort(compareByUrgency).map(getItemId)).to.deep.equal([
      'high',
      'due',
      'older',
      'medium',
      'newer',
      'low',
    ]);
  });
});

describe('getWaitingItemKey', () => {
  it('should differ between servers, rounds and kinds of items', () => {
    const identities = [
      createItem('one'),
      createItem('one', { round: 2 }),
      createItem('one', { serverId: 'other' }),
      createQuestionItem('one'),
    ];
    expect(new Set(identities.map(getWaitingItemKey))).to.have.property('size', identities.length);
  });
});
