import type { RunWrite } from '@countersign/core/ports';
import { expect } from 'chai';
import { APPROVAL_PARTS } from './approval-parts.js';
import type { Row } from './commit-part.js';

const APPROVAL_COUNT = 100;

function buildPartRows(name: string, write: Pick<RunWrite, 'approvalsChanged' | 'approvalsExcluded'>): readonly Row[] {
  const part = APPROVAL_PARTS.find((each) => each.name === name);
  if (part === undefined) throw new Error(`No part is named ${name}.`);
  return part.rows({ run: { runId: 'r' }, ...write } as unknown as RunWrite);
}

/** Returns approval changes and exclusions that count how often an id is read. */
function createWatchedWrite(): {
  write: Pick<RunWrite, 'approvalsChanged' | 'approvalsExcluded'>;
  readCount: () => number;
} {
  let readCount = 0;
  const buildApproval = (index: number): object => ({
    get approvalId(): string {
      readCount += 1;
      return `a${index}`;
    },
    excluded: { eve: 'edited_subject' },
  });
  const approvals = Array.from({ length: APPROVAL_COUNT }, (_, index) => buildApproval(index));
  const write = { approvalsChanged: approvals.slice(1), approvalsExcluded: approvals.slice(0, -1) };
  return {
    write: write as unknown as Pick<RunWrite, 'approvalsChanged' | 'approvalsExcluded'>,
    readCount: () => readCount,
  };
}

describe('APPROVAL_PARTS', () => {
  it('should write exclusions with the other changes of an approval', () => {
    const { write } = createWatchedWrite();
    const rows = buildPartRows('changed_approvals', write);

    expect(rows).to.have.length(APPROVAL_COUNT - 1);
    expect(rows[0]).to.include({ approval_id: 'a1' }).and.to.have.deep.property('excluded', { eve: 'edited_subject' });
    expect(rows.at(-1)).to.include({ approval_id: `a${APPROVAL_COUNT - 1}`, excluded: null });
  });

  it('should write exclusions of an approval that has no other changes', () => {
    expect(buildPartRows('excluded_from_approvals', createWatchedWrite().write)).to.deep.equal([
      { run_id: 'r', approval_id: 'a0', excluded: { eve: 'edited_subject' } },
    ]);
  });

  it('should read each approval at most eight times on average', () => {
    const { write, readCount } = createWatchedWrite();
    buildPartRows('changed_approvals', write);
    buildPartRows('excluded_from_approvals', write);

    expect(readCount()).to.be.within(1, APPROVAL_COUNT * 8);
  });
});
