import type { JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { readToolPages } from './read-tool-pages.js';

describe('readToolPages', () => {
  const createTool = (name: string): JsonObject => ({ name });

  /** Reads the pages in order. The last page is repeated for all further requests. */
  const readPages = async (pages: readonly { readonly tools: readonly unknown[]; readonly nextCursor?: unknown }[]) => {
    const requestedCursors: (string | undefined)[] = [];
    const listed = await readToolPages(({ cursor }) => {
      const page = pages[Math.min(requestedCursors.length, pages.length - 1)]!;
      requestedCursors.push(cursor);
      return Promise.resolve({ ...page, tools: [...page.tools] });
    });
    return { ...listed, requestedCursors };
  };

  it('should follow the cursor of each page', async () => {
    const { tools, requestedCursors, incompleteListReason } = await readPages([
      { tools: [createTool('a')], nextCursor: 'x' },
      { tools: [createTool('b')], nextCursor: 'y' },
      { tools: [createTool('c')] },
    ]);

    expect(tools).to.eql([createTool('a'), createTool('b'), createTool('c')]);
    expect(requestedCursors).to.eql([undefined, 'x', 'y']);
    expect(incompleteListReason).to.equal(undefined);
  });

  for (const nextCursor of [null, '', 0, {}, undefined]) {
    it(`should stop after a page whose cursor is ${JSON.stringify(nextCursor)}`, async () => {
      expect(await readPages([{ tools: [createTool('a')], nextCursor }])).to.eql({
        tools: [createTool('a')],
        requestedCursors: [undefined],
        incompleteListReason: undefined,
      });
    });
  }

  it('should stop at a repeated cursor', async () => {
    expect((await readPages([{ tools: [createTool('a')], nextCursor: 'x' }])).requestedCursors).to.eql([
      undefined,
      'x',
    ]);
    const cursors = ['x', 'y', 'z', 'y'];
    const { requestedCursors, incompleteListReason } = await readPages(
      cursors.map((nextCursor) => ({ tools: [], nextCursor })),
    );
    expect(requestedCursors).to.eql([undefined, 'x', 'y', 'z']);
    expect(incompleteListReason).to.equal(undefined);
  });

  it('should stop at the limits of pages, cursor length and tools, and report the reason', async () => {
    const manyPages = await readPages(Array.from({ length: 60 }, (_, page) => ({ tools: [], nextCursor: `${page}` })));
    expect(manyPages.requestedCursors).to.have.length(50);
    expect(manyPages.incompleteListReason).to.equal('its server lists more than the 50 pages that are read');
    const longCursor = await readPages([{ tools: [createTool('a')], nextCursor: 'x'.repeat(10_001) }]);
    expect(longCursor.tools).to.have.length(1);
    expect(longCursor.incompleteListReason).to.equal('its server sent a cursor of more than 10000 characters');
    const manyTools = await readPages([{ tools: Array.from({ length: 5_001 }, (_, index) => createTool(`${index}`)) }]);
    expect(manyTools.tools).to.have.length(5_000);
    expect(manyTools.incompleteListReason).to.equal('its server lists more than the 5000 tools that are read');
  });

  it('should skip entries that are not tools', async () => {
    expect((await readPages([{ tools: [null, 'a', [], createTool('a')] }])).tools).to.eql([createTool('a')]);
  });
});
