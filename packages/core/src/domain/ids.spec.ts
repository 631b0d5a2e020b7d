import { expect } from 'chai';
import { countedId, derivedId, isUuid, randomId } from './ids.js';

const ID = '019aa000-1234-7001-8abc-000000000001';

describe('derivedId', () => {
  it('should be a UUIDv7 with the time of the id that it is made of', () => {
    const id = derivedId(ID, 'report.txt', 'aa');
    expect(id).to.match(/^019aa000-1234-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).to.equal(true);
  });

  it('should be the same for the same id and names, and differ else', () => {
    const all = [derivedId(ID), derivedId(ID, 'a', 'aa'), derivedId(ID, 'b', 'aa'), derivedId(ID, 'a', 'bb'), derivedId(ID.replace('1234', '1235'), 'a', 'aa')];

    expect(new Set(all)).to.have.property('size', 5);
    expect(derivedId(ID, 'a', 'aa')).to.equal(all[1]);
  });

  it('should give runs that one run begets ids whose counted ids are their own', () => {
    const parent = randomId(1_700_000_000_000);
    const children = Array.from({ length: 50 }, (_, index) => derivedId(countedId(parent, index, 1_700_000_000_000)));
    const counted = [parent, ...children].flatMap((runId) => Array.from({ length: 50 }, (_, index) => countedId(runId, index, 1_700_000_000_001)));

    expect(new Set(counted)).to.have.property('size', 51 * 50);
  });
});
