import type { AuditEntry } from '@countersign/model';
import { expect } from 'chai';
import { FailedSignIns } from './failed-sign-ins.js';

const NOW = 1_800_000_000_000;

describe('FailedSignIns', () => {
  let entries: AuditEntry[];
  let failedSignIns: FailedSignIns;

  beforeEach(() => {
    entries = [];
    failedSignIns = new FailedSignIns((entry) => Promise.resolve(void entries.push(entry)), { now: () => NOW });
  });

  afterEach(() => failedSignIns.flush());

  const getCounts = () => entries.map(({ from, data }) => [from, data['count']]);

  it('should record the first failure of a network immediately and the others of the minute as one entry', () => {
    for (let count = 0; count < 1_000; count += 1) failedSignIns.count('192.0.2.1', 'The token has expired.');
    failedSignIns.count('2001:db8::1', 'The token has expired.');
    failedSignIns.count('2001:db8::2', 'The token has expired.');
    expect(getCounts()).to.deep.equal([
      ['192.0.2.1', 1],
      ['2001:db8::1', 1],
    ]);
    failedSignIns.flush();
    expect(getCounts().slice(2)).to.deep.equal([
      ['192.0.2.1', 999],
      ['2001:db8::1', 1],
    ]);
    expect(entries[2]).to.deep.include({ action: 'session.authenticate', result: 'refused', actor: null });
    failedSignIns.count('192.0.2.1', 'The token has expired.');
    expect(getCounts().slice(4)).to.deep.equal([['192.0.2.1', 1]]);
  });

  it('should limit the number of entries when failures come from many networks', () => {
    for (let network = 0; network < 5_000; network += 1)
      failedSignIns.count(`10.${network >> 8}.${network & 255}.1`, 'The token has expired.');
    failedSignIns.flush();
    expect(entries).to.have.length(101);
    expect(getCounts().at(-1)).to.deep.equal([null, 4_900]);
  });
});
