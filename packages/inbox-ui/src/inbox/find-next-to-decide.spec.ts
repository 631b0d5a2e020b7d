import { expect } from 'chai';
import { createApproval, createQuestion, createSection } from './inbox.spec.support.js';
import { findNextToDecide } from './find-next-to-decide.js';
import { buildInboxRows, type InboxSectionId } from './inbox-sections.js';
import { getItemId, type ListedItem } from './listed-item.js';

const createRows = (collapsed: readonly InboxSectionId[] = []) =>
  buildInboxRows(
    [
      createSection(
        'mine',
        ['a', 'b', 'c'].map((approvalId) => createApproval({ approvalId })),
      ),
      createSection('snoozed', [createApproval({ approvalId: 's' })]),
      createSection('others', [createApproval({ approvalId: 'o', canDecide: { allowed: false, reasons: [] } })]),
    ],
    new Set(collapsed),
  );

describe('inbox: the next item after a vote or an answer', () => {
  const findNextOf = (done: ListedItem, pending: readonly string[] = [], rows = createRows()): string | undefined => {
    const next = findNextToDecide(rows, done, (item) => !pending.includes(getItemId(item)));
    return next && getItemId(next);
  };
  const findNext = (doneId: string, pending: readonly string[] = [], rows = createRows()): string | undefined => {
    const items = rows.flatMap((row) => (row.kind === 'section' ? row.section.items : []));
    return findNextOf(
      items.find((item) => getItemId(item) === doneId) ?? createApproval({ approvalId: doneId }),
      pending,
      rows,
    );
  };

  it('should be the next one that waits for the user, or else the first one', () => {
    expect(findNext('a', ['a'])).to.equal('b');
    expect(findNext('c', ['c'])).to.equal('a');
    expect(findNext('elsewhere')).to.equal('a');
  });

  it('should be none that has a pending vote, is snoozed or waits for others', () => {
    expect(findNext('a', ['a', 'b'])).to.equal('c');
    expect(findNext('c', ['a', 'b', 'c'])).to.equal(undefined);
    expect(findNext('b', ['b', 'c'])).to.equal('a');
  });

  it('should be a question too, in the same order', () => {
    const rows = buildInboxRows(
      [
        createSection('mine', [
          createApproval({ approvalId: 'low' }),
          createQuestion({ questionId: 'asked' }),
          createApproval({ approvalId: 'high', riskLevel: 'high' }),
        ]),
        createSection('others', []),
      ],
      new Set(),
    );
    expect([findNext('high', [], rows), findNext('asked', [], rows), findNext('low', [], rows)]).to.deep.equal([
      'asked',
      'low',
      'high',
    ]);
    expect(findNext('high', ['asked'], rows)).to.equal('low');
  });

  it('should be the one below the place of an item that has left the list', () => {
    const rows = buildInboxRows(
      [
        createSection('mine', [
          createApproval({ approvalId: 'high', riskLevel: 'high' }),
          createQuestion({ questionId: 'asked' }),
          createApproval({ approvalId: 'low' }),
        ]),
      ],
      new Set(),
    );
    expect(findNextOf(createApproval({ approvalId: 'gone', riskLevel: 'high' }), [], rows)).to.equal('high');
    expect(findNextOf(createApproval({ approvalId: 'z', riskLevel: 'high' }), [], rows)).to.equal('asked');
    expect(findNextOf(createQuestion({ questionId: 'z' }), [], rows)).to.equal('low');
    expect(findNextOf(createApproval({ approvalId: 'z' }), [], rows)).to.equal('high');
  });

  it('should be found although its section is collapsed', () => {
    expect(findNext('a', ['a'], createRows(['mine']))).to.equal('b');
  });
});
