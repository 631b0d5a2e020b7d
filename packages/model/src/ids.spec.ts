import { expect } from 'chai';
import { createSequentialId, deriveId, isUuid, createRandomId } from './ids.js';

const ID = '019aa000-1234-7001-8abc-000000000001';

describe('createSequentialId', () => {
  it('should contain the time, the counter and the random part of the run id', () => {
    expect(createSequentialId(ID, 0xabc, 0x019aa0001235)).to.equal('019aa000-1235-7abc-8abc-000000000001');
    expect(createSequentialId(ID, 0xabc, -1)).to.equal('00000000-0000-7abc-8abc-000000000001');
    expect(createSequentialId(ID.replace('00000001', 'ffffffff'), 0x1000 * 5 + 2, 0x019aa0001235)).to.equal(
      '019aa000-1235-7002-8abc-0000fffffffa',
    );
  });

  it('should not depend on ids that were created in between', () => {
    // given
    const otherId = '019aa000-9999-7001-9def-123456789abc';
    const cases = [ID, otherId].flatMap((runId) =>
      [1, 0x1001].flatMap((counter) => [5, 6].map((now) => [runId, counter, now] as const)),
    );
    const singleIds = cases.map((args) => createSequentialId(...args));

    // when
    const idPairs = cases.flatMap((first) => cases.map((second) => [first, second] as const));

    // then
    expect(new Set(singleIds)).to.have.property('size', cases.length);
    for (const [first, second] of idPairs) {
      createSequentialId(...first);
      expect(createSequentialId(...second)).to.equal(singleIds[cases.indexOf(second)]);
    }
  });
});

describe('createRandomId', () => {
  it('should return a unique UUIDv7 with the time', () => {
    const ids = Array.from({ length: 1000 }, () => createRandomId(0x019aa0001234));
    expect(new Set(ids)).to.have.property('size', ids.length);
    for (const id of ids) expect(id).to.match(/^019aa000-1234-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('deriveId', () => {
  it('should return a UUIDv7 with the time of the source id', () => {
    const id = deriveId(ID, 'report.txt', 'aa');
    expect(id).to.match(/^019aa000-1234-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).to.equal(true);
  });

  it('should return the same id only for the same source id and names', () => {
    const derivedIds = [
      deriveId(ID),
      deriveId(ID, 'a', 'aa'),
      deriveId(ID, 'b', 'aa'),
      deriveId(ID, 'a', 'bb'),
      deriveId(ID.replace('1234', '1235'), 'a', 'aa'),
    ];

    expect(new Set(derivedIds)).to.have.property('size', 5);
    expect(deriveId(ID, 'a', 'aa')).to.equal(derivedIds[1]);
  });

  it('should return ids for child runs whose sequential ids do not collide', () => {
    const parent = createRandomId(1_700_000_000_000);
    const children = Array.from({ length: 50 }, (_, index) =>
      deriveId(createSequentialId(parent, index, 1_700_000_000_000)),
    );
    const sequentialIds = [parent, ...children].flatMap((runId) =>
      Array.from({ length: 50 }, (_, index) => createSequentialId(runId, index, 1_700_000_000_001)),
    );

    expect(new Set(sequentialIds)).to.have.property('size', 51 * 50);
  });
});
