import type { JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { readToolPages } from './list-tools.js';

describe('readToolPages', () => {
  const tool = (name: string): JsonObject => ({ name });

  /** Reads the pages in order. The last page is repeated for all further requests. */
  const read = async (pages: readonly { readonly tools: readonly unknown[]; readonly nextCursor?: unknown }[]) => {
    const asked: (string | undefined)[] = [];
    const listed = await readToolPages(({ cursor }) => {
      const page = pages[Math.min(asked.length, pages.length - 1)]!;
      asked.push(cursor);
      return Promise.resolve({ ...page, tools: [...page.tools] });
    });
    return { ...listed, asked };
  };

  it('should follow the cursor of each page', async () => {
    const { tools, asked, cut } = await read([
      { tools: [tool('a')], nextCursor: 'x' },
      { tools: [tool('b')], nextCursor: 'y' },
      { tools: [tool('c')] },
    ]);

    expect(tools).to.eql([tool('a'), tool('b'), tool('c')]);
    expect(asked).to.eql([undefined, 'x', 'y']);
    expect(cut).to.equal(undefined);
  });

  for (const nextCursor of [null, '', 0, {}, undefined]) {
    it(`should stop after a page whose cursor is ${JSON.stringify(nextCursor)}`, async () => {
      expect(await read([{ tools: [tool('a')], nextCursor }])).to.eql({
        tools: [tool('a')],
        asked: [undefined],
        cut: undefined,
      });
    });
  }

  it('should stop at a repeated cursor', async () => {
    expect((await read([{ tools: [tool('a')], nextCursor: 'x' }])).asked).to.eql([undefined, 'x']);
    const cursors = ['x', 'y', 'z', 'y'];
    const { asked, cut } = await read(cursors.map((nextCursor) => ({ tools: [], nextCursor })));
    expect(asked).to.eql([undefined, 'x', 'y', 'z']);
    expect(cut).to.equal(undefined);
  });

  it('should stop at the limits of pages, cursor length and tools, and report the reason', async () => {
    const many = await read(Array.from({ length: 60 }, (_, page) => ({ tools: [], nextCursor: `${page}` })));
    expect(many.asked).to.have.length(50);
    expect(many.cut).to.equal('its server lists more than the 50 pages that are read');
    const long = await read([{ tools: [tool('a')], nextCursor: 'x'.repeat(10_001) }]);
    expect(long.tools).to.have.length(1);
    expect(long.cut).to.equal('its server sent a cursor of more than 10000 characters');
    const large = await read([{ tools: Array.from({ length: 5_001 }, (_, index) => tool(`${index}`)) }]);
    expect(large.tools).to.have.length(5_000);
    expect(large.cut).to.equal('its server lists more than the 5000 tools that are read');
  });

  it('should skip entries that are not tools', async () => {
    expect((await read([{ tools: [null, 'a', [], tool('a')] }])).tools).to.eql([tool('a')]);
  });
});
