import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { anApproval } from './inbox.spec.support.js';
import { byUrgency, inboxRows, type InboxSection, type InboxSectionId } from './inbox-sections.js';

const section = (id: InboxSectionId, items: Approval[]): InboxSection => ({
  id,
  label: id,
  items,
  hasMore: false,
  loading: false,
  empty: 'nothing',
});
const refused = { allowed: false, reasons: ['already_voted'] };

describe('inbox: sections', () => {
  it('should order approvals by risk, then by due time, then by age', () => {
    // given
    const items = [
      anApproval({ approvalId: 'low-late', dueAt: '2026-12-02T00:00:00.000Z' }),
      anApproval({ approvalId: 'low-never' }),
      anApproval({ approvalId: 'low-never-older', requestedAt: '2026-11-21T10:00:00.000Z' }),
      anApproval({ approvalId: 'low-soon', dueAt: '2026-11-23T00:00:00.000Z' }),
      anApproval({ approvalId: 'critical', riskLevel: 'critical' }),
      anApproval({ approvalId: 'high', riskLevel: 'high', dueAt: '2026-11-22T00:00:00.000Z' }),
    ];

    // when
    const ordered = [...items].sort(byUrgency).map(({ approvalId }) => approvalId);

    // then
    expect(ordered).to.deep.equal(['critical', 'high', 'low-soon', 'low-late', 'low-never-older', 'low-never']);
  });

  it('should show the approvals of open sections and hide those of collapsed sections', () => {
    const rows = inboxRows(
      [
        section('mine', [anApproval()]),
        section('others', []),
        section('decided', [anApproval({ approvalId: 'done', status: 'approved' })]),
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
    const before = anApproval();
    const voted = anApproval({ canDecide: refused });
    const decided = anApproval({ approvalId: 'approval-2', status: 'approved', canDecide: refused });

    // when
    const rows = inboxRows(
      [section('mine', [decided]), section('others', [voted, before, voted]), section('decided', [voted, decided])],
      new Set(),
    );

    // then
    expect(rows.flatMap((row) => (row.kind === 'item' ? [[row.section, row.key]] : []))).to.deep.equal([
      ['others', 'approval-1'],
      ['decided', 'approval-2'],
    ]);
  });

  it('should show all approvals if there is only one section', () => {
    const rows = inboxRows(
      [section('others', [anApproval(), anApproval({ approvalId: 'b', status: 'approved' })])],
      new Set(),
    );
    expect(rows).to.have.length(3);
  });
});
