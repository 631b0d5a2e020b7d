import { expect } from 'chai';
import { pickShare } from './pick-share.js';

interface Item {
  readonly index: number;
  readonly owner: string;
}

const items: readonly Item[] = Array.from({ length: 4_000 }, (_, index) => ({ index, owner: `run-${index % 1_000}` }));
const getOwner = ({ owner }: Item): string => owner;

function pick(
  limit: number,
  server: string,
  { isCached = () => false, cachedLimit = 0 }: { isCached?: (item: Item) => boolean; cachedLimit?: number } = {},
): Item[] {
  return pickShare(items, { limit, cachedLimit, getOwner, isCached, server });
}

describe('pickShare()', () => {
  it('should return all items in order if they do not exceed the limit', () => {
    expect(pick(items.length, 'left')).to.deep.equal(items);
  });

  it('should pick items up to the limit in order, with the same items each time', () => {
    const picked = pick(500, 'left');

    expect(picked).to.have.length(500);
    expect(picked.map(({ index }) => index)).to.deep.equal(picked.map(({ index }) => index).sort((a, b) => a - b));
    expect(pick(500, 'left')).to.deep.equal(picked);
    expect(pick(0, 'left')).to.deep.equal([]);
    expect(pick(-3, 'left')).to.deep.equal([]);
  });

  it('should not pick a later item of an owner without the earlier ones', () => {
    for (const limit of [1, 499, 1_234]) {
      const picked = new Set(pick(limit, 'left').map(({ index }) => index));
      for (const index of picked) if (index >= 1_000) expect(picked.has(index - 1_000)).to.equal(true);
    }
  });

  it('should pick mostly other owners for another server', () => {
    const left = new Set(pick(500, '019aa000-0000-7000-8000-000000000001').map(getOwner));
    const right = new Set(pick(500, '019aa000-0000-7000-8000-000000000002').map(getOwner));
    const commonOwnerCount = [...left].filter((owner) => right.has(owner)).length;

    // Each server picks about 125 of 1,000 owners; about 16 are equal by chance.
    expect(commonOwnerCount).to.be.lessThan(40);
  });

  it('should pick cached items first, in order, up to their own limit', () => {
    const isCached = ({ owner }: Item): boolean => Number(owner.slice('run-'.length)) < 200;

    // 800 of the 4,000 items are cached.
    const picked = pick(500, 'left', { isCached, cachedLimit: 700 });
    expect(picked).to.have.length(700);
    expect(picked.every(isCached)).to.equal(true);
    expect(picked.map(({ index }) => index)).to.deep.equal(picked.map(({ index }) => index).sort((a, b) => a - b));
    expect(pick(500, 'left', { isCached, cachedLimit: 1_000 })).to.deep.equal(items.filter(isCached));
  });

  it('should pick other items up to the limit if few are cached', () => {
    const isCached = ({ owner }: Item): boolean => owner === 'run-7';

    const picked = pick(500, 'left', { isCached, cachedLimit: 700 });
    expect(picked).to.have.length(500);
    expect(picked.filter(isCached)).to.have.length(4);
  });
});
