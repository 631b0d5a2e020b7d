import { expect } from 'chai';
import { pickShare } from './pick-share.js';

interface Item {
  readonly index: number;
  readonly owner: string;
}

const items: readonly Item[] = Array.from({ length: 4_000 }, (_, index) => ({ index, owner: `run-${index % 1_000}` }));
const ownerOf = ({ owner }: Item): string => owner;

function pick(
  room: number,
  server: string,
  { isAtHand = () => false, roomAtHand = 0 }: { isAtHand?: (item: Item) => boolean; roomAtHand?: number } = {},
): Item[] {
  return pickShare(items, { room, roomAtHand, ownerOf, isAtHand, server });
}

describe('pickShare()', () => {
  it('should pick all where there is room, as they come', () => {
    expect(pick(items.length, 'left')).to.deep.equal(items);
  });

  it('should pick as many as there is room for, in order, and always the same', () => {
    const picked = pick(500, 'left');

    expect(picked).to.have.length(500);
    expect(picked.map(({ index }) => index)).to.deep.equal(picked.map(({ index }) => index).sort((a, b) => a - b));
    expect(pick(500, 'left')).to.deep.equal(picked);
    expect(pick(0, 'left')).to.deep.equal([]);
    expect(pick(-3, 'left')).to.deep.equal([]);
  });

  it('should leave no earlier item of an owner behind for a later one', () => {
    for (const room of [1, 499, 1_234]) {
      const picked = new Set(pick(room, 'left').map(({ index }) => index));
      for (const index of picked) if (index >= 1_000) expect(picked.has(index - 1_000)).to.equal(true);
    }
  });

  it('should pick differently for another server: hardly more in common than by chance', () => {
    const left = new Set(pick(500, '019aa000-0000-7000-8000-000000000001').map(ownerOf));
    const right = new Set(pick(500, '019aa000-0000-7000-8000-000000000002').map(ownerOf));
    const both = [...left].filter((owner) => right.has(owner)).length;

    // Each picks about 125 of 1,000 owners; by chance about 16 are the same.
    expect(both).to.be.lessThan(40);
  });

  it('should pick what is at hand before all others, in order, also where that is more than there is room for', () => {
    const isAtHand = ({ owner }: Item): boolean => Number(owner.slice('run-'.length)) < 200;

    // Of the 4,000 items 800 are at hand.
    const picked = pick(500, 'left', { isAtHand, roomAtHand: 700 });
    expect(picked).to.have.length(700);
    expect(picked.every(isAtHand)).to.equal(true);
    expect(picked.map(({ index }) => index)).to.deep.equal(picked.map(({ index }) => index).sort((a, b) => a - b));
    expect(pick(500, 'left', { isAtHand, roomAtHand: 1_000 })).to.deep.equal(items.filter(isAtHand));
  });

  it('should fill the room with others where not enough is at hand', () => {
    const isAtHand = ({ owner }: Item): boolean => owner === 'run-7';

    const picked = pick(500, 'left', { isAtHand, roomAtHand: 700 });
    expect(picked).to.have.length(500);
    expect(picked.filter(isAtHand)).to.have.length(4);
  });
});
