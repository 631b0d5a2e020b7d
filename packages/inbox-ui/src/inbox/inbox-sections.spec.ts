import { expect } from 'chai';
import { createApproval, createQuestion, createSection } from './inbox.spec.support.js';
import { compareByUrgency, buildInboxRows } from './inbox-sections.js';
import { getItemId } from './listed-item.js';

const cannotDecide = { allowed: false, reasons: ['already_voted'] };

describe('inbox: sections', () => {
  it('should order approvals by risk, then by due time, then by age', () => {
    // given
    const items = [
      createApproval({ approvalId: 'low-late', dueAt: '2026-12-02T00:00:00.000Z' }),
      createApproval({ approvalId: 'low-never' }),
      createApproval({ approvalId: 'low-never-older', requestedAt: '2026-11-21T10:00:00.000Z' }),
      createApproval({ approvalId: 'low-soon', dueAt: '2026-11-23T00:00:00.000Z' }),
      createApproval({ approvalId: 'critical', riskLevel: 'critical' }),
      createApproval({ approvalId: 'high', riskLevel: 'high', dueAt: '2026-11-22T00:00:00.000Z' }),
    ];

    // when
    const ordered = [...items].sort(compareByUrgency).map(({ approvalId }) => approvalId);

    // then
    expect(ordered).to.deep.equal(['critical', 'high', 'low-soon', 'low-late', 'low-never-older', 'low-never']);
  });

  it('should order questions among the approvals with a medium risk, by due time and then by age', () => {
    // given
    const items = [
      createApproval({ approvalId: 'low', dueAt: '2026-11-22T00:00:00.000Z' }),
      createQuestion({ questionId: 'asked' }),
      createQuestion({ questionId: 'asked-soon', dueAt: '2026-11-23T00:00:00.000Z' }),
      createQuestion({ questionId: 'asked-first', askedAt: '2026-11-21T10:00:00.000Z' }),
      createApproval({ approvalId: 'medium', riskLevel: 'medium', requestedAt: '2026-11-22T09:00:00.000Z' }),
      createApproval({ approvalId: 'high', riskLevel: 'high' }),
    ];

    // when
    const ordered = [...items].sort(compareByUrgency).map(getItemId);

    // then
    expect(ordered).to.deep.equal(['high', 'asked-soon', 'asked-first', 'medium', 'asked', 'low']);
  });

  it('should show only pending questions, and only among what waits for the user', () => {
    const rows = buildInboxRows(
      [
        createSection('mine', [createQuestion(), createQuestion({ questionId: 'over', status: 'answered' })]),
        createSection('others', [createQuestion({ questionId: 'elsewhere' })]),
      ],
      new Set(),
    );
    expect(rows.map(({ key }) => key)).to.deep.equal(['mine', 'question-1', 'others', 'others-empty']);
  });

  it('should say below the items that others are missing because of an error', () => {
    const section = { ...createSection('mine', [createQuestion()]), error: new Error('down'), isIncomplete: true };
    expect(buildInboxRows([section, createSection('others', [])], new Set()).map(({ kind }) => kind)).to.deep.equal([
      'section',
      'item',
      'empty',
      'section',
      'empty',
    ]);
  });

  it('should show the approvals of open sections and hide those of collapsed sections', () => {
    const rows = buildInboxRows(
      [
        createSection('mine', [createApproval()]),
        createSection('others', []),
        createSection('decided', [createApproval({ approvalId: 'done', status: 'approved' })]),
      ],
      new Set(['decided']),
    );
    expect(rows.map(({ kind, key }) => [kind, key])).to.deep.equal([
      ['section', 'mine'],
      ['item', 'approval-1'],
      ['section', 'others'],
      ['empty', 'others-empty'],
      ['section', 'decided'],
    ]);
  });

  it('should show an approval once, in the section of its latest state', () => {
    // given: the approval has just been voted on, and not every part of the page has the new state
    const before = createApproval();
    const voted = createApproval({ canDecide: cannotDecide });
    const decided = createApproval({ approvalId: 'approval-2', status: 'approved', canDecide: cannotDecide });

    // when
    const rows = buildInboxRows(
      [
        createSection('mine', [decided]),
        createSection('others', [voted, before, voted]),
        createSection('decided', [voted, decided]),
      ],
      new Set(),
    );

    // then
    expect(rows.flatMap((row) => (row.kind === 'item' ? [[row.section, row.key]] : []))).to.deep.equal([
      ['others', 'approval-1'],
      ['decided', 'approval-2'],
    ]);
  });

  it('should show all approvals if there is only one section', () => {
    const rows = buildInboxRows(
      [createSection('others', [createApproval(), createApproval({ approvalId: 'b', status: 'approved' })])],
      new Set(),
    );
    expect(rows).to.have.length(3);
  });
});
