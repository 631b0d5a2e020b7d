import type { AcceptedContent, StoragePort, ToolPinStore, ToolStop } from '@countersign/core/ports';
import type { AuditEntry } from '@countersign/model';
import { expect } from 'chai';

export interface ToolPinStoreUnderTest {
  /** Stores of two servers that share the same data, which is empty at first. */
  readonly store: ToolPinStore;
  readonly other: ToolPinStore;
  /** Storage of the first server. */
  readonly storage: Pick<StoragePort, 'listAudit'>;
  dispose(): Promise<void>;
}

const TOOL_NAME = 'mcp.files.read';
const STOP: ToolStop = {
  digest: 'sha256:b',
  code: 'tool_changed',
  message: 'The tool has changed.',
  at: 1_790_000_000_500,
};

const createTool = (overrides: Partial<AcceptedContent> = {}): AcceptedContent => ({
  name: TOOL_NAME,
  source: 'files',
  digest: 'sha256:a',
  content: { description: 'Reads. "\u001f"', inputSchema: { type: 'object' } },
  at: 1_790_000_000_123,
  by: 'ada',
  ...overrides,
});
const createAuditEntry = (action: string): AuditEntry => ({
  at: 1_790_000_000_123,
  actor: { type: 'user', id: 'ada', name: 'Ada' },
  action,
  target: { type: 'tool', id: TOOL_NAME },
  result: 'ok',
  from: null,
  data: {},
});

/** Tests the contract of a store of pinned tools. Must be called in a Mocha spec. */
export function describeToolPinStore(name: string, create: () => Promise<ToolPinStoreUnderTest>): void {
  describe(`${name} as a ToolPinStore`, () => {
    let subject: ToolPinStoreUnderTest;

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(() => subject.dispose());

    const listActions = async () =>
      [...(await subject.storage.listAudit({}, 50))].sort((a, b) => a.seq - b.seq).map(({ action }) => action);

    it('should return pinned tools on every server', async () => {
      await subject.store.pinToolIfNew(createTool(), createAuditEntry('tool.pin'));
      await subject.store.acceptTool(
        createTool({ name: 'mcp.a.b', digest: 'sha256:c' }),
        createAuditEntry('tool.accept'),
      );

      expect(await subject.other.listToolPins()).to.eql([
        { ...createTool({ name: 'mcp.a.b', digest: 'sha256:c' }), stopped: null },
        { ...createTool(), stopped: null },
      ]);
      expect(await listActions()).to.eql(['tool.pin', 'tool.accept']);
    });

    it('should pin only the first definition, even if several servers pin concurrently', async () => {
      // when
      const pinResults = await Promise.all(
        [0, 1, 2, 3].map((n) =>
          (n % 2 === 0 ? subject.store : subject.other).pinToolIfNew(
            createTool({ digest: `sha256:${n}` }),
            createAuditEntry('tool.pin'),
          ),
        ),
      );

      // then
      expect(pinResults.filter(Boolean)).to.have.length(1);
      const [pinned] = await subject.store.listToolPins();
      expect(pinned?.digest).to.equal(`sha256:${pinResults.indexOf(true)}`);
      expect(await listActions(), 'only the first pin is audited').to.eql(['tool.pin']);
    });

    it('should keep a tool stopped for the first reason until the tool is accepted', async () => {
      await subject.store.pinToolIfNew(createTool(), createAuditEntry('tool.pin'));

      const stopped = await Promise.all(
        [subject.store, subject.other].map((store) =>
          store.stopTool(TOOL_NAME, 'sha256:a', STOP, createAuditEntry('tool.stop')),
        ),
      );

      expect(stopped.filter(Boolean)).to.have.length(1);
      expect(
        await subject.other.stopTool(
          TOOL_NAME,
          'sha256:a',
          { ...STOP, digest: 'sha256:z' },
          createAuditEntry('tool.stop'),
        ),
      ).to.equal(false);
      expect(
        await subject.other.pinToolIfNew(createTool({ digest: 'sha256:b' }), createAuditEntry('tool.pin')),
      ).to.equal(false);
      expect(await subject.other.listToolPins()).to.eql([{ ...createTool(), stopped: STOP }]);

      const accepted = createTool({ digest: 'sha256:b', content: {}, by: 'grace', at: 1_790_000_001_000 });
      await subject.store.acceptTool(accepted, createAuditEntry('tool.accept'));

      expect(await subject.other.listToolPins()).to.eql([{ ...accepted, stopped: null }]);
      expect(await listActions()).to.eql(['tool.pin', 'tool.stop', 'tool.accept']);
    });

    it('should not stop a tool that was accepted since or never pinned', async () => {
      await subject.store.pinToolIfNew(createTool(), createAuditEntry('tool.pin'));
      await subject.store.acceptTool(createTool({ digest: 'sha256:b' }), createAuditEntry('tool.accept'));

      expect(await subject.other.stopTool(TOOL_NAME, 'sha256:a', STOP, createAuditEntry('tool.stop'))).to.equal(false);
      expect(await subject.other.stopTool('mcp.a.b', 'sha256:a', STOP, createAuditEntry('tool.stop'))).to.equal(false);
      expect((await subject.store.listToolPins()).map(({ stopped }) => stopped)).to.eql([null]);
      expect(await listActions()).to.eql(['tool.pin', 'tool.accept']);
    });
  });
}
